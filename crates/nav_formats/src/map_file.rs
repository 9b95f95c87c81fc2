//! What a map file holds.

use super::features::Features;
use nav_grid::{Frame, Grid};

/// What a map file holds: the cells, and where they lie in the world if the file says so.
///
/// # Example
///
/// ```
/// use nav_grid::Grid;
/// use nav_formats::{Features, MapFile};
///
/// let map = MapFile::from(Grid::open(8, 8)?);
/// assert_eq!(map.features(), Features::NONE);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The cells.
    pub grid: Grid,
    /// How world coordinates map to cells; `None` where the file does not say.
    pub frame: Option<Frame>,
}

impl MapFile {
    /// What this map has beyond one floor of cells. A format that holds less cannot hold the
    /// map.
    pub fn features(&self) -> Features {
        [
            (self.grid.floors() > 1, Features::FLOORS),
            (self.grid.has_costs(), Features::COSTS),
            (self.grid.has_exits(), Features::EXITS),
            (!self.grid.links().is_empty(), Features::LINKS),
            (self.frame.is_some(), Features::FRAME),
        ]
        .into_iter()
        .filter_map(|(has, feature)| has.then_some(feature))
        .fold(Features::NONE, Features::union)
    }
}

impl From<Grid> for MapFile {
    /// A map that does not say where it lies in the world.
    fn from(grid: Grid) -> Self {
        Self { grid, frame: None }
    }
}
