//! A drawing: a map and a path by cells, before it becomes text or a picture.

use nav_grid::{Area, Cell, Grid, Path};
use std::collections::{BTreeMap, BTreeSet};

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
    /// The ends of links, with their marks.
    links: BTreeMap<Cell, Mark>,
    /// Cells that objects cover, on all floors.
    objects: Vec<Area>,
    pub(super) ends: Option<(Cell, Cell)>,
}

/// The mark drawn on a cell. Legends list marks in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Start,
    Goal,
    Path,
    Road,
    /// An end of a link to another floor.
    Stairs,
    /// An end of a link within the floor.
    Link,
    Wall,
    Floor,
    /// Floor of a step cost above 1.
    Cost(u8),
    /// Floor of another terrain class than 0, by its number.
    Class(u8),
}

impl Mark {
    /// Returns the mark of a cell without links, roads and paths.
    pub(super) fn of_ground(grid: &Grid, cell: Cell) -> Self {
        match (grid.cost(cell), grid.class(cell).number()) {
            (0, _) => Self::Wall,
            (1, 0) => Self::Floor,
            (cost, 0) => Self::Cost(cost),
            (_, class) => Self::Class(class),
        }
    }
}

impl<'a> Drawing<'a> {
    /// Creates a drawing of a map alone.
    pub fn new(grid: &'a Grid) -> Self {
        let mut links = BTreeMap::new();
        for link in grid.links() {
            let mark = if link.from.floor == link.to.floor {
                Mark::Link
            } else {
                Mark::Stairs
            };
            for end in [link.from, link.to] {
                // Stairs are what a reader looks for where both end.
                links
                    .entry(end)
                    .and_modify(|known: &mut Mark| *known = mark.min(*known))
                    .or_insert(mark);
            }
        }
        Self {
            grid,
            floor: 0,
            path: Vec::new(),
            roads: Vec::new(),
            links,
            objects: Vec::new(),
            ends: None,
        }
    }

    /// Selects another floor. Waypoints, ends, links and roads on other floors are not drawn.
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

    /// Adds objects, by the cells that they cover. Only the picture has frames around them.
    #[must_use]
    pub fn with_objects(self, areas: impl IntoIterator<Item = Area>) -> Self {
        Self {
            objects: areas.into_iter().collect(),
            ..self
        }
    }

    /// Returns the areas of the objects on this floor.
    pub(super) fn objects(&self) -> impl Iterator<Item = Area> + '_ {
        let areas = self.objects.iter().copied();
        areas.filter(|area| area.first().floor == self.floor)
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
                Some((start, _)) if cell == start => return Mark::Start,
                Some((_, goal)) if cell == goal => return Mark::Goal,
                _ => {}
            }
            // A path shows by the cells before and behind that it takes a link.
            if let Some(link) = self.links.get(&cell) {
                return *link;
            }
            match Mark::of_ground(self.grid, cell) {
                _ if on_path => Mark::Path,
                Mark::Wall => Mark::Wall,
                _ if on_road => Mark::Road,
                ground => ground,
            }
        })
    }

    /// Returns the marks that occur, in the order of legends.
    pub(super) fn marks(&self) -> BTreeSet<Mark> {
        (0..self.grid.height()).flat_map(|y| self.row(y)).collect()
    }
}

/// Returns the cells from `first` on; `cells` are in reading order.
fn from(cells: &[Cell], first: Cell) -> &[Cell] {
    &cells[cells.partition_point(|&cell| cell < first)..]
}
