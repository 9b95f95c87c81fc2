//! The cells that are closed to solid bodies: those of other processes that were not lent.

use nav_grid::{Area, Cell, Footprint};

/// Which cells of a map are closed, and to whom not.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    /// The columns and rows that are own ones, on any floor.
    own: Area,
    /// Those around which all cells are own ones.
    inner: Area,
    /// Those that no body reaches other cells from in one step.
    deep: Area,
    /// Places that were lent, by the indices of agents, in order.
    loans: Vec<(u32, Cell)>,
}

/// How far a body covers cells from the one it is on after a step.
const REACH: u16 = Footprint::SIDE_MAX as u16;

impl Closed {
    /// All cells but those of some columns and rows. A side at the end of the range has nothing behind it.
    pub(crate) fn beyond(own: Area) -> Self {
        Self {
            own,
            inner: shrunk(own, 1),
            deep: shrunk(own, REACH),
            loans: Vec::new(),
        }
    }

    /// Whether a body on a cell, of whichever size, reaches own cells only in a step.
    #[inline]
    pub(super) const fn is_far_from(&self, cell: Cell) -> bool {
        has(self.deep, cell)
    }

    /// Whether a cell and all beside it are own ones.
    #[inline]
    pub(super) const fn is_inner(&self, cell: Cell) -> bool {
        has(self.inner, cell)
    }

    /// Whether a cell is another process's.
    #[inline]
    pub(super) const fn contains(&self, cell: Cell) -> bool {
        !has(self.own, cell)
    }

    /// Whether an agent was lent a place.
    pub(super) fn is_lent(&self, agent: u32, place: Cell) -> bool {
        self.loans.binary_search(&(agent, place)).is_ok()
    }

    /// The same but for places that were lent, by the indices of agents.
    pub(super) fn lent(mut self, loans: impl IntoIterator<Item = (u32, Cell)>) -> Self {
        self.loans.extend(loans);
        self.loans.sort_unstable();
        self
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.loans.capacity() * size_of::<(u32, Cell)>()
    }
}

/// Whether an area has a cell's column and row.
#[inline]
const fn has(area: Area, cell: Cell) -> bool {
    let (first, last) = (area.first(), area.last());
    first.x <= cell.x && cell.x <= last.x && first.y <= cell.y && cell.y <= last.y
}

/// An area without so many columns and rows at each side, but for those at the end of the range. One that is too
/// small for that keeps nothing.
fn shrunk(area: Area, by: u16) -> Area {
    let (first, last) = (area.first(), area.last());
    let side = |first: u16, last: u16| {
        let first = if first == 0 {
            0
        } else {
            first.saturating_add(by)
        };
        let last = if last == u16::MAX {
            last
        } else {
            last.saturating_sub(by)
        };
        (first, last)
    };
    let (columns, rows) = (side(first.x, last.x), side(first.y, last.y));
    if columns.0 > columns.1 || rows.0 > rows.1 {
        // No cell lies there: nothing is at the end of the range.
        let nowhere = Cell::new(u16::MAX, u16::MAX);
        return Area::new(nowhere, nowhere);
    }
    Area::new(Cell::new(columns.0, rows.0), Cell::new(columns.1, rows.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(x: u16, y: u16, right: u16, bottom: u16) -> Area {
        Area::new(Cell::new(x, y), Cell::new(right, bottom))
    }

    #[test]
    fn nothing_lies_beyond_the_ends_of_the_range() {
        let closed = Closed::beyond(area(0, 0, u16::MAX, u16::MAX));
        for cell in [Cell::new(0, 0), Cell::new(u16::MAX, u16::MAX)] {
            assert!(!closed.contains(cell));
            assert!(closed.is_inner(cell) && closed.is_far_from(cell));
        }
    }

    #[test]
    fn what_lies_behind_a_side_within_the_range_is_closed() {
        let closed = Closed::beyond(area(0, 64, 63, u16::MAX));
        let own = Cell::new(63, 64).on_floor(3);
        assert!(!closed.contains(own) && !closed.is_inner(own));
        assert!(closed.contains(Cell::new(64, 64)) && closed.contains(Cell::new(63, 63)));
        assert!(closed.is_inner(Cell::new(0, 65)) && !closed.is_far_from(Cell::new(0, 65)));
        assert!(closed.is_far_from(Cell::new(63 - REACH, u16::MAX)));
    }

    #[test]
    fn a_small_part_has_nothing_far_from_others() {
        let closed = Closed::beyond(area(5, 5, 6, 6));
        for (x, y) in [(5, 5), (6, 6)] {
            assert!(!closed.is_inner(Cell::new(x, y)));
        }
    }
}
