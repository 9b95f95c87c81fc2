//! Links: one-way edges between any two cells.

use super::{
    bitboard::Bitboard,
    size::{Area, Size},
};
use crate::{
    cell::Cell,
    rules::{LinkKind, LinkKinds},
};

/// A one-way edge of a [map](crate::Grid) from one cell to another: stairs, a ladder, a teleport.
/// Two of them lead there and back.
///
/// To shut a link for a while, give it a kind that no walker may take, or
/// [remove](crate::Grid::remove_link) it: that returns the link, for
/// [`set_link`](crate::Grid::set_link) later.
///
/// Links order by their start, then by their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// The start.
    pub from: Cell,
    /// The end, on any floor.
    pub to: Cell,
    /// The cost in straight steps of the metric in force; at least 1, since walking it takes a move
    /// tick. Step costs of the cells do not count.
    pub cost: u16,
    /// The kind, which [rules](crate::Rules::links) allow or forbid; 0 by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kind: LinkKind,
    /// How long a walker is on the link, in milliseconds, 0 to 65,535. 0, the default, is no longer
    /// than a step. Searches do not know it: let the cost say how far round a walker would rather
    /// go.
    #[cfg_attr(feature = "serde", serde(default))]
    pub millis: u16,
    /// The most walkers on this link and its reverse together, as on a ladder; 0, the default, for
    /// any number. Searches do not know it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub capacity: u8,
}

impl Link {
    /// A link that costs as much as one straight step.
    pub const fn new(from: Cell, to: Cell) -> Self {
        Self {
            from,
            to,
            cost: 1,
            kind: LinkKind::DEFAULT,
            millis: 0,
            capacity: 0,
        }
    }

    setters! {
        /// Replaces the cost.
        with_cost(cost: u16);
        /// Replaces the kind.
        with_kind(kind: LinkKind);
        /// Replaces the milliseconds that a walker is on the link.
        with_millis(millis: u16);
        /// Replaces the most walkers on the link at one time; 0 for any number.
        with_capacity(capacity: u8);
    }

    /// Whether walkers take longer than a step, or may have to wait for each other.
    pub const fn is_slow(&self) -> bool {
        self.millis > 0 || self.capacity > 0
    }

    /// The reverse edge, otherwise the same.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
            ..self
        }
    }

    /// Whether it may be cheaper than walking the distance, so that a heuristic from distance
    /// alone could be too high.
    fn may_be_shortcut(&self) -> bool {
        u32::from(self.cost) < self.from.manhattan(self.to)
    }
}

/// The links of a map, found by either end.
///
/// A bitboard of the starts lets searches skip the lookup in all other cells.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// By `from`, then `to`.
    pub(crate) leaving: Vec<Link>,
    /// By `to`, then `from`.
    arriving: Vec<Link>,
    /// Links that may be cheaper than the distance, in the order of `leaving`.
    pub(crate) shortcuts: Vec<Link>,
    /// The cells that links leave; `None` without links.
    starts: Option<Bitboard>,
    /// An upper bound of all costs.
    pub(crate) dearest: u16,
    /// At least all kinds that there are.
    pub(crate) kinds: LinkKinds,
    /// Whether some link may be [slow](Link::is_slow).
    pub(crate) has_slow: bool,
    /// Changes so far: a copy with some kinds only tells by them whether it is up to date.
    changes: u64,
}

impl Default for Links {
    fn default() -> Self {
        Self {
            leaving: Vec::new(),
            arriving: Vec::new(),
            shortcuts: Vec::new(),
            starts: None,
            dearest: 0,
            kinds: LinkKinds::NONE,
            has_slow: false,
            changes: 0,
        }
    }
}

impl Links {
    /// The links that leave a cell of the map.
    #[inline]
    pub(crate) fn from(&self, cell: Cell) -> &[Link] {
        match &self.starts {
            Some(starts) if starts.get(cell.x, cell.y, cell.floor) => {
                run(&self.leaving, |link| link.from, cell)
            }
            _ => &[],
        }
    }

    /// Whether a link leaves a cell of an area of the map.
    pub(crate) fn leave_from(&self, area: Area) -> bool {
        let (first, last) = (area.first(), area.last());
        let Some(starts) = &self.starts else {
            return false;
        };
        (first.y..=last.y).any(|y| {
            (first.x..=last.x).step_by(64).any(|x| {
                let word = starts.words_from(x.into(), y, first.floor, 1).next();
                let mask = u64::MAX >> (63 - (last.x - x).min(63));
                word.is_some_and(|word| word & mask != 0)
            })
        })
    }

    /// The links that lead to a cell.
    pub(crate) fn to(&self, cell: Cell) -> &[Link] {
        run(&self.arriving, |link| link.to, cell)
    }

    /// The link between two cells.
    pub(crate) fn between(&self, from: Cell, to: Cell) -> Option<&Link> {
        let links = self.from(from);
        let at = links.binary_search_by_key(&to, |link| link.to).ok()?;
        links.get(at)
    }

    /// Adds a link, or replaces the link between the same cells and returns that.
    pub(crate) fn set(&mut self, link: Link, size: Size) -> Option<Link> {
        let before = self.remove(link.from, link.to);
        insert(&mut self.leaving, link, |link| (link.from, link.to));
        insert(&mut self.arriving, link, |link| (link.to, link.from));
        if link.may_be_shortcut() {
            insert(&mut self.shortcuts, link, |link| (link.from, link.to));
        }
        self.note(link, size);
        before
    }

    fn note(&mut self, link: Link, size: Size) {
        self.dearest = self.dearest.max(link.cost);
        self.kinds = self.kinds.with(link.kind);
        self.has_slow |= link.is_slow();
        self.changes += 1;
        let Cell { x, y, floor } = link.from;
        let starts = self.starts.get_or_insert_with(|| Bitboard::new(size));
        starts.set(x, y, floor, true);
    }

    /// Adds many links at once; of several links between the same cells the last one counts.
    pub(crate) fn extend(&mut self, links: impl IntoIterator<Item = Link>, size: Size) {
        self.leaving.extend(links);
        // Stable, so that the last added of equal links comes last.
        self.leaving.sort_by_key(|link| (link.from, link.to));
        self.leaving.dedup_by(|later, kept| {
            let same = (later.from, later.to) == (kept.from, kept.to);
            if same {
                *kept = *later;
            }
            same
        });
        self.arriving.clone_from(&self.leaving);
        self.arriving.sort_by_key(|link| (link.to, link.from));
        self.shortcuts.clear();
        let shortcuts = self.leaving.iter().filter(|link| link.may_be_shortcut());
        self.shortcuts.extend(shortcuts);
        for index in 0..self.leaving.len() {
            self.note(self.leaving[index], size);
        }
    }

    /// Removes the link between two cells and returns it.
    pub(crate) fn remove(&mut self, from: Cell, to: Cell) -> Option<Link> {
        let link = remove(&mut self.leaving, (from, to), |link| (link.from, link.to))?;
        remove(&mut self.arriving, (to, from), |link| (link.to, link.from));
        remove(&mut self.shortcuts, (from, to), |link| (link.from, link.to));
        self.changes += 1;
        // The bounds stay while other links remain: that is enough.
        if self.leaving.is_empty() {
            self.clear();
        } else if run(&self.leaving, |link| link.from, from).is_empty()
            && let Some(starts) = &mut self.starts
        {
            starts.set(from.x, from.y, from.floor, false);
        }
        Some(link)
    }

    /// Becomes the links of some kinds among others, unless it is that already.
    pub(crate) fn follow(&mut self, others: &Self, kinds: LinkKinds, size: Size) {
        if self.changes != others.changes {
            self.clear();
            let allowed = others.leaving.iter().filter(|link| kinds.allows(link.kind));
            self.extend(allowed.copied(), size);
            self.changes = others.changes;
        }
    }

    /// Removes all links.
    pub(crate) fn clear(&mut self) {
        *self = Self {
            changes: self.changes + 1,
            ..Self::default()
        };
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let lists = [&self.leaving, &self.arriving, &self.shortcuts];
        let links: usize = lists.iter().map(|list| list.capacity()).sum();
        links * size_of::<Link>() + self.starts.as_ref().map_or(0, Bitboard::heap_bytes)
    }
}

impl PartialEq for Links {
    fn eq(&self, other: &Self) -> bool {
        self.leaving == other.leaving
    }
}

impl Eq for Links {}

/// The links of a sorted list whose first key is `cell`.
fn run(links: &[Link], key: impl Fn(&Link) -> Cell, cell: Cell) -> &[Link] {
    let first = links.partition_point(|link| key(link) < cell);
    let count = links[first..].partition_point(|link| key(link) == cell);
    &links[first..first + count]
}

fn insert<K: Ord>(links: &mut Vec<Link>, link: Link, key: impl Fn(&Link) -> K) {
    let at = links.partition_point(|other| key(other) < key(&link));
    links.insert(at, link);
}

fn remove<K: Ord>(links: &mut Vec<Link>, wanted: K, key: impl Fn(&Link) -> K) -> Option<Link> {
    let at = links.binary_search_by(|link| key(link).cmp(&wanted)).ok()?;
    Some(links.remove(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_by_either_end() {
        let size = Size::new(20, 20).with_floors(2);
        let (a, b, c) = (
            Cell::new(1, 1),
            Cell::new(1, 1).on_floor(1),
            Cell::new(9, 4),
        );
        let mut links = Links::default();
        assert_eq!(links.set(Link::new(a, b), size), None);
        assert_eq!(links.set(Link::new(a, c).with_cost(3), size), None);
        assert_eq!(links.set(Link::new(b, c).with_cost(30), size), None);
        assert_eq!(
            links.from(a),
            [Link::new(a, c).with_cost(3), Link::new(a, b)]
        );
        assert_eq!(links.to(c).len(), 2);
        assert_eq!(links.shortcuts, [Link::new(a, c).with_cost(3)]);
        assert_eq!(
            links.set(Link::new(a, c).with_cost(11), size),
            Some(Link::new(a, c).with_cost(3))
        );
        assert!(links.shortcuts.is_empty());
        assert_eq!(links.remove(a, c), Some(Link::new(a, c).with_cost(11)));
        assert_eq!(links.remove(a, c), None);
        assert_eq!(links.remove(a, b), Some(Link::new(a, b)));
        assert!(links.from(a).is_empty());
        assert_eq!(links.between(b, c).map(|link| link.cost), Some(30));
        links.remove(b, c);
        assert_eq!(links, Links::default());
    }
}
