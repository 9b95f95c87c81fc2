//! Contents of a map file.

use super::{
    cell_layer::CellLayer,
    features::Features,
    object::MapObject,
    property::{PropertyError, PropertyValue},
    warning::Warning,
};
use nav_grid::{Cell, Frame, Grid, map::FloorHeights};

/// Contents of a map file: the cells, and optionally their frame in the world, the main roads, and
/// objects of the game.
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
    /// Objects of the game, in the order of the file: of Tiled from the lowest layer up, of `LDtk`
    /// from the uppermost down. Links are none. Empty by default.
    pub objects: Vec<MapObject>,
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

    /// Replaces the objects.
    #[must_use]
    pub fn with_objects(self, objects: impl IntoIterator<Item = MapObject>) -> Self {
        Self {
            objects: objects.into_iter().collect(),
            ..self
        }
    }

    /// Returns the objects of a class, whatever the case of ASCII letters, in the order of the
    /// file.
    pub fn objects_of<'m>(&'m self, class: &str) -> impl Iterator<Item = &'m MapObject> {
        self.objects
            .iter()
            .filter(move |object| object.is_of(class))
    }

    /// Returns the object with this [id](MapObject::id), if there is one. O(objects).
    pub fn object(&self, id: &str) -> Option<&MapObject> {
        self.objects.iter().find(|object| object.id == id)
    }

    /// Returns the object that a property of another one refers to. O(objects).
    ///
    /// # Errors
    ///
    /// The object lacks the property, it is no reference, or it leads to an object that is not in
    /// [`objects`](Self::objects): to a link, or to an object in a warning.
    pub fn referred(
        &self,
        object: &MapObject,
        property: &str,
    ) -> Result<&MapObject, PropertyError> {
        let found = object.property(property);
        let referred = match found {
            Some(PropertyValue::Object(id)) => self.object(id),
            _ => None,
        };
        referred.ok_or_else(|| {
            let expected = "a reference to an object of the map that is no link";
            object.wrong(property, found, expected.to_owned())
        })
    }

    /// Returns the features of this map. A format has to hold all of them to hold the map.
    pub fn features(&self) -> Features {
        let heights = self.frame.as_ref().map(Frame::heights);
        let has_heights = heights.is_some_and(|heights| *heights != FloorHeights::Origin);
        let mut values = (self.objects.iter()).flat_map(|object| object.properties.values());
        let has_lists =
            values.any(|it| matches!(it, PropertyValue::Cell(_) | PropertyValue::List(_)));
        let layers = CellLayer::ALL.map(|layer| (layer.is_in(&self.grid), layer.feature()));
        [
            (self.grid.floors() > 1, Features::FLOORS),
            (self.grid.has_costs(), Features::COSTS),
            (!self.grid.links().is_empty(), Features::LINKS),
            (self.frame.is_some(), Features::FRAME),
            (!self.roads.is_empty(), Features::ROADS),
            (has_heights, Features::HEIGHTS),
            (!self.objects.is_empty(), Features::OBJECTS),
            (has_lists, Features::LISTS),
        ]
        .into_iter()
        .chain(layers)
        .filter_map(|(has, feature)| has.then_some(feature))
        .fold(Features::NONE, Features::union)
    }
}

impl From<Grid> for MapFile {
    /// Creates a map without a frame, main roads and objects.
    fn from(grid: Grid) -> Self {
        Self {
            grid,
            frame: None,
            roads: Vec::new(),
            objects: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
