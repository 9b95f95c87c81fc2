//! Drawings of maps and paths.

mod png;
mod text;

use nav_grid::{Cell, Grid, Path};

/// A map, and perhaps a path on it, to be drawn: as text by its [`Display`](std::fmt::Display),
/// or as a picture by [`Drawing::write_png`].
///
/// Only the ground floor is drawn.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    grid: &'a Grid,
    /// Waypoints in reading order.
    path: Vec<Cell>,
    ends: Option<(Cell, Cell)>,
}

/// What is seen on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Floor,
    Wall,
    Path,
    Start,
    Goal,
}

impl<'a> Drawing<'a> {
    /// A drawing of a map alone.
    pub fn new(grid: &'a Grid) -> Self {
        Self {
            grid,
            path: Vec::new(),
            ends: None,
        }
    }

    /// Adds a path, which may be empty or end short of the goal, and its ends.
    #[must_use]
    pub fn with_path(mut self, start: Cell, goal: Cell, path: &Path) -> Self {
        self.path = path.iter().collect();
        self.path.sort_unstable();
        self.ends = Some((start, goal));
        self
    }

    /// The marks of a row, from the left.
    fn row(&self, y: u16) -> impl Iterator<Item = Mark> + '_ {
        let row_start = self.path.partition_point(|cell| cell.y < y);
        let mut path = self.path[row_start..].iter().peekable();
        (0..self.grid.width()).map(move |x| {
            let cell = Cell::new(x, y);
            // A path that visits a cell twice has it twice.
            let mut on_path = false;
            while path.next_if_eq(&&cell).is_some() {
                on_path = true;
            }
            match self.ends {
                Some((start, _)) if cell == start => Mark::Start,
                Some((_, goal)) if cell == goal => Mark::Goal,
                _ if on_path => Mark::Path,
                _ if self.grid.is_walkable(cell) => Mark::Floor,
                _ => Mark::Wall,
            }
        })
    }
}
