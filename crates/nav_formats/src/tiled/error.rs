//! Errors of reading a Tiled map.

use crate::{error::Position, files::MissingFile};
use nav_grid::{Cell, Grid};
use std::fmt;

/// Returns the line and column of the byte at `offset`.
pub(crate) fn place(bytes: &[u8], offset: usize) -> Position {
    let before = &bytes[..offset.min(bytes.len())];
    let line_start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    Position::Line {
        line: before.split(|&byte| byte == b'\n').count(),
        column: Some(before.len() - line_start + 1),
    }
}

/// Error of reading a Tiled map: a problem and its position.
///
/// Prints as one sentence, such as `line 5, column 2: layer 'walls' has 12 tiles, expected 16`.
/// Text of the file appears in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TiledError {
    /// Position, if known.
    ///
    /// In JSON only syntax errors have a position; other sentences name a layer, cell or object
    /// instead.
    pub position: Option<Position>,
    /// Problem at that position.
    pub problem: TiledProblem,
}

impl fmt::Display for TiledError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        write!(f, "{}", self.problem)
    }
}

// No source: the problem is part of this error's own sentence and would be printed twice.
impl std::error::Error for TiledError {}

/// Problem of a Tiled map.
///
/// `layer`, `found` and other strings are text of the file as printed: escaped, and cut short if
/// long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TiledProblem {
    /// The file is not XML or JSON, or lacks something that Tiled always writes.
    #[error("the {language} cannot be read: {found}")]
    Syntax {
        /// `XML` or `JSON`.
        language: &'static str,
        /// Message of the parser.
        found: String,
    },
    /// The XML has a document type, which may define entities.
    #[error("document type declaration; expected none, as Tiled writes none")]
    DocumentType,
    /// Elements are nested too deep.
    #[error("elements nest deeper than {max}; expected fewer groups within groups")]
    TooDeep {
        /// Greatest depth that is read.
        max: usize,
    },
    /// There are too many layers, objects, tiles with properties and similar elements.
    #[error("more than {max} elements; expected fewer objects and tiles with properties")]
    TooManyElements {
        /// Greatest number that is read.
        max: usize,
    },
    /// An element has more attributes than Tiled writes.
    #[error("more than {max} attributes; expected those that Tiled writes")]
    TooManyAttributes {
        /// Greatest number that is read.
        max: usize,
    },
    /// The file has another root than expected.
    #[error("'{found}' on top; expected '{expected}'")]
    Root {
        /// Root element or, in JSON, `type` at the top level.
        found: String,
        /// `map`, `tileset` or `template`.
        expected: &'static str,
    },
    /// A side of the map is 0 or larger than a map may be.
    #[error("{side} {found} is out of range; expected 1 to {max}", max = Grid::SIDE_MAX)]
    Side {
        /// `height` or `width`.
        side: &'static str,
        /// Number in the file.
        found: u32,
    },
    /// Tiles have no size, so that objects lie in no cell.
    #[error("tiles of {width}x{height} pixels; expected at least 1x1")]
    TileSize {
        /// `tilewidth`.
        width: u32,
        /// `tileheight`.
        height: u32,
    },
    /// Compressed layers claim far more cells than the file has bytes.
    #[error("{cells} cells on all floors; expected up to {max} where layers are compressed")]
    TooManyCells {
        /// Columns times rows times floors.
        cells: u64,
        /// Limit for a file of this length.
        max: u64,
    },
    /// The map has no fixed size.
    #[error("the map is infinite; expected one of fixed size (a check box in Map Properties)")]
    Infinite,
    /// Cells are not squares in rows and columns.
    #[error("orientation '{found}'; expected 'orthogonal'")]
    Orientation {
        /// Orientation in the file.
        found: String,
    },
    /// A layer differs from the map in size.
    #[error("layer '{layer}' is {width}x{height}, expected the map's {expected}")]
    LayerSize {
        /// Name of the layer.
        layer: String,
        /// Width of the layer.
        width: u32,
        /// Height of the layer.
        height: u32,
        /// Width and height of the map.
        expected: String,
    },
    /// A layer has an unknown encoding.
    #[error(
        "layer '{layer}' is stored as {found}; expected CSV or Base64, the latter uncompressed \
         or with zlib or gzip"
    )]
    Encoding {
        /// Name of the layer.
        layer: String,
        /// Encoding and compression.
        found: String,
    },
    /// The data of a layer do not match their encoding.
    #[error("layer '{layer}' is no valid {encoding}: {found}")]
    Data {
        /// Name of the layer.
        layer: String,
        /// `Base64`, `zlib` or `gzip`.
        encoding: &'static str,
        /// Message of the decoder.
        found: String,
    },
    /// A layer has too few or too many tiles.
    #[error("layer '{layer}' has {found} tiles, expected {expected}")]
    TileCount {
        /// Name of the layer.
        layer: String,
        /// Number of tiles, or `more`.
        found: String,
        /// Width times height.
        expected: u64,
    },
    /// CSV contains something other than a number.
    #[error("layer '{layer}', cell {cell}: '{found}' is no tile; expected a whole number")]
    Tile {
        /// Name of the layer.
        layer: String,
        /// Cell in the layer.
        cell: Cell,
        /// Text in the file.
        found: String,
    },
    /// A tile number is below those of all tilesets.
    #[error("layer '{layer}', cell {cell}: tile {gid} belongs to no tileset")]
    UnknownTile {
        /// Name of the layer.
        layer: String,
        /// Cell in the layer.
        cell: Cell,
        /// Global number of the tile.
        gid: u32,
    },
    /// A tile in a layer of numbers means a number out of range.
    #[error("layer '{layer}', cell {cell}: {what} {found} is out of range; expected 0 to {max}")]
    TileValue {
        /// Name of the layer.
        layer: String,
        /// Cell in the layer.
        cell: Cell,
        /// `cost`, `exits`, `terrain` or `sight`.
        what: &'static str,
        /// Number that the tile means.
        found: i64,
        /// Highest valid number.
        max: u8,
    },
    /// A tile lacks the property that its layer is named after, while others of its tileset have it.
    #[error(
        "layer '{layer}', cell {cell}: tile {tile} of tileset '{tileset}' has no property \
         '{property}', as others of the tileset have"
    )]
    NoProperty {
        /// Name of the layer.
        layer: String,
        /// Cell in the layer.
        cell: Cell,
        /// Number of the tile in the tileset.
        tile: u32,
        /// Name of the tileset.
        tileset: String,
        /// Name of the property.
        property: &'static str,
    },
    /// A floor has no layer of ground, walls or costs.
    #[error("floor {floor} has no layer of tiles; expected one named {expected}")]
    NoLayer {
        /// Floor.
        floor: u8,
        /// Names of such layers.
        expected: String,
    },
    /// A custom property has an invalid value.
    #[error("{owner}: property '{property}' is {found}; expected {expected}")]
    Property {
        /// Owner of the property: `layer 'x'` or `object 7`.
        owner: String,
        /// Name of the property.
        property: &'static str,
        /// Value in the file, or `missing`.
        found: String,
        /// Valid values.
        expected: String,
    },
    /// A link is drawn as a shape that has no cell.
    #[error("object {object}: a link that is no point, rectangle or tile")]
    LinkShape {
        /// Id of the object.
        object: u32,
    },
    /// A layer of numbers, or a tile at an end of a link, needs a tileset whose file is missing.
    #[error("{user} needs its tileset: {file}")]
    MissingTileset {
        /// Part of the map: `layer 'x'` or `object 7`.
        user: String,
        /// File of the tileset.
        file: MissingFile,
    },
    /// An object that is or may be a link, or an end of one, needs a template whose file is missing.
    #[error("object {object} needs its template: {file}")]
    MissingTemplate {
        /// Id of the object.
        object: u32,
        /// File of the template.
        file: MissingFile,
    },
    /// A file that the map refers to is invalid.
    #[error("the file '{path}': {error}")]
    InFile {
        /// Path in the map.
        path: String,
        /// Problem and its position in that file.
        error: Box<TiledError>,
    },
    /// A map has more files of a kind than are read.
    #[error("more than {max} {kind}")]
    TooManyFiles {
        /// `external tilesets` or `templates`.
        kind: &'static str,
        /// Greatest number that is read.
        max: usize,
    },
    /// A rectangle or tile at an end of a link is rotated.
    #[error("object {object} is rotated by {degrees} degrees; expected 0 at an end of a link")]
    Rotated {
        /// Id of the object.
        object: u32,
        /// Number in the file.
        degrees: String,
    },
    /// A tileset has an unknown `objectalignment`.
    #[error(
        "tileset '{tileset}': objectalignment '{found}'; expected one that Tiled writes, such as \
         'bottomleft'"
    )]
    Alignment {
        /// Name of the tileset.
        tileset: String,
        /// Alignment in the file.
        found: String,
    },
    /// A link begins or ends outside the map.
    #[error("object {object}: the link's {end} lies outside the map")]
    LinkOutside {
        /// Id of the object.
        object: u32,
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

impl TiledProblem {
    /// Returns an error with this problem at no position.
    pub(crate) fn anywhere(self) -> TiledError {
        self.at(None)
    }

    /// Returns an error with this problem at a position, if known.
    pub(crate) fn at(self, position: Option<Position>) -> TiledError {
        TiledError {
            position,
            problem: self,
        }
    }
}
