//! The cells of a window with their costs, in pages that are added as a search touches them.

use crate::{
    cell::{Cell, Direction},
    rules::{Cost, Metric},
    window::SearchWindow,
};

/// The toll of a [`CostField`](super::CostField) for a cell on which a body may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passage {
    /// No body is there.
    Free,
    /// A body that will go on or make room. Costs this number of straight steps more, at most 32.
    Toll(u8),
    /// A body that moves aside only to a goal or to another cell of this kind, at this toll.
    AmongGoals(u8),
    /// A body that stays.
    Blocked,
}

/// The greatest toll that counts, in straight steps: a longer way around is worse than
/// waiting for the body. Tolls widen the ring of the bucket queue, so they need some limit.
pub(super) const TOLL_MAX: u8 = 32;

/// The caller has not been asked about the cell yet.
const UNASKED: u8 = u8::MAX;

/// The way of a cell that no step leads on from.
const LINK: u8 = 8;

/// No way leads past the cell.
const BLOCKED: u8 = u8::MAX - 1;

/// A field's data about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CostNode {
    /// From here to the nearest goal, the toll of this cell not included.
    pub(super) cost: Cost,
    /// The number of the first step onto a cheapest way, in the order of ties, or [`LINK`]. Kept,
    /// since bodies may forbid steps that the costs would suggest.
    way: u8,
    /// In straight steps, or one of the two marks above.
    toll: u8,
    /// Whether the cell is a goal, or a body stands here that moves aside to goals only.
    pub(super) among_goals: bool,
}

impl CostNode {
    pub(super) const UNKNOWN: Self = Self {
        cost: Cost::MAX,
        way: LINK,
        toll: UNASKED,
        among_goals: false,
    };

    /// Takes a way by a step, or by a link without one, if none is cheaper or as good and comes
    /// first. Returns whether it is cheaper.
    #[inline]
    pub(super) fn improve(&mut self, cost: Cost, step: Option<Direction>) -> bool {
        // North, east, south, west, and then the diagonals; directions are numbered clockwise.
        let way = step.map_or(LINK, |step| step as u8 / 2 + step as u8 % 2 * 4);
        let is_cheaper = cost < self.cost;
        if is_cheaper || cost == self.cost && way < self.way {
            (self.cost, self.way) = (cost, way);
        }
        is_cheaper
    }

    /// The first step onto a cheapest way.
    #[inline]
    pub(super) fn step(&self) -> Option<Direction> {
        let number = usize::from(self.way % 4 * 2 + self.way / 4);
        (self.way < LINK).then(|| Direction::ALL[number])
    }

    /// Whether a way leads from here to a goal.
    pub(super) fn is_known(&self) -> bool {
        self.cost != Cost::MAX
    }

    pub(super) fn is_asked(&self) -> bool {
        self.toll != UNASKED
    }

    /// Notes the caller's answer.
    pub(super) fn set_passage(&mut self, passage: Passage) {
        (self.toll, self.among_goals) = match passage {
            Passage::Free => (0, false),
            Passage::Toll(toll) => (toll.min(TOLL_MAX), false),
            Passage::AmongGoals(toll) => (toll.min(TOLL_MAX), true),
            Passage::Blocked => (BLOCKED, false),
        };
    }

    /// The cost to the nearest goal with the toll; `None` if no way leads past the cell.
    #[inline]
    pub(super) fn cost_past(&self, metric: Metric) -> Option<Cost> {
        let toll = metric.straight() * Cost::from(self.toll);
        (self.toll != BLOCKED).then(|| self.cost + toll)
    }
}

/// Columns and rows of a page: a window of radius 20 touches four pages of such a size, of 1,024
/// cells each.
const SIDE: u16 = 32;
const CELLS: usize = (SIDE * SIDE) as usize;

/// A page that no cell was touched of.
const NONE: u32 = u32::MAX;

/// A node for each cell of a window, in pages of 32×32 cells.
///
/// A window may be as large as the map, of which a search with other limits touches little. To
/// begin takes four bytes a page; a page is filled when its first cell is touched.
#[derive(Clone, Debug, Default)]
pub(super) struct CostNodes {
    /// The first cell of the window.
    first: Cell,
    /// Columns, rows and floors of the window; nothing without one.
    width: u16,
    height: u16,
    floors: u8,
    /// Pages side by side, and in a floor.
    columns: usize,
    pages: usize,
    /// By page, in reading order: the index of its first node, or [`NONE`].
    directory: Vec<u32>,
    nodes: Vec<CostNode>,
}

impl CostNodes {
    /// Forgets all costs, and takes a new window.
    pub(super) fn start(&mut self, window: &SearchWindow) {
        self.clear();
        let (columns, rows) = (window.columns(), window.rows());
        self.first = window.at(Cell::new(0, 0));
        (self.width, self.height) = (columns as u16, rows as u16);
        self.floors = window.floors() as u8;
        self.columns = columns.div_ceil(SIDE.into()) as usize;
        self.pages = self.columns * rows.div_ceil(SIDE.into()) as usize;
        let pages = self.pages * window.floors() as usize;
        self.directory.resize(pages, NONE);
    }

    /// Forgets all costs and the window.
    pub(super) fn clear(&mut self) {
        self.floors = 0;
        self.directory.clear();
        self.nodes.clear();
    }

    /// The page of a cell in the directory, and the cell's number in the page. Pages count from the
    /// first cell of the window, so that it has as few as possible.
    #[inline]
    fn spot(&self, cell: Cell) -> Option<(usize, usize)> {
        // Cells before the window wrap around to great numbers.
        let x = cell.x.wrapping_sub(self.first.x);
        let y = cell.y.wrapping_sub(self.first.y);
        let floor = cell.floor.wrapping_sub(self.first.floor);
        let row = usize::from(floor) * self.pages + usize::from(y / SIDE) * self.columns;
        let slot = row + usize::from(x / SIDE);
        let number = usize::from(y % SIDE * SIDE + x % SIDE);
        let is_inside = x < self.width && y < self.height && floor < self.floors;
        is_inside.then_some((slot, number))
    }

    /// The node of a cell, if it is in the window.
    #[inline]
    pub(super) fn get(&self, cell: Cell) -> Option<CostNode> {
        let (page, number) = self.spot(cell)?;
        let node = self.nodes.get(self.directory[page] as usize + number);
        Some(node.copied().unwrap_or(CostNode::UNKNOWN))
    }

    /// The index of a cell of the window.
    #[inline]
    pub(super) fn index(&mut self, cell: Cell) -> usize {
        let (page, number) = self.spot(cell).unwrap_or_default();
        if self.directory[page] == NONE {
            self.add_page(page);
        }
        self.directory[page] as usize + number
    }

    /// Whether all neighbours of the cell with an index are on its page, as those of most cells
    /// are.
    #[inline]
    pub(super) fn is_inside_page(index: usize) -> bool {
        let inner = 1..usize::from(SIDE) - 1;
        let (x, y) = (
            index % CELLS % usize::from(SIDE),
            index % CELLS / usize::from(SIDE),
        );
        inner.contains(&x) && inner.contains(&y)
    }

    /// The index of a neighbour on the same page.
    #[inline]
    pub(super) fn index_beside(index: usize, direction: Direction) -> usize {
        let (dx, dy) = direction.delta();
        index.wrapping_add_signed((dy * i32::from(SIDE) + dx) as isize)
    }

    /// The node with an index.
    #[inline]
    pub(super) fn at(&mut self, index: usize) -> &mut CostNode {
        &mut self.nodes[index]
    }

    #[cold]
    fn add_page(&mut self, page: usize) {
        let first = self.nodes.len();
        self.directory[page] = first as u32;
        self.nodes.resize(first + CELLS, CostNode::UNKNOWN);
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.directory.capacity() * size_of::<u32>() + self.nodes.capacity() * size_of::<CostNode>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Grid, Link, Size};

    fn set(nodes: &mut CostNodes, cell: Cell, cost: Cost) {
        let index = nodes.index(cell);
        nodes.at(index).cost = cost;
    }

    #[test]
    fn touched_pages() {
        let size = Size::new(100, 40).with_floors(2);
        let mut grid = Grid::build(size, |_| true).unwrap();
        // With a link the window has both floors.
        let (first, last) = (Cell::new(0, 0), Cell::new(99, 39).on_floor(1));
        grid.set_link(Link::new(first, last)).unwrap();
        let mut nodes = CostNodes::default();
        assert_eq!(nodes.get(first), None);
        let window = SearchWindow::around(first, u16::MAX, &grid);
        nodes.start(&window);
        set(&mut nodes, last, 7);
        set(&mut nodes, first, 4);
        assert_eq!(nodes.get(last).map(|node| node.cost), Some(7));
        assert_eq!(
            nodes.get(Cell::new(98, 39).on_floor(1)),
            Some(CostNode::UNKNOWN)
        );
        assert_eq!(nodes.get(Cell::new(40, 1)), Some(CostNode::UNKNOWN));
        assert_eq!(nodes.get(Cell::new(100, 0)), None);
        let bytes = nodes.heap_bytes();

        // Two other pages take no more memory.
        nodes.start(&window);
        assert_eq!(nodes.get(first), Some(CostNode::UNKNOWN));
        set(&mut nodes, Cell::new(40, 1), 1);
        set(&mut nodes, Cell::new(80, 1), 1);
        assert_eq!(nodes.heap_bytes(), bytes);
    }
}
