//! The open list: a binary heap with lazy deletion and one total order.

use crate::{
    cell::Cell,
    rules::{COST_MAX, Cost},
    window::SearchWindow,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Cells to expand, best first.
///
/// Order, each tie broken by the next: least sum of cost so far and guess, least guess (deeper
/// first), nearest to the straight line from start to goal, then floor and reading order. All of
/// it is one number, so entries compare in an instruction or two and different cells never tie.
///
/// An entry that is the best when pushed waits in front of the heap. On open ground the child
/// straight ahead is such an entry, and is popped without a walk down the heap.
///
/// # Complexity
///
/// O(log n) a push and a pop. O(1) for pushes that are not among the best, which most are not,
/// and for the pop of the entry in front.
// Decision 5: docs/decisions/0005-open-list-is-a-binary-heap.md
#[derive(Clone, Debug)]
pub(crate) struct OpenList<K> {
    /// Comes before all entries of the heap, if present.
    front: Option<K>,
    heap: BinaryHeap<Reverse<K>>,
}

/// A cell of the window with its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenEntry {
    /// Cost so far and guess.
    pub(crate) total: Cost,
    pub(crate) guess: Cost,
    /// Distance from the straight line, in any unit.
    pub(crate) deviation: u32,
    /// Column, row and floor, counted in the window.
    pub(crate) place: Cell,
}

impl<K: OpenKey> OpenList<K> {
    pub(crate) fn clear(&mut self) {
        self.front = None;
        self.heap.clear();
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "not always inlined otherwise, and a call costs a tenth of a search"
    )]
    pub(crate) fn push(&mut self, entry: OpenEntry, layout: &KeyLayout) {
        let mut key = K::pack(entry, layout);
        match &mut self.front {
            Some(front) => {
                if key < *front {
                    std::mem::swap(&mut key, front);
                }
                self.heap.push(Reverse(key));
            }
            None if self.heap.peek().is_none_or(|best| key < best.0) => self.front = Some(key),
            None => self.heap.push(Reverse(key)),
        }
    }

    /// Removes the best entry and returns its place.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "not always inlined otherwise, and a call costs a tenth of a search"
    )]
    pub(crate) fn pop(&mut self, layout: &KeyLayout) -> Option<Cell> {
        let key = match self.front.take() {
            Some(front) => front,
            None => self.heap.pop()?.0,
        };
        Some(key.place(layout))
    }

    /// Pushes an entry that comes before all others: the first, or the last popped.
    pub(crate) fn push_best(&mut self, entry: OpenEntry, layout: &KeyLayout) {
        self.front = Some(K::pack(entry, layout));
    }
}

impl<K: OpenKey> Default for OpenList<K> {
    fn default() -> Self {
        Self {
            front: None,
            heap: BinaryHeap::new(),
        }
    }
}

/// An [`OpenEntry`] as one number in the order of the queue.
pub(crate) trait OpenKey: Copy + Ord {
    fn pack(entry: OpenEntry, layout: &KeyLayout) -> Self;
    fn place(self, layout: &KeyLayout) -> Cell;
}

/// The key of near searches: half the bytes to compare and to move.
impl OpenKey for u64 {
    #[inline]
    fn pack(entry: OpenEntry, layout: &KeyLayout) -> Self {
        let Cell { x, y, floor } = entry.place;
        debug_assert!(layout.holds(entry), "{entry:?} does not fit {layout:?}");
        Self::from(entry.total) << layout.total
            | Self::from(entry.guess) << layout.guess
            | Self::from(entry.deviation) << layout.deviation
            | Self::from(floor) << layout.floor
            | Self::from(y) << layout.row
            | Self::from(x)
    }

    #[inline]
    fn place(self, layout: &KeyLayout) -> Cell {
        let low = |bits: u32| !(Self::MAX << bits);
        Cell {
            x: (self & low(layout.row)) as u16,
            y: ((self & low(layout.floor)) >> layout.row) as u16,
            floor: ((self & low(layout.deviation)) >> layout.floor) as u8,
        }
    }
}

/// The key of all other searches. 14 bits hold a side of the largest map, 32 its deviations, 28
/// the highest guess.
impl OpenKey for u128 {
    #[inline]
    fn pack(entry: OpenEntry, _: &KeyLayout) -> Self {
        let Cell { x, y, floor } = entry.place;
        debug_assert!(
            x < 1 << 14 && y < 1 << 14 && entry.guess < 1 << 28,
            "{entry:?} is too large"
        );
        let place = u64::from(floor) << 28 | u64::from(y) << 14 | u64::from(x);
        let ranks = u64::from(entry.total) << 28 | u64::from(entry.guess);
        Self::from(ranks) << 68 | Self::from(entry.deviation) << 36 | Self::from(place)
    }

    #[inline]
    fn place(self, _: &KeyLayout) -> Cell {
        Cell {
            x: self as u16 & 0x3fff,
            y: (self >> 14) as u16 & 0x3fff,
            floor: (self >> 28) as u8,
        }
    }
}

/// The first bits of the parts of a 64-bit key. The column begins at bit 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyLayout {
    row: u32,
    floor: u32,
    deviation: u32,
    guess: u32,
    total: u32,
    end: u32,
}

/// The greatest numbers in the entries of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyBounds {
    /// Most steps on a path: the limit on expansions.
    pub(crate) steps: u32,
    /// The cost of the dearest step or link.
    pub(crate) dearest_step: Cost,
    pub(crate) guess: Cost,
    pub(crate) deviation: u32,
    /// The highest sum of cost and guess.
    pub(crate) total: Cost,
}

impl KeyLayout {
    pub(crate) fn new(window: &SearchWindow, bounds: KeyBounds) -> Self {
        let steps = u64::from(bounds.steps).min(window.area() as u64);
        let cost = (steps * u64::from(bounds.dearest_step)).min(COST_MAX.into());
        let bits = |greatest: u64| u64::BITS - greatest.leading_zeros();
        let row = bits((window.columns() - 1).into());
        let floor = row + bits((window.rows() - 1).into());
        let deviation = floor + bits((window.floors() - 1).into());
        let guess = deviation + bits(bounds.deviation.into());
        let total = guess + bits(bounds.guess.into());
        Self {
            row,
            floor,
            deviation,
            guess,
            total,
            end: total + bits((cost + u64::from(bounds.guess)).min(bounds.total.into())),
        }
    }

    /// Whether 64 bits are enough. With the default limits they are, under every metric.
    pub(crate) fn is_narrow(&self) -> bool {
        self.end <= u64::BITS
    }

    fn holds(&self, entry: OpenEntry) -> bool {
        let parts: [(u32, u32, u32); 6] = [
            (entry.place.x.into(), 0, self.row),
            (entry.place.y.into(), self.row, self.floor),
            (entry.place.floor.into(), self.floor, self.deviation),
            (entry.deviation, self.deviation, self.guess),
            (entry.guess, self.guess, self.total),
            (entry.total, self.total, self.end),
        ];
        parts
            .into_iter()
            .all(|(number, begin, end)| u64::from(number) >> (end - begin) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Grid;

    const BOUNDS: KeyBounds = KeyBounds {
        steps: 150,
        dearest_step: 3363,
        guess: 190_240,
        deviation: 1600,
        total: COST_MAX,
    };

    fn layout(radius: u16, bounds: KeyBounds) -> KeyLayout {
        let grid = Grid::open(512, 512).unwrap();
        KeyLayout::new(
            &SearchWindow::around(Cell::new(256, 256), radius, &grid),
            bounds,
        )
    }

    fn sorted<K: OpenKey>(entries: &[OpenEntry], layout: &KeyLayout) -> Vec<Cell> {
        let mut queue = OpenList::<K>::default();
        for &entry in entries {
            queue.push(entry, layout);
        }
        std::iter::from_fn(|| queue.pop(layout)).collect()
    }

    #[test]
    fn tie_order() {
        let mut entries = [
            (7, 1, 9, (9, 9)),
            (7, 2, 0, (8, 0)),
            (7, 2, 3, (5, 1)),
            (7, 2, 3, (1, 2)),
            (7, 2, 3, (3, 2)),
            (8, 0, 0, (0, 0)),
        ]
        .map(|(total, guess, deviation, place)| OpenEntry {
            total,
            guess,
            deviation,
            place: Cell::from(place),
        });
        let layout = layout(20, BOUNDS);
        let best_first = entries.map(|entry| entry.place);
        for _ in 0..entries.len() {
            assert_eq!(sorted::<u64>(&entries, &layout), best_first);
            assert_eq!(sorted::<u128>(&entries, &layout), best_first);
            entries.rotate_left(1);
        }
        entries.reverse();
        assert_eq!(sorted::<u64>(&entries, &layout), best_first);
        assert_eq!(sorted::<u128>(&entries, &layout), best_first);
    }

    #[test]
    fn better_entry_takes_front() {
        let entry = |total| OpenEntry {
            total,
            guess: 0,
            deviation: 0,
            place: Cell::new(total as u16, 0),
        };
        let layout = layout(20, BOUNDS);
        let mut queue = OpenList::<u64>::default();
        queue.push(entry(5), &layout);
        queue.push(entry(3), &layout);
        queue.push(entry(4), &layout);
        assert_eq!(queue.pop(&layout), Some(Cell::new(3, 0)));
        queue.push(entry(6), &layout);
        assert_eq!(queue.pop(&layout), Some(Cell::new(4, 0)));
        queue.push(entry(1), &layout);
        assert_eq!(queue.pop(&layout), Some(Cell::new(1, 0)));
        assert_eq!(queue.pop(&layout), Some(Cell::new(5, 0)));
        assert_eq!(queue.pop(&layout), Some(Cell::new(6, 0)));
        assert_eq!(queue.pop(&layout), None);
    }

    #[test]
    fn default_limits_fit_narrow_keys() {
        assert!(layout(20, BOUNDS).is_narrow());
        let uncapped = KeyBounds {
            steps: u32::MAX,
            ..BOUNDS
        };
        assert!(layout(20, uncapped).is_narrow());
        let far = KeyBounds {
            steps: u32::MAX,
            guess: 512 * 2 * 2378,
            deviation: 512 * 512 * 2,
            ..BOUNDS
        };
        assert!(!layout(u16::MAX, far).is_narrow());
    }
}
