//! What a field knows about each cell, in memory that follows what is touched.

use crate::{
    cell::{Cell, Direction},
    map::Size,
    rules::Cost,
};

/// Columns and rows of a page.
const SIDE: u16 = 32;
const CELLS: usize = SIDE as usize * SIDE as usize;

/// The cost of a cell that has none.
const UNKNOWN: Cost = Cost::MAX;

/// A cost and a way for each cell of a map, in pages of 32×32 cells that are taken when the
/// first cell of them is given a cost, and kept for the next field.
///
/// A directory of all pages carries generation stamps, so that forgetting everything costs
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct CostPages {
    size: Option<Size>,
    columns: usize,
    rows: usize,
    directory: Vec<PageSlot>,
    generation: u32,
    /// Those that any field has used, of which this one uses the first so many.
    taken: Vec<Box<CostPage>>,
    used: usize,
}

/// The page of a square of the map, if it carries the current generation.
#[derive(Clone, Copy, Debug, Default)]
struct PageSlot {
    generation: u32,
    page: u32,
}

/// The cells of a square of the map.
#[derive(Clone, Debug)]
pub(crate) struct CostPage {
    costs: [Cost; CELLS],
    ways: [u8; CELLS],
}

impl CostPage {
    const EMPTY: Self = Self {
        costs: [UNKNOWN; CELLS],
        ways: [0; CELLS],
    };

    /// As [`CostPages::improve`], for the cell at a place of the page.
    #[inline]
    pub(crate) fn improve(&mut self, place: usize, cost: Cost, way: u8) -> bool {
        let place = place % CELLS;
        let known = self.costs[place];
        if cost < known || cost == known && way < self.ways[place] {
            self.costs[place] = cost;
            self.ways[place] = way;
        }
        cost < known
    }

    /// The place next to one, if it is on the page.
    #[inline]
    pub(crate) fn beside(place: usize, direction: Direction) -> usize {
        let (dx, dy) = direction.delta();
        place.wrapping_add_signed((dy * i32::from(SIDE) + dx) as isize)
    }
}

impl CostPages {
    /// Forgets everything and makes room for the directory of a map.
    pub(crate) fn start(&mut self, size: Size) {
        if self.size != Some(size) || self.generation == u32::MAX {
            self.size = Some(size);
            self.columns = size.width.div_ceil(SIDE).into();
            self.rows = size.height.div_ceil(SIDE).into();
            self.directory.clear();
            let squares = self.columns * self.rows * usize::from(size.floors);
            self.directory.resize(squares, PageSlot::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.used = 0;
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.size = None;
        self.directory.clear();
        self.used = 0;
    }

    /// The cost of a cell, and the way that leads on from it.
    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> Option<(Cost, u8)> {
        if !self.size.is_some_and(|size| size.contains(cell)) {
            return None;
        }
        let slot = self.directory.get(self.square(cell))?;
        if slot.generation != self.generation {
            return None;
        }
        let page = self.taken.get(slot.page as usize)?;
        let place = place(cell);
        Some((page.costs[place], page.ways[place])).filter(|&(cost, _)| cost != UNKNOWN)
    }

    /// Whether a cell of the map has this cost.
    #[inline]
    pub(crate) fn has(&self, cell: Cell, cost: Cost) -> bool {
        self.get(cell).is_some_and(|(known, _)| known == cost)
    }

    /// Records that a way leads on from a cell of the map at some cost, if that is cheaper than
    /// what is known, or no dearer and the number of the way is lower. Says whether it is cheaper.
    #[inline]
    pub(crate) fn improve(&mut self, cell: Cell, cost: Cost, way: u8) -> bool {
        self.page(cell).improve(place(cell), cost, way)
    }

    /// The page of a cell of the map and its place in it, if all cells around it are on the page.
    #[inline]
    pub(crate) fn inside(&mut self, cell: Cell) -> Option<(&mut CostPage, usize)> {
        let inner = 1..SIDE - 1;
        let inside = inner.contains(&(cell.x % SIDE)) && inner.contains(&(cell.y % SIDE));
        inside.then(|| (self.page(cell), place(cell)))
    }

    /// Takes the cost of a cell of the map away.
    pub(crate) fn forget(&mut self, cell: Cell) {
        self.page(cell).costs[place(cell)] = UNKNOWN;
    }

    /// The page of a cell of the map, which is taken if it was not.
    #[inline]
    fn page(&mut self, cell: Cell) -> &mut CostPage {
        let square = self.square(cell);
        if self.directory[square].generation != self.generation {
            self.take(square);
        }
        &mut self.taken[self.directory[square].page as usize]
    }

    #[cold]
    fn take(&mut self, square: usize) {
        match self.taken.get_mut(self.used) {
            Some(page) => page.costs.fill(UNKNOWN),
            None => self.taken.push(Box::new(CostPage::EMPTY)),
        }
        self.directory[square] = PageSlot {
            generation: self.generation,
            page: self.used as u32,
        };
        self.used += 1;
    }

    #[inline]
    fn square(&self, cell: Cell) -> usize {
        let row = usize::from(cell.floor) * self.rows + usize::from(cell.y / SIDE);
        row * self.columns + usize::from(cell.x / SIDE)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.directory.capacity() * size_of::<PageSlot>()
            + self.taken.capacity() * size_of::<Box<CostPage>>()
            + self.taken.len() * size_of::<CostPage>()
    }
}

/// The number of a cell in its page.
#[inline]
const fn place(cell: Cell) -> usize {
    (cell.y % SIDE) as usize * SIDE as usize + (cell.x % SIDE) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_taken_as_cells_are_given_costs_and_kept() {
        let mut pages = CostPages::default();
        assert_eq!(pages.get(Cell::new(0, 0)), None);
        pages.start(Size::new(100, 40).with_floors(2));
        let cell = Cell::new(99, 39).on_floor(1);
        assert!(pages.improve(cell, 7, 3));
        assert!(!pages.improve(cell, 7, 5));
        assert!(!pages.improve(cell, 7, 2));
        assert!(!pages.improve(cell, 8, 0));
        assert_eq!(pages.get(cell), Some((7, 2)));
        assert!(pages.improve(cell, 6, 9) && pages.has(cell, 6));
        assert_eq!(pages.get(Cell::new(98, 39).on_floor(1)), None);
        assert_eq!(pages.get(Cell::new(100, 0)), None);
        pages.forget(cell);
        assert_eq!(pages.get(cell), None);
        assert!(pages.improve(Cell::new(1, 1), 4, 1));
        let bytes = pages.heap_bytes();

        pages.start(Size::new(100, 40).with_floors(2));
        assert_eq!(pages.get(Cell::new(1, 1)), None);
        assert!(pages.improve(Cell::new(40, 1), 4, 1));
        assert!(pages.improve(Cell::new(80, 1), 4, 1));
        assert_eq!(pages.heap_bytes(), bytes);
    }
}
