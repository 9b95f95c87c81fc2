//! The map as some agents find it: with walls where their rules forbid the ground.

use super::{bitboard::words_of, grid::Grid, layers::ByteLayer, size::Area};
use crate::{
    cell::Directions,
    rules::{Class, ClassCosts, LinkKinds, Metric, Passable, Rules},
};
use std::sync::{Arc, OnceLock};

/// The map that a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewOf {
    /// The ground and the links of agents that not all of them suit.
    For(Passable),
    /// The cells that can be seen through.
    Sight,
}

impl ViewOf {
    /// The classes whose costs make the step costs of the view others than the map's.
    fn priced(self) -> Option<ClassCosts> {
        match self {
            Self::For(Passable { classes, .. }) => classes.has_costs().then_some(classes),
            Self::Sight => None,
        }
    }

    /// The kinds of links of the view, where these are its own.
    fn own_links(self) -> Option<LinkKinds> {
        match self {
            Self::For(Passable { links, .. }) => (links != LinkKinds::ALL).then_some(links),
            Self::Sight => None,
        }
    }
}

/// The views of a map that were asked for, a list to which reading the map may append. They follow
/// from the map, so it does not matter when they are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Views(OnceLock<Box<View>>);

/// A map of its own, which shares with the original all that is the same.
#[derive(Clone, Debug)]
struct View {
    of: ViewOf,
    grid: Grid,
    next: Views,
}

impl Views {
    /// The view of some kind, made if it is not there.
    fn get_or_make(&self, of: ViewOf, make: impl FnOnce() -> Grid) -> &Grid {
        let mut list = self;
        while let Some(view) = list.0.get() {
            if view.of == of {
                return &view.grid;
            }
            list = &view.next;
        }
        let (grid, next) = (make(), Self::default());
        let mut mine = Some(Box::new(View { of, grid, next }));
        // Another thread may have appended a view meanwhile, this one or another. Then mine comes
        // back, and goes behind that.
        loop {
            mine = mine.and_then(|view| list.0.set(view).err());
            if let Some(view) = list.0.get() {
                if view.of == of {
                    return &view.grid;
                }
                list = &view.next;
            }
        }
    }

    /// The view of some agents, if it was made.
    pub(crate) fn find(&self, passable: Passable) -> Option<&Grid> {
        let mut views = self.iter();
        views.find_map(|(of, grid)| (of == ViewOf::For(passable)).then_some(grid))
    }

    /// All views, in the order in which they were made.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ViewOf, &Grid)> {
        let first = self.0.get();
        let views = std::iter::successors(first, |view| view.next.0.get());
        views.map(|view| (view.of, &view.grid))
    }

    fn each(&mut self, mut change: impl FnMut(ViewOf, &mut Grid)) {
        let mut list = self;
        while let Some(view) = list.0.get_mut() {
            change(view.of, &mut view.grid);
            list = &mut view.next;
        }
    }

    /// Bytes on the heap that the views do not share with the map.
    pub(crate) fn heap_bytes(&self) -> usize {
        let mut bytes = 0;
        for (of, grid) in self.iter() {
            let costs = of.priced().map_or(0, |_| grid.costs.heap_bytes());
            let links = of.own_links().map_or(0, |_| grid.links.heap_bytes());
            let cells = grid.walkable.heap_bytes() + grid.clearance.heap_bytes() + costs;
            bytes += size_of::<View>() + cells + links;
        }
        bytes
    }
}

/// The map as agents find it.
impl Grid {
    /// The map as agents of some rules find it: cells of [classes](Rules::classes) that they may
    /// not enter are blocked, the costs of classes count as step costs, and there are no links of
    /// [kinds](Rules::links) that they may not take. The map itself if all classes and links suit
    /// them.
    ///
    /// Searches, fields, indexes and the methods that take [`Rules`] do this by themselves. The
    /// result knows no classes and no sight.
    ///
    /// # Complexity
    ///
    /// O(kinds of agents) once it is made, by the first call for such rules: a pass over the map,
    /// some nanoseconds a cell. Takes a bit a cell, and a byte a cell if some class has a cost.
    /// Edits keep it up to date.
    #[inline]
    #[must_use]
    pub fn for_rules(&self, rules: Rules) -> &Self {
        if rules.passable() == Passable::ALL {
            self
        } else {
            self.for_passable(rules.passable())
        }
    }

    #[inline(never)]
    fn for_passable(&self, passable: Passable) -> &Self {
        if self.suits(passable) {
            return self;
        }
        let of = ViewOf::For(passable);
        self.views.get_or_make(of, || self.view(of))
    }

    /// Whether some agents find the map as it is.
    pub(crate) fn suits(&self, passable: Passable) -> bool {
        let Passable { classes, links } = passable;
        let is_ground =
            classes == ClassCosts::ALL || !self.has_classes() && classes.cost(Class::DEFAULT) == 1;
        self.is_view || is_ground && links.allows_all(self.links.kinds)
    }

    /// The map of sight: a cell is walkable here if it can be [seen through](Grid::set_sight). The
    /// map itself if no cell differs.
    ///
    /// # Complexity
    ///
    /// As [`for_rules`](Self::for_rules), a bit a cell.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn for_sight(&self) -> &Self {
        if self.has_sight() {
            self.views
                .get_or_make(ViewOf::Sight, || self.view(ViewOf::Sight))
        } else {
            self
        }
    }

    /// Changes the map as agents of some rules find it, other than its cells.
    pub(crate) fn prepare_for(&mut self, rules: Rules, prepare: impl Fn(&mut Self)) {
        if std::ptr::eq(self.for_rules(rules), self) {
            prepare(self);
        } else {
            self.views.each(|of, view| {
                if of == ViewOf::For(rules.passable()) {
                    prepare(view);
                }
            });
        }
    }

    /// The footprints that are prepared, with the classes and links of their agents.
    pub(crate) fn prepared_footprints(&self) -> Vec<Rules> {
        self.prepared(|grid| grid.clearance.footprints().map(Rules::from).collect())
    }

    /// The footprints, corner rules, classes and links with marked jumps.
    pub(crate) fn prepared_jumps(&self) -> Vec<Rules> {
        self.prepared(|grid| {
            let jumps = grid.clearance.jump_rules();
            let rules = jumps.map(|(footprint, corners)| {
                Rules::new(Metric::default(), corners).with_footprint(footprint)
            });
            rules.collect()
        })
    }

    /// The rules of what is prepared on the map and its views, in their order.
    fn prepared(&self, of: impl Fn(&Self) -> Vec<Rules>) -> Vec<Rules> {
        let mut rules = of(self);
        for (kind, view) in self.views.iter() {
            if let ViewOf::For(passable) = kind {
                let of_view = of(view).into_iter();
                rules.extend(of_view.map(|rules| rules.with_passable(passable)));
            }
        }
        // Views are in the order of the calls, which may come from several threads.
        rules.sort_unstable();
        rules
    }

    /// Changes the map by `change`, and its views. `areas` hold the cells that may change.
    pub(crate) fn change<T>(&mut self, areas: &[Area], change: impl FnOnce(&mut Self) -> T) -> T {
        let mut views = std::mem::take(&mut self.views);
        // The layers must be this map's alone, or else a change would copy them.
        views.each(|of, view| view.release(of));
        let before = self.version();
        let result = change(self);
        let is_edited = self.version() != before;
        views.each(|of, view| {
            view.share(of, self);
            for &area in areas.iter().filter(|_| is_edited) {
                view.follow(of, self, area);
            }
        });
        self.views = views;
        result
    }

    /// Makes a view.
    fn view(&self, of: ViewOf) -> Self {
        let mut view = Self {
            is_view: true,
            ..Self::blank(self.size)
        };
        view.share(of, self);
        for area in self.size.floor_areas() {
            view.follow(of, self, area);
        }
        view
    }

    /// Takes the layers that are the same as the map's.
    fn share(&mut self, of: ViewOf, map: &Self) {
        self.tiles = map.tiles.clone();
        self.exits = map.exits.clone();
        if let Some(kinds) = of.own_links() {
            Arc::make_mut(&mut self.links).follow(&map.links, kinds, map.size);
        } else {
            self.links = map.links.clone();
        }
        if of.priced().is_none() {
            self.costs = map.costs.clone();
        }
    }

    /// Gives up the layers that are shared with the map.
    fn release(&mut self, of: ViewOf) {
        self.tiles.release();
        self.exits = ByteLayer::uniform(Directions::ALL.0);
        if of.own_links().is_none() {
            self.links = Arc::default();
        }
        if of.priced().is_none() {
            self.costs = ByteLayer::uniform(1);
        }
    }

    /// Updates an area to that of `map`.
    fn follow(&mut self, of: ViewOf, map: &Self, area: Area) {
        let (first, last) = (area.first(), area.last());
        let (size, floor) = (self.size, first.floor);
        for y in first.y..=last.y {
            let (classes, sight) = (
                map.classes.row(y, floor, size),
                map.sight.row(y, floor, size),
            );
            for (at, columns) in words_of(area) {
                let ground = map.walkable.row(y, floor)[at];
                let open = match of {
                    ViewOf::For(Passable { classes: costs, .. }) => {
                        ground & cells_with(classes, at, |class| costs.allows_number(class))
                    }
                    ViewOf::Sight => {
                        let is = |wanted| cells_with(sight, at, move |sight| sight == wanted as u8);
                        (ground | is(Sight::Clear)) & !is(Sight::Blocked)
                    }
                };
                let word = &mut self.walkable.row_mut(y, floor)[at];
                *word = *word & !columns | open & columns;
            }
        }
        if let Some(classes) = of.priced() {
            for cell in area.cells() {
                let ground = map.costs.get(cell, size);
                let cost = ground.saturating_mul(classes.cost(map.class(cell)));
                self.costs.set(cell, size, cost.clamp(1, Self::COST_WORST));
            }
        }
        self.clearance.repair(&self.walkable, size, area);
    }
}

/// The cells of a word of a row whose byte is of some kind; a row without bytes is all 0.
fn cells_with(row: &[u8], word: usize, is_kind: impl Fn(u8) -> bool) -> u64 {
    if row.is_empty() {
        return if is_kind(0) { u64::MAX } else { 0 };
    }
    let bytes = row[word * 64..].iter().take(64);
    bytes
        .rev()
        .fold(0, |bits, &byte| bits << 1 | u64::from(is_kind(byte)))
}

/// Whether a cell can be seen through, for a [`LineOfSight`](crate::smoothing::LineOfSight).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Sight {
    /// While the cell is walkable, whatever its class: the default.
    #[default]
    AsGround,
    /// Always: a low fence, a window, water that is a wall for all walkers.
    Clear,
    /// Never: smoke, a curtain, tall grass.
    Blocked,
}

impl Sight {
    /// All of them, by their number in [`Grid::sight_bytes`].
    pub const ALL: [Self; 3] = [Self::AsGround, Self::Clear, Self::Blocked];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::Cell,
        map::{Edit, Link, Size},
        rules::LinkKind,
    };
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    /// Each view of an edited map equals a newly made one, and shares the layers again.
    #[test]
    fn views_follow_edits() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let size = Size::new(70, 20).with_floors(2);
        let mut grid = Grid::build(size, |_| true).unwrap();
        let class = |number| Class::new(number).unwrap();
        let priced = ClassCosts::ALL.without(class(2)).with(class(1), 9);
        let kind = |number| LinkKind::new(number).unwrap();
        let rules = [
            Rules::default().with_classes(ClassCosts::ALL.without(class(1))),
            Rules::default().with_classes(ClassCosts::only([class(1), class(3)])),
            Rules::default().with_classes(priced),
            Rules::default().with_links(LinkKinds::ALL.without(kind(1))),
            Rules::default()
                .with_classes(priced)
                .with_links(LinkKinds::NONE.with(kind(2))),
        ];
        for _ in 0..200 {
            let mut any = || {
                let (x, y) = (random.random_range(0..70), random.random_range(0..20));
                Cell::new(x, y).on_floor(random.random_range(0..2))
            };
            let (first, link) = (any(), Link::new(any(), any()));
            let link = link.with_kind(kind(random.random_range(0..3)));
            let last = first.moved(random.random_range(0..4), random.random_range(0..3));
            let last = Cell {
                x: last.x.min(69),
                y: last.y.min(19),
                ..last
            };
            let area = Area::new(first, last);
            let edit = match random.random_range(0..7) {
                0 => Edit::Walkable(area, random.random()),
                1 => Edit::Cost(area, random.random_range(1..9)),
                2 => Edit::Exits(area, Directions(random.random())),
                3 => Edit::Class(area, class(random.random_range(0..4))),
                4 => Edit::Sight(area, Sight::ALL[random.random_range(0..3)]),
                5 => grid
                    .links()
                    .first()
                    .map_or(Edit::Link(link), |link| Edit::Unlink {
                        from: link.from,
                        to: link.to,
                    }),
                _ => Edit::Link(link),
            };
            grid.apply(&edit).unwrap();
            let views = rules.map(|rules| grid.for_rules(rules));
            for (view, rules) in views.into_iter().zip(rules) {
                let links = grid.links().iter();
                let links = links.filter(|link| rules.links.allows(link.kind));
                assert!(view.links().iter().eq(links), "{edit:?}");
                if !std::ptr::eq(view, &raw const grid) {
                    let fresh = grid.view(ViewOf::For(rules.passable()));
                    assert_eq!((view, view.version()), (&fresh, grid.version()), "{edit:?}");
                }
                for cell in size.floor_area(0).cells() {
                    let cost = rules.classes.cost(grid.class(cell));
                    let expected = grid.cost(cell).saturating_mul(cost).min(Grid::COST_WORST);
                    assert_eq!(view.cost(cell), expected, "{cell}");
                }
            }
            if grid.has_sight() {
                assert_eq!(grid.for_sight(), &grid.view(ViewOf::Sight));
            }
        }
        let shared = grid.for_rules(rules[0]);
        assert!(
            shared.exits.is_shared_with(&grid.exits) && Arc::ptr_eq(&shared.links, &grid.links)
        );
    }

    /// A ledge hides what is above it, whether or not some other cell has a sight of its own.
    #[test]
    fn exits_count_for_sight() {
        let mut grid = Grid::open(9, 9).unwrap();
        let ledge = Area::new(Cell::new(0, 4), Cell::new(8, 4));
        grid.set_exits(ledge, Directions::NONE).unwrap();
        let (below, above) = (Cell::new(4, 6), Cell::new(4, 2));
        assert!(!grid.sees(below, above, Rules::default()));
        grid.set_sight(Cell::new(8, 8), Sight::Blocked).unwrap();
        assert!(!grid.sees(below, above, Rules::default()));
        assert!(grid.sees(below, Cell::new(7, 7), Rules::default()));
        assert!(!grid.sees(below, Cell::new(8, 8), Rules::default()));
    }
}
