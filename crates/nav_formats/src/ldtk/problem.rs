//! Problems of `LDtk` projects.

use crate::{error::ParseError, files::MissingFile, warning::Names};
use nav_grid::{Cell, Grid};

/// Problem of an `LDtk` project.
///
/// Strings are text of the file as printed: escaped, and cut short if long.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LdtkProblem {
    /// The file is not JSON, or lacks something that `LDtk` always writes.
    #[error("the JSON cannot be read: {found}")]
    Syntax {
        /// Message of the parser.
        found: String,
    },
    /// The project has no level.
    #[error("the project has no level; expected at least one")]
    NoLevel,
    /// The project has several levels, and none was chosen.
    #[error("the project has the levels {levels}; expected one of them, chosen by its name")]
    SeveralLevels {
        /// Names of the levels.
        levels: Names,
    },
    /// The project has no level of this name.
    #[error("there is no level '{found}'; expected one of {levels}")]
    UnknownLevel {
        /// Name that was asked for.
        found: String,
        /// Names of the levels.
        levels: Names,
    },
    /// The file of a level is missing.
    #[error("level '{level}' is in another file: {file}")]
    MissingLevel {
        /// Name of the level.
        level: String,
        /// Its file.
        file: MissingFile,
    },
    /// A level has neither layers nor a file.
    #[error("level '{level}' has no layers; expected them in it or in a file that it names")]
    NoLayers {
        /// Name of the level.
        level: String,
    },
    /// The file of a level is invalid.
    #[error("the file '{path}': {error}")]
    InFile {
        /// Path in the project.
        path: String,
        /// Problem and its position in that file.
        error: Box<ParseError>,
    },
    /// No layer has a value with a meaning.
    #[error(
        "level '{level}' has no IntGrid layer with a known value; expected values with names \
         such as {expected}"
    )]
    NoMeaning {
        /// Name of the level.
        level: String,
        /// Names with a meaning.
        expected: String,
    },
    /// A side of a layer is 0 or larger than a map may be.
    #[error("layer '{layer}': {side} {found} is out of range; expected 1 to {max}", max = Grid::SIDE_MAX)]
    Side {
        /// Name of the layer.
        layer: String,
        /// `height` or `width`.
        side: &'static str,
        /// Number in the file.
        found: i64,
    },
    /// Layers of the level have cells of different sizes.
    #[error("layer '{layer}' has {found} cells, expected {expected} as in the layers above it")]
    LayerSize {
        /// Name of the layer.
        layer: String,
        /// Columns and rows of the layer.
        found: String,
        /// Columns and rows of the layers above.
        expected: String,
    },
    /// A layer has too few or too many values.
    #[error("layer '{layer}' has {found} values, expected {expected}")]
    ValueCount {
        /// Name of the layer.
        layer: String,
        /// Number of values.
        found: usize,
        /// Columns times rows.
        expected: usize,
    },
    /// A step cost is out of range.
    #[error("value '{value}': cost {found} is out of range; expected 0 to {max}", max = Grid::COST_WORST)]
    Cost {
        /// Name of the value.
        value: String,
        /// Cost of that name.
        found: u64,
    },
    /// A value of a layer of terrain classes or sight is none.
    #[error("layer '{layer}', cell {cell}: value {found}; expected {expected}")]
    Number {
        /// Name of the layer.
        layer: String,
        /// First such cell.
        cell: Cell,
        /// Value, and its name if it has one.
        found: String,
        /// Valid values.
        expected: &'static str,
    },
    /// A value in a layer of terrain classes has a name that means a wall or a step cost elsewhere.
    #[error(
        "layer '{layer}': value '{value}' is only a terrain class there; rename it, or the layer"
    )]
    NameInTerrain {
        /// Name of the layer.
        layer: String,
        /// Name of the value.
        value: String,
    },
    /// A field of a link is missing or invalid.
    #[error("{entity}: field '{field}' is {found}; expected {expected}")]
    Field {
        /// Entity with its place, as `entity 'Link' at 3,4`.
        entity: String,
        /// Name of the field.
        field: &'static str,
        /// Value in the file, or `missing`.
        found: String,
        /// Valid values.
        expected: String,
    },
    /// A level has too many entities, or values of their fields.
    #[error("more than {max} entities and values of their fields; expected fewer in a level")]
    TooManyValues {
        /// Greatest number that is read.
        max: usize,
    },
    /// A link begins or ends outside the map.
    #[error("{entity}: the link's {end} lies outside the map")]
    LinkOutside {
        /// Entity with its place.
        entity: String,
        /// `start` or `end`.
        end: &'static str,
    },
    /// The file is valid, but the grid refuses its map.
    #[error("{found}")]
    Refused {
        /// Message of the grid.
        found: String,
    },
}
