//! Objects of a map: what an editor placed for the game.

use super::{
    property::{FromProperty, PropertyError, PropertyValue},
    quote::quoted,
};
use nav_grid::{Area, Cell};
use std::{collections::BTreeMap, sync::Arc};

/// Object that a map editor placed for the game: a door, a spawn, a lair.
///
/// Objects of Tiled and entities of `LDtk`, except for links.
///
/// # Example
///
/// ```
/// use nav_formats::{MapObject, PropertyValue};
/// use nav_grid::Cell;
///
/// let lair = MapObject::new("7", "Lair", Cell::new(3, 4))
///     .with_property("wolves", PropertyValue::Integer(5))
///     .with_property("boss", PropertyValue::Text("grey".to_owned()));
/// let wolves: u8 = lair.get("wolves")?;
/// let radius: u16 = lair.get_or("radius", 6)?;
/// assert_eq!((wolves, radius), (5, 6));
///
/// let wrong = lair.get::<u8>("boss").unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "object 7 of class 'Lair' at 3,4: property 'boss' is 'grey'; \
///      expected a whole number from 0 to 255"
/// );
/// # Ok::<(), nav_formats::PropertyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapObject {
    /// Identifier in its file: the number of Tiled, the `iid` of `LDtk`.
    pub id: String,
    /// Class of Tiled, which is called type in some versions, or identifier of `LDtk`. Empty if the
    /// object has none.
    pub class: String,
    /// Name of Tiled. Empty if the object has none, as in `LDtk`.
    pub name: String,
    /// Name of its layer.
    pub layer: Arc<str>,
    /// Place: the cell that a link from this object would begin at. Inside the map.
    pub cell: Cell,
    /// Cells that it covers, of which [`cell`](Self::cell) is one. Inside the map.
    pub area: Area,
    /// Custom properties, or fields, by name.
    pub properties: BTreeMap<String, PropertyValue>,
}

impl MapObject {
    /// Creates an object of one cell without a name, a layer and properties.
    pub fn new(id: impl Into<String>, class: impl Into<String>, cell: Cell) -> Self {
        Self {
            id: id.into(),
            class: class.into(),
            name: String::new(),
            layer: Arc::from(""),
            cell,
            area: cell.into(),
            properties: BTreeMap::new(),
        }
    }

    /// Sets a property.
    #[must_use]
    pub fn with_property(mut self, name: impl Into<String>, value: PropertyValue) -> Self {
        self.properties.insert(name.into(), value);
        self
    }

    /// Returns whether the object is of a class, whatever the case of ASCII letters.
    pub fn is_of(&self, class: &str) -> bool {
        self.class.eq_ignore_ascii_case(class)
    }

    /// Returns a property by its exact name, if the object has it.
    pub fn property(&self, name: &str) -> Option<&PropertyValue> {
        self.properties.get(name)
    }

    /// Returns a property as a type of the game, such as `u16`, `f64`, `bool`, `&str` or `Cell`.
    ///
    /// # Errors
    ///
    /// The object lacks the property, or it holds something else. The sentence names the object,
    /// the property, what it holds and what would be right.
    pub fn get<'a, T: FromProperty<'a>>(&'a self, name: &str) -> Result<T, PropertyError> {
        let found = self.property(name);
        found
            .and_then(T::from_property)
            .ok_or_else(|| self.wrong(name, found, T::expected()))
    }

    /// Returns a property as [`get`](Self::get) does, or a default if the object lacks it.
    ///
    /// # Errors
    ///
    /// The property holds something else.
    pub fn get_or<'a, T: FromProperty<'a>>(
        &'a self,
        name: &str,
        default: T,
    ) -> Result<T, PropertyError> {
        match self.property(name) {
            Some(_) => self.get(name),
            None => Ok(default),
        }
    }

    /// Returns whether a property is a number that no file holds.
    pub(crate) fn has_infinite_number(&self) -> bool {
        let mut values = self.properties.values();
        values.any(|value| matches!(value, PropertyValue::Number(number) if !number.is_finite()))
    }

    /// Returns the error about a property that does not hold what is expected.
    pub(crate) fn wrong(
        &self,
        name: &str,
        found: Option<&PropertyValue>,
        expected: String,
    ) -> PropertyError {
        PropertyError {
            object: self.describe(),
            property: quoted(name),
            found: found.map_or_else(|| "missing".to_owned(), ToString::to_string),
            expected,
        }
    }

    /// Returns the object with its place, for messages: `object 7 'gate' of class 'Door' at 3,4 in
    /// layer 'things'`. Text of the file is escaped and cut short.
    pub fn describe(&self) -> String {
        let (id, cell) = (quoted(&self.id), self.cell);
        let parts = [
            (" ", &*self.name),
            (" of class ", &self.class),
            (" in layer ", &self.layer),
        ];
        let [name, class, layer] = parts.map(|(before, text)| match text {
            "" => String::new(),
            text => format!("{before}'{}'", quoted(text)),
        });
        format!("object {id}{name}{class} at {cell}{layer}")
    }
}

/// Returns the cells of a map around a cell of it, with these numbers of columns and rows before
/// and behind it, and whether the map ends within them.
pub(crate) fn covered(
    cell: Cell,
    before: [u16; 2],
    behind: [u16; 2],
    size: nav_grid::Size,
) -> (Area, bool) {
    let first = Cell {
        x: cell.x.saturating_sub(before[0]),
        y: cell.y.saturating_sub(before[1]),
        ..cell
    };
    let last = Cell {
        x: cell.x.saturating_add(behind[0]),
        y: cell.y.saturating_add(behind[1]),
        ..cell
    };
    let area = Area::new(first, last);
    let is_whole = before[0] <= cell.x && before[1] <= cell.y && size.contains(area.last());
    (area.clipped(size), !is_whole)
}
