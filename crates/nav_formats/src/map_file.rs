//! What a map file holds.

use super::features::Features;
use nav_grid::{Cell, Frame, Grid, map::FloorHeights};

/// What a map file holds: the cells and, where the file says so, where they lie in the world and
/// which of them are main roads.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid};
/// use nav_formats::{Features, MapFile};
///
/// let map = MapFile::from(Grid::open(8, 8)?);
/// assert_eq!(map.features(), Features::NONE);
/// let map = map.with_roads((0..8).map(|x| Cell::new(x, 4)));
/// assert_eq!(map.features(), Features::ROADS);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapFile {
    /// The cells.
    pub grid: Grid,
    /// How world coordinates map to cells; `None` where the file does not say.
    pub frame: Option<Frame>,
    /// The cells of the main roads, in reading order and each once, for
    /// [`IndexedMap::insert_roads`](nav_grid::IndexedMap::insert_roads); none by default.
    pub roads: Vec<Cell>,
}

impl MapFile {
    /// With a place in the world.
    #[must_use]
    pub fn with_frame(self, frame: Frame) -> Self {
        Self {
            frame: Some(frame),
            ..self
        }
    }

    /// With these main roads, in any order, in place of those there were.
    #[must_use]
    pub fn with_roads(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.roads = cells.into_iter().collect();
        self.roads.sort_unstable();
        self.roads.dedup();
        self
    }

    /// What this map has beyond one floor of cells. A format that holds less cannot hold the
    /// map.
    pub fn features(&self) -> Features {
        let heights = self.frame.as_ref().map(Frame::heights);
        let has_heights = heights.is_some_and(|heights| *heights != FloorHeights::Origin);
        [
            (self.grid.floors() > 1, Features::FLOORS),
            (self.grid.has_costs(), Features::COSTS),
            (self.grid.has_exits(), Features::EXITS),
            (!self.grid.links().is_empty(), Features::LINKS),
            (self.frame.is_some(), Features::FRAME),
            (!self.roads.is_empty(), Features::ROADS),
            (has_heights, Features::HEIGHTS),
        ]
        .into_iter()
        .filter_map(|(has, feature)| has.then_some(feature))
        .fold(Features::NONE, Features::union)
    }
}

impl From<Grid> for MapFile {
    /// A map that says neither where it lies in the world nor where its main roads run.
    fn from(grid: Grid) -> Self {
        Self {
            grid,
            frame: None,
            roads: Vec::new(),
        }
    }
}
