//! A drawing: a map and a path by cells, before it becomes text or a picture.

use nav_grid::{Cell, Grid, Path};

/// A map to be drawn, with an optional path: as text by [`Display`](std::fmt::Display), or as a
/// picture by [`Drawing::write_png`].
///
/// One floor is drawn, by default the ground floor; see [`Drawing::of_floor`].
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    pub(super) grid: &'a Grid,
    pub(super) floor: u8,
    /// Waypoints in reading order.
    path: Vec<Cell>,
    /// Cells of main roads in reading order.
    roads: Vec<Cell>,
    pub(super) ends: Option<(Cell, Cell)>,
}

/// The mark drawn on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Floor,
    /// Floor of another terrain class than 0, by its number.
    Class(u8),
    Wall,
    Road,
    Path,
    Start,
    Goal,
}

impl<'a> Drawing<'a> {
    /// Creates a drawing of a map alone.
    pub fn new(grid: &'a Grid) -> Self {
        Self {
            grid,
            floor: 0,
            path: Vec::new(),
            roads: Vec::new(),
            ends: None,
        }
    }

    /// Selects another floor. Waypoints, ends and roads on other floors are not drawn.
    #[must_use]
    pub fn of_floor(self, floor: u8) -> Self {
        Self { floor, ..self }
    }

    /// Adds a path and its ends. The path may be empty or end short of the goal.
    #[must_use]
    pub fn with_path(mut self, start: Cell, goal: Cell, path: &Path) -> Self {
        self.path = path.iter().collect();
        self.path.sort_unstable();
        self.ends = Some((start, goal));
        self
    }

    /// Adds main roads, given in any order.
    #[must_use]
    pub fn with_roads(mut self, mut cells: Vec<Cell>) -> Self {
        cells.sort_unstable();
        cells.dedup();
        self.roads = cells;
        self
    }

    /// Returns the marks of a row, from the left.
    pub(super) fn row(&self, y: u16) -> impl Iterator<Item = Mark> + '_ {
        let first = Cell::new(0, y).on_floor(self.floor);
        let mut path = from(&self.path, first).iter().peekable();
        let mut roads = from(&self.roads, first).iter().peekable();
        (0..self.grid.width()).map(move |x| {
            let cell = Cell { x, ..first };
            // A path that visits a cell twice contains it twice.
            let mut on_path = false;
            while path.next_if_eq(&&cell).is_some() {
                on_path = true;
            }
            let on_road = roads.next_if_eq(&&cell).is_some();
            match self.ends {
                Some((start, _)) if cell == start => Mark::Start,
                Some((_, goal)) if cell == goal => Mark::Goal,
                _ if on_path => Mark::Path,
                _ if on_road && self.grid.is_walkable(cell) => Mark::Road,
                _ if self.grid.is_walkable(cell) => match self.grid.class(cell).number() {
                    0 => Mark::Floor,
                    class => Mark::Class(class),
                },
                _ => Mark::Wall,
            }
        })
    }
}

/// Returns the cells from `first` on; `cells` are in reading order.
fn from(cells: &[Cell], first: Cell) -> &[Cell] {
    &cells[cells.partition_point(|&cell| cell < first)..]
}
