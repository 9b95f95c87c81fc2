//! Contents of a map file.

use super::{cell_layer::CellLayer, features::Features, warning::Warning};
use nav_grid::{Cell, Frame, Grid, map::FloorHeights};

/// Contents of a map file: the cells, and optionally their frame in the world and the main roads.
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
    /// Cells.
    pub grid: Grid,
    /// Mapping of world coordinates to cells; `None` if the file has none.
    pub frame: Option<Frame>,
    /// Cells of the main roads for
    /// [`IndexedMap::insert_roads`](nav_grid::IndexedMap::insert_roads), each once, in reading
    /// order. Empty by default.
    pub roads: Vec<Cell>,
    /// Parts of the file that its reader left out. Empty by default; no writer looks at them.
    pub warnings: Vec<Warning>,
}

impl MapFile {
    /// Sets the frame.
    #[must_use]
    pub fn with_frame(self, frame: Frame) -> Self {
        Self {
            frame: Some(frame),
            ..self
        }
    }

    /// Replaces the main roads. The cells may come in any order.
    #[must_use]
    pub fn with_roads(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.roads = cells.into_iter().collect();
        self.roads.sort_unstable();
        self.roads.dedup();
        self
    }

    /// Returns the features of this map. A format has to hold all of them to hold the map.
    pub fn features(&self) -> Features {
        let heights = self.frame.as_ref().map(Frame::heights);
        let has_heights = heights.is_some_and(|heights| *heights != FloorHeights::Origin);
        let layers = CellLayer::ALL.map(|layer| (layer.is_in(&self.grid), layer.feature()));
        [
            (self.grid.floors() > 1, Features::FLOORS),
            (self.grid.has_costs(), Features::COSTS),
            (!self.grid.links().is_empty(), Features::LINKS),
            (self.frame.is_some(), Features::FRAME),
            (!self.roads.is_empty(), Features::ROADS),
            (has_heights, Features::HEIGHTS),
        ]
        .into_iter()
        .chain(layers)
        .filter_map(|(has, feature)| has.then_some(feature))
        .fold(Features::NONE, Features::union)
    }
}

impl From<Grid> for MapFile {
    /// Creates a map without a frame and main roads.
    fn from(grid: Grid) -> Self {
        Self {
            grid,
            frame: None,
            roads: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
