//! What is wrong with a Tiled map, and where.

use crate::position::Position;
use nav_grid::{Cell, Grid, map::text::quote};
use std::fmt;

/// The place of the byte at `offset`.
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

/// A Tiled map cannot be read.
///
/// Prints as one sentence, such as `line 5, column 2: layer 'walls' has 12 tiles, expected 16`.
/// Text of the file appears in it escaped and cut short, so it is safe to log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TiledError {
    /// Where, as far as it is known. In JSON only broken syntax has a place; other sentences
    /// name layer, cell or object instead.
    pub position: Option<Position>,
    /// What is wrong there.
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

/// What is wrong with a Tiled map.
///
/// `layer`, `found` and other strings are text of the file as printed: escaped, and cut short
/// if long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TiledProblem {
    /// The file is not XML or JSON, or lacks what Tiled always writes.
    #[error("the {language} cannot be read: {found}")]
    Syntax {
        /// `XML` or `JSON`.
        language: &'static str,
        /// What the parser says.
        found: String,
    },
    /// The XML has a document type, which may define entities.
    #[error("document type declaration; expected none, as Tiled writes none")]
    DocumentType,
    /// Elements nest too deep.
    #[error("elements nest deeper than {max}; expected fewer groups within groups")]
    TooDeep {
        /// The deepest that is read.
        max: usize,
    },
    /// There are too many layers, objects, tiles with properties and the like.
    #[error("more than {max} elements; expected fewer objects and tiles with properties")]
    TooManyElements {
        /// The most that are read.
        max: usize,
    },
    /// An element has more attributes than any of Tiled's.
    #[error("more than {max} attributes; expected those that Tiled writes")]
    TooManyAttributes {
        /// The most that are read.
        max: usize,
    },
    /// The file is something else.
    #[error("'{found}' on top; expected '{expected}'")]
    Root {
        /// The root element or, in JSON, the `type` on top.
        found: String,
        /// `map` or `tileset`.
        expected: &'static str,
    },
    /// A side of the map is 0 or larger than a map may be.
    #[error("{side} {found} is out of range; expected 1 to {max}", max = Grid::SIDE_MAX)]
    Side {
        /// `height` or `width`.
        side: &'static str,
        /// The number.
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
    /// Compressed layers promise far more cells than the file has bytes.
    #[error("{cells} cells on all floors; expected up to {max} where layers are compressed")]
    TooManyCells {
        /// Columns times rows times floors.
        cells: u64,
        /// The most for a file of this length.
        max: u64,
    },
    /// The map has no fixed size.
    #[error("the map is infinite; expected one of fixed size (a check box in Map Properties)")]
    Infinite,
    /// Cells are no squares in rows and columns.
    #[error("orientation '{found}'; expected 'orthogonal'")]
    Orientation {
        /// The orientation.
        found: String,
    },
    /// A layer is not as large as the map.
    #[error("layer '{layer}' is {width}x{height}, expected the map's {expected}")]
    LayerSize {
        /// The layer's name.
        layer: String,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// The map's width and height.
        expected: String,
    },
    /// A layer is stored in a way that is not read.
    #[error(
        "layer '{layer}' is stored as {found}; expected CSV or Base64, the latter uncompressed \
         or with zlib or gzip"
    )]
    Encoding {
        /// The layer's name.
        layer: String,
        /// Encoding and compression.
        found: String,
    },
    /// A layer's data are not what their encoding says.
    #[error("layer '{layer}' is no valid {encoding}: {found}")]
    Data {
        /// The layer's name.
        layer: String,
        /// `Base64`, `zlib` or `gzip`.
        encoding: &'static str,
        /// What the decoder says.
        found: String,
    },
    /// A layer has too few or too many tiles.
    #[error("layer '{layer}' has {found} tiles, expected {expected}")]
    TileCount {
        /// The layer's name.
        layer: String,
        /// How many, or `more`.
        found: String,
        /// Width times height.
        expected: u64,
    },
    /// CSV holds something else than a number.
    #[error("layer '{layer}', cell {cell}: '{found}' is no tile; expected a whole number")]
    Tile {
        /// The layer's name.
        layer: String,
        /// Where in the layer.
        cell: Cell,
        /// What stands there.
        found: String,
    },
    /// A tile number is below those of all tilesets.
    #[error("layer '{layer}', cell {cell}: tile {gid} belongs to no tileset")]
    UnknownTile {
        /// The layer's name.
        layer: String,
        /// Where in the layer.
        cell: Cell,
        /// The tile's global number.
        gid: u32,
    },
    /// A tile in a layer of costs or exits means a number out of range.
    #[error("layer '{layer}', cell {cell}: {what} {found} is out of range; expected 0 to {max}")]
    TileValue {
        /// The layer's name.
        layer: String,
        /// Where in the layer.
        cell: Cell,
        /// `cost` or `exits`.
        what: &'static str,
        /// The number.
        found: i64,
        /// The largest.
        max: u8,
    },
    /// A tile in a layer of costs has none, while others of its tileset have.
    #[error(
        "layer '{layer}', cell {cell}: tile {tile} of tileset '{tileset}' has no int property \
         'cost', as others of the tileset have"
    )]
    NoCost {
        /// The layer's name.
        layer: String,
        /// Where in the layer.
        cell: Cell,
        /// The tile's number in the tileset.
        tile: u32,
        /// The tileset's name.
        tileset: String,
    },
    /// A floor has no layer that says where agents may stand.
    #[error("floor {floor} has no layer of tiles; expected one named {expected}")]
    NoLayer {
        /// The floor.
        floor: u8,
        /// The names there are.
        expected: String,
    },
    /// A custom property has a value that means nothing here.
    #[error("{owner}: property '{property}' is {found}; expected {expected}")]
    Property {
        /// What carries it: `layer 'x'` or `object 7`.
        owner: String,
        /// Its name.
        property: &'static str,
        /// Its value, or `missing`.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A link is drawn as something that has no cell.
    #[error("object {object}: a link that is neither point nor rectangle")]
    LinkShape {
        /// The object's id.
        object: u32,
    },
    /// A link begins or ends outside the map.
    #[error("object {object}: the link's {end} lies outside the map")]
    LinkOutside {
        /// The object's id.
        object: u32,
        /// `start` or `end`.
        end: &'static str,
    },
    /// The map is well written, but cannot be.
    #[error("{found}")]
    Refused {
        /// What the grid says.
        found: String,
    },
}

impl TiledProblem {
    /// This problem somewhere.
    pub(crate) fn anywhere(self) -> TiledError {
        self.at(None)
    }

    /// This problem at a place, if it is known.
    pub(crate) fn at(self, position: Option<Position>) -> TiledError {
        TiledError {
            position,
            problem: self,
        }
    }
}

/// Text of the file as an error prints it.
pub(crate) fn quoted(text: impl fmt::Display) -> String {
    quote(text.to_string().as_bytes())
}

/// What a library says of the file as an error prints it, long enough for all of its own words.
pub(crate) fn said(error: impl fmt::Display) -> String {
    const CHARACTERS_MAX: usize = 200;
    let printable = |character: char| match character {
        it if it.is_control() => char::REPLACEMENT_CHARACTER,
        it => it,
    };
    let sentence = error.to_string();
    sentence
        .chars()
        .take(CHARACTERS_MAX)
        .map(printable)
        .collect()
}
