//! The body that holds each cell of a map.

use nav_grid::{Cell, Size};

/// The holder of each cell, in pages that are allocated when a body first enters.
pub(super) struct Holders {
    columns: usize,
    rows: usize,
    /// Row after row of pages, floor after floor.
    pages: Vec<Option<Box<HolderPage>>>,
}

/// The cells of a page: a row of it is four cache lines, and what is sorted by rows of pages lies
/// together.
const WIDTH: u16 = 64;
pub(super) const HEIGHT: u16 = 16;
const CELLS: usize = WIDTH as usize * HEIGHT as usize;

/// The index of an entity and one more, or 0 without a holder.
type HolderPage = [u32; CELLS];

/// Some rows of pages of one floor.
pub(super) struct HolderRows<'a> {
    columns: usize,
    first_row: usize,
    pages: &'a mut [Option<Box<HolderPage>>],
}

impl Holders {
    pub(super) fn new(size: Size) -> Self {
        let columns = usize::from(size.width.div_ceil(WIDTH));
        let rows = usize::from(size.height.div_ceil(HEIGHT));
        let mut pages = Vec::new();
        pages.resize_with(columns * rows * usize::from(size.floors), || None);
        Self {
            columns,
            rows,
            pages,
        }
    }

    /// All rows of each floor.
    pub(super) fn floors(&mut self) -> impl Iterator<Item = HolderRows<'_>> {
        let columns = self.columns;
        let floors = self.pages.chunks_exact_mut((columns * self.rows).max(1));
        floors.map(move |pages| HolderRows {
            columns,
            first_row: 0,
            pages,
        })
    }

    /// The holder of a cell of the map.
    pub(super) fn of(&self, cell: Cell) -> Option<u32> {
        let row = usize::from(cell.floor) * self.rows + usize::from(cell.y / HEIGHT);
        let page = self
            .pages
            .get(row * self.columns + usize::from(cell.x / WIDTH))?;
        let spot = usize::from(cell.y % HEIGHT * WIDTH + cell.x % WIDTH);
        page.as_ref()?[spot % CELLS].checked_sub(1)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let taken = self.pages.iter().flatten().count();
        taken * size_of::<HolderPage>()
            + self.pages.capacity() * size_of::<Option<Box<HolderPage>>>()
    }
}

impl HolderRows<'_> {
    /// The rows of cells before one, at which a page begins, and those from it on.
    pub(super) fn cut(self, row: u16) -> (Self, Self) {
        let row = usize::from(row / HEIGHT).max(self.first_row);
        let at = (row - self.first_row) * self.columns;
        let (pages, more) = self.pages.split_at_mut(at.min(self.pages.len()));
        let before = Self { pages, ..self };
        let behind = Self {
            first_row: row,
            pages: more,
            ..self
        };
        (before, behind)
    }

    #[inline]
    fn place(&self, cell: Cell) -> (usize, usize) {
        let row = usize::from(cell.y / HEIGHT).wrapping_sub(self.first_row);
        let page = row
            .wrapping_mul(self.columns)
            .wrapping_add(usize::from(cell.x / WIDTH));
        (page, (cell.y % HEIGHT * WIDTH + cell.x % WIDTH).into())
    }

    /// The holder of a cell of the map; `None` as well if the cell is not in these rows.
    #[inline]
    pub(super) fn of(&self, cell: Cell) -> Option<u32> {
        let (page, spot) = self.place(cell);
        let page = self.pages.get(page)?.as_ref()?;
        page[spot % CELLS].checked_sub(1)
    }

    /// Sets the holder of a cell of the map, if the cell is in these rows.
    #[inline]
    pub(super) fn set(&mut self, cell: Cell, holder: Option<u32>) {
        let (page, spot) = self.place(cell);
        if let Some(page) = self.pages.get_mut(page) {
            let page = page.get_or_insert_with(|| Box::new([0; CELLS]));
            page[spot % CELLS] = holder.map_or(0, |agent| agent + 1);
        }
    }
}
