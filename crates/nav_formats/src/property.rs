//! Values of the properties of objects, and their types in a game.

use super::quote::quoted;
use nav_grid::Cell;
use std::fmt;

/// Value of a property of an object.
///
/// Prints as in messages: text in quotes, escaped and cut short. A field that was left empty, and a
/// reference to no object, are no properties.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PropertyValue {
    /// Text, path of a file, or value of an enum.
    Text(String),
    /// Whole number.
    Integer(i64),
    /// Finite number.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// Colour as the editor writes it: `#aarrggbb` in Tiled, `#rrggbb` in `LDtk`.
    Colour(String),
    /// [Id](crate::MapObject::id) of another object: see
    /// [`MapFile::referred`](crate::MapFile::referred).
    Object(String),
    /// Point of `LDtk`, inside the map.
    Cell(Cell),
    /// List of `LDtk`, of values that are no lists.
    List(Vec<PropertyValue>),
}

impl fmt::Display for PropertyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "'{}'", quoted(text)),
            Self::Integer(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Bool(flag) => flag.fmt(f),
            Self::Colour(colour) => write!(f, "the colour '{}'", quoted(colour)),
            Self::Object(id) => write!(f, "object {}", quoted(id)),
            Self::Cell(cell) => write!(f, "the cell {cell}"),
            Self::List(list) => write!(f, "a list of {}", list.len()),
        }
    }
}

/// Error about a property that an object lacks, or that holds something else than expected. Prints
/// as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{object}: property '{property}' is {found}; expected {expected}")]
#[non_exhaustive]
pub struct PropertyError {
    /// Object, with its place: see [`MapObject::describe`](crate::MapObject::describe).
    pub object: String,
    /// Name of the property as printed: escaped, and cut short if long.
    pub property: String,
    /// Value as printed, or `missing`.
    pub found: String,
    /// The kind of value that would be right.
    pub expected: String,
}

/// Type of a game that a property can be read as, by [`MapObject::get`](crate::MapObject::get).
///
/// | type | from |
/// |---|---|
/// | `bool` | yes or no |
/// | `i8` to `i64`, `u8` to `u64`, `usize` | a whole number in its range |
/// | `f32`, `f64` | a number, whole or not |
/// | `&str` | text or a colour |
/// | [`Cell`] | a point of `LDtk` |
/// | `Vec<T>` | a list of `LDtk`, all of it as `T` |
pub trait FromProperty<'a>: Sized {
    /// Returns what is expected, for messages.
    fn expected() -> String;

    /// Returns the value, if it is of this type.
    fn from_property(value: &'a PropertyValue) -> Option<Self>;
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl FromProperty<'_> for $number {
            fn expected() -> String {
                format!("a whole number from {} to {}", <$number>::MIN, <$number>::MAX)
            }

            fn from_property(value: &PropertyValue) -> Option<Self> {
                match *value {
                    PropertyValue::Integer(number) => number.try_into().ok(),
                    _ => None,
                }
            }
        }
    )*};
}

whole_numbers!(i8, i16, i32, i64, u8, u16, u32, u64, usize);

impl FromProperty<'_> for f64 {
    fn expected() -> String {
        "a number".to_owned()
    }

    fn from_property(value: &PropertyValue) -> Option<Self> {
        match *value {
            PropertyValue::Number(number) => Some(number),
            // Editors write 2.0 as 2. Beyond 2^53 the nearest number is taken.
            PropertyValue::Integer(number) => Some(number as f64),
            _ => None,
        }
    }
}

impl FromProperty<'_> for f32 {
    fn expected() -> String {
        f64::expected()
    }

    fn from_property(value: &PropertyValue) -> Option<Self> {
        // A number beyond the range would become infinite.
        let number = f64::from_property(value)? as Self;
        number.is_finite().then_some(number)
    }
}

impl FromProperty<'_> for bool {
    fn expected() -> String {
        "true or false".to_owned()
    }

    fn from_property(value: &PropertyValue) -> Option<Self> {
        match *value {
            PropertyValue::Bool(flag) => Some(flag),
            _ => None,
        }
    }
}

impl<'a> FromProperty<'a> for &'a str {
    fn expected() -> String {
        "text".to_owned()
    }

    fn from_property(value: &'a PropertyValue) -> Option<Self> {
        match value {
            PropertyValue::Text(text) | PropertyValue::Colour(text) => Some(text),
            _ => None,
        }
    }
}

impl FromProperty<'_> for Cell {
    fn expected() -> String {
        "a point".to_owned()
    }

    fn from_property(value: &PropertyValue) -> Option<Self> {
        match *value {
            PropertyValue::Cell(cell) => Some(cell),
            _ => None,
        }
    }
}

impl<'a, T: FromProperty<'a>> FromProperty<'a> for Vec<T> {
    fn expected() -> String {
        format!("a list, each of it {}", T::expected())
    }

    fn from_property(value: &'a PropertyValue) -> Option<Self> {
        match value {
            PropertyValue::List(list) => list.iter().map(T::from_property).collect(),
            _ => None,
        }
    }
}
