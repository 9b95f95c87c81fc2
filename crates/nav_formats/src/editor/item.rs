//! Things that an editor placed on a map: objects of Tiled, entities of `LDtk`.

use super::json::Value;
use crate::{error::Problem, files::MissingFile, quote::quoted};
use nav_grid::{Cell, Size};
use std::sync::Arc;

/// Words and customs of an editor.
pub(crate) struct Editor {
    /// `property` or `field`.
    pub(crate) property: &'static str,
    /// Types of properties that are read.
    pub(crate) types: &'static str,
    /// Whether names of properties count in any case of ASCII letters.
    pub(crate) any_case: bool,
    /// Ends to which a link may lead.
    pub(crate) end: &'static str,
    /// Whether a link may lead to columns, rows and floors, by `to_x`, `to_y` and `to_floor`.
    pub(crate) has_numbered_ends: bool,
    /// Whether messages about an item name its class apart from its label.
    pub(crate) has_classes: bool,
}

impl Editor {
    /// Returns whether a property of the editor has a name.
    pub(crate) fn is_called(&self, property: &str, name: &str) -> bool {
        property == name || self.any_case && property.eq_ignore_ascii_case(name)
    }
}

/// Thing on a map.
pub(crate) struct Item {
    /// Offset in the file, if known.
    pub(crate) offset: Option<usize>,
    /// Words for messages: `object 7`, `entity 'Door' at 3,4`.
    pub(crate) label: String,
    pub(crate) id: String,
    pub(crate) class: String,
    pub(crate) name: String,
    /// Name of its layer.
    pub(crate) layer: Arc<str>,
    /// Whether its shape has a cell. What has none may still be the end of a link.
    pub(crate) has_cell: bool,
    pub(crate) place: Result<Place, NoPlace>,
    /// Whether the editor shows it elsewhere, by an offset of its layer.
    pub(crate) is_shifted: bool,
    pub(crate) properties: Vec<(String, Value)>,
}

/// Place of an item, which may be outside the map.
pub(crate) struct Place {
    /// Column, row and floor.
    pub(crate) cell: [i64; 3],
    /// Columns and rows that it covers before its cell.
    pub(crate) before: [u16; 2],
    /// Columns and rows behind its cell.
    pub(crate) behind: [u16; 2],
}

/// Reason why the place of an item is not known.
#[derive(Clone, Debug)]
pub(crate) enum NoPlace {
    /// The item is rotated, in degrees.
    Rotated(f64),
    /// The file of its template is missing.
    Template(MissingFile),
    /// The file of its tileset is missing.
    Tileset(MissingFile),
    /// The alignment of its tileset, by name, is unknown.
    Alignment(String, String),
}

impl NoPlace {
    /// Returns the reason for a warning.
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::Rotated(_) => "they are rotated, and only upright ones have a cell",
            Self::Template(_) => "the file of their template is missing",
            Self::Tileset(_) => "the file of their tileset is missing",
            Self::Alignment(..) => "the objectalignment of their tileset is unknown",
        }
    }

    /// Returns the reason for an error about a link.
    pub(crate) fn problem(&self, label: &str) -> Problem {
        match self {
            Self::Rotated(degrees) => Problem::Value(format!(
                "{label} is rotated by {} degrees; expected 0 at an end of a link",
                quoted(degrees)
            )),
            Self::Template(file) => {
                Problem::missing(format_args!("{label} needs its template"), file)
            }
            Self::Tileset(file) => {
                Problem::missing(format_args!("{label} needs its tileset"), file)
            }
            Self::Alignment(tileset, found) => Problem::Unsupported(format!(
                "tileset '{}': objectalignment '{}'; expected one that Tiled writes, such as \
                 'bottomleft'",
                quoted(tileset),
                quoted(found)
            )),
        }
    }
}

impl Item {
    /// Returns a property by its name. One that was left empty is none.
    pub(crate) fn property(&self, editor: &Editor, name: &str) -> Option<&Value> {
        let mut properties = self.properties.iter();
        let (_, value) = properties.find(|(it, _)| editor.is_called(it, name))?;
        (*value != Value::Null).then_some(value)
    }

    /// Returns the item with its name and its layer, for warnings.
    pub(crate) fn describe(&self, editor: &Editor) -> String {
        let name = match (self.name.as_str(), self.class.as_str()) {
            ("", class) if editor.has_classes && !class.is_empty() => {
                format!(" of class '{}'", quoted(class))
            }
            ("", _) => String::new(),
            (name, _) => format!(" '{}'", quoted(name)),
        };
        format!("{}{name} in layer '{}'", self.label, quoted(&self.layer))
    }
}

/// Returns a cell of a map by its column, row and floor.
pub(crate) fn cell_of([x, y, floor]: [i64; 3], size: Size) -> Option<Cell> {
    let floor = u8::try_from(floor).ok()?;
    let cell = Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?).on_floor(floor);
    size.contains(cell).then_some(cell)
}
