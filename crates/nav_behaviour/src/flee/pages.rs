//! Two numbers for each cell of a map, in pages that are added as a flood comes to them.

use nav_grid::{Cell, Size};

/// Columns and rows of a page, as those of cost fields.
const SIDE: u16 = 32;

const CELLS: usize = (SIDE * SIDE) as usize;

/// A page of which no cell was reached.
const NONE: u32 = u32::MAX;

/// The steps and the rank of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ground {
    /// Steps from the nearest member of the danger; [`UNKNOWN`](Self::UNKNOWN) has none.
    pub(super) steps: u16,
    /// How unsafe the cell is: the least is the safest.
    pub(super) rank: u16,
}

impl Ground {
    /// A cell that was not reached.
    pub(super) const UNKNOWN: Self = Self {
        steps: u16::MAX,
        rank: u16::MAX,
    };

    /// Whether the cell was reached.
    pub(super) const fn is_known(self) -> bool {
        self.steps != u16::MAX
    }
}

/// The cells of a map, in pages of 32×32 cells. Keeps its memory.
#[derive(Debug, Default)]
pub(super) struct Pages {
    size: Option<Size>,
    /// Pages side by side, and in a floor.
    columns: usize,
    of_floor: usize,
    /// By page, in reading order: the index of its first cell, or [`NONE`].
    directory: Vec<u32>,
    cells: Vec<Ground>,
}

impl Pages {
    /// Forgets all cells, and takes a map of a size.
    pub(super) fn start(&mut self, size: Size) {
        self.size = Some(size);
        self.columns = size.width.div_ceil(SIDE).into();
        self.of_floor = self.columns * usize::from(size.height.div_ceil(SIDE));
        self.directory.clear();
        let pages = self.of_floor * usize::from(size.floors);
        self.directory.resize(pages, NONE);
        self.cells.clear();
    }

    /// The page of a cell in the directory, and the cell's number in the page; `None` off the map.
    #[inline]
    fn spot(&self, cell: Cell) -> Option<(usize, usize)> {
        if !self.size?.contains(cell) {
            return None;
        }
        let row =
            usize::from(cell.floor) * self.of_floor + usize::from(cell.y / SIDE) * self.columns;
        let number = usize::from(cell.y % SIDE * SIDE + cell.x % SIDE);
        Some((row + usize::from(cell.x / SIDE), number))
    }

    /// The steps and the rank of a cell.
    #[inline]
    pub(super) fn get(&self, cell: Cell) -> Ground {
        let known = self.spot(cell).and_then(|(page, number)| {
            let first = self.directory[page];
            (first != NONE).then(|| self.cells[first as usize + number])
        });
        known.unwrap_or(Ground::UNKNOWN)
    }

    /// The place of what is known of a cell; `None` off the map.
    #[inline]
    pub(super) fn get_mut(&mut self, cell: Cell) -> Option<&mut Ground> {
        let (page, number) = self.spot(cell)?;
        if self.directory[page] == NONE {
            self.add_page(page);
        }
        let first = self.directory[page] as usize;
        self.cells.get_mut(first + number)
    }

    #[cold]
    fn add_page(&mut self, page: usize) {
        let first = self.cells.len();
        self.directory[page] = first as u32;
        self.cells.resize(first + CELLS, Ground::UNKNOWN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_apart() {
        let size = Size::new(70, 40).with_floors(2);
        let mut pages = Pages::default();
        let first = Cell::new(0, 0);
        assert_eq!(pages.get(first), Ground::UNKNOWN);
        let cells = [
            (0, 0, 0),
            (31, 31, 0),
            (32, 31, 0),
            (69, 39, 0),
            (69, 39, 1),
        ];
        let cells = cells.map(|(x, y, floor)| Cell::new(x, y).on_floor(floor));
        pages.start(size);
        for (steps, &cell) in (1..).zip(&cells) {
            pages.get_mut(cell).unwrap().steps = steps;
        }
        for (steps, &cell) in (1..).zip(&cells) {
            assert_eq!(pages.get(cell).steps, steps, "{cell:?}");
        }
        assert!(!pages.get(Cell::new(33, 31)).is_known());
        for off in [Cell::new(70, 0), Cell::new(0, 40), first.on_floor(2)] {
            assert_eq!(
                (pages.get(off), pages.get_mut(off)),
                (Ground::UNKNOWN, None)
            );
        }
        pages.start(size);
        assert!(!pages.get(first).is_known());
    }
}
