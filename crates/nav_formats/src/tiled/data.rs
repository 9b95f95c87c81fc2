//! Tiles of a layer in any encoding.

use super::{
    error::TiledProblem,
    model::{Data, FLAGS},
};
use crate::quote::{quoted, said};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use nav_grid::Cell;
use std::io::{BufReader, ErrorKind, Read};

/// Name and size of a layer.
pub(crate) struct Shape<'a> {
    pub(crate) name: &'a str,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Shape<'_> {
    fn tiles(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Returns the cell of the tile at `index`, which is less than [`Self::tiles`].
    fn cell(&self, index: u64) -> Cell {
        let width = u64::from(self.width).max(1);
        Cell::new((index % width) as u16, (index / width) as u16)
    }

    fn count(&self, found: impl Into<String>) -> TiledProblem {
        TiledProblem::TileCount {
            layer: quoted(self.name),
            found: found.into(),
            expected: self.tiles(),
        }
    }

    fn data(&self, encoding: &'static str, found: impl std::fmt::Display) -> TiledProblem {
        TiledProblem::Data {
            layer: quoted(self.name),
            encoding,
            found: said(found),
        }
    }
}

/// How a tile is mirrored and turned: the flags of its number.
#[derive(Clone, Copy)]
pub(crate) struct Flips(u32);

impl Flips {
    const HORIZONTAL: u32 = 1 << 31;
    const VERTICAL: u32 = 1 << 30;
    const DIAGONAL: u32 = 1 << 29;

    /// Mirrors and turns a set of directions, north first and clockwise, as Tiled does its picture.
    pub(crate) fn of(self, directions: u8) -> u8 {
        let mut list = directions;
        // Tiled swaps the axes first. Each of the three keeps the order of directions but runs
        // the other way round: only what becomes of north differs.
        for (flag, north) in [
            (Self::DIAGONAL, 6),
            (Self::HORIZONTAL, 0),
            (Self::VERTICAL, 4),
        ] {
            if self.0 & flag != 0 {
                list = list.reverse_bits().rotate_left(north + 1);
            }
        }
        list
    }
}

/// Calls `take` for each tile that is not empty, with its cell and flags, in reading order.
///
/// Compressed data are unpacked piece by piece, up to the size of the layer.
pub(crate) fn tiles(
    data: &Data<'_>,
    shape: &Shape<'_>,
    mut take: impl FnMut(Cell, u32, Flips) -> Result<(), TiledProblem>,
) -> Result<(), TiledProblem> {
    let mut give = |cell, bits: u32| match bits & !FLAGS {
        0 => Ok(()),
        gid => take(cell, gid, Flips(bits & FLAGS)),
    };
    match data {
        Data::Csv(text) => csv(text, shape, give),
        Data::Numbers(numbers) => {
            if numbers.len() as u64 != shape.tiles() {
                return Err(shape.count(numbers.len().to_string()));
            }
            (0..)
                .zip(numbers)
                .try_for_each(|(index, &bits)| give(shape.cell(index), bits))
        }
        Data::Base64 { text, compression } => {
            let bytes = STANDARD
                .decode(text.trim_ascii())
                .map_err(|error| shape.data("Base64", error))?;
            match compression.as_str() {
                "" => {
                    // Checked before the first tile, which allocates the whole layer.
                    if bytes.len() as u64 != shape.tiles() * 4 {
                        return Err(shape.count((bytes.len() / 4).to_string()));
                    }
                    binary(bytes.as_slice(), "Base64", shape, give)
                }
                "zlib" => {
                    let unpacked = BufReader::new(ZlibDecoder::new(bytes.as_slice()));
                    binary(unpacked, "zlib", shape, give)
                }
                "gzip" => {
                    let unpacked = BufReader::new(GzDecoder::new(bytes.as_slice()));
                    binary(unpacked, "gzip", shape, give)
                }
                other => Err(unknown(shape, &format!("base64 with {other}"))),
            }
        }
        Data::Unknown(found) => Err(unknown(shape, found)),
    }
}

fn unknown(shape: &Shape<'_>, found: &str) -> TiledProblem {
    TiledProblem::Encoding {
        layer: quoted(shape.name),
        found: quoted(found.trim()),
    }
}

fn csv(
    text: &[u8],
    shape: &Shape<'_>,
    mut give: impl FnMut(Cell, u32) -> Result<(), TiledProblem>,
) -> Result<(), TiledProblem> {
    let numbers = || text.split(|&byte| byte == b',');
    let found = if text.is_empty() {
        0
    } else {
        numbers().count()
    };
    if found as u64 != shape.tiles() {
        return Err(shape.count(found.to_string()));
    }
    for (index, number) in (0..).zip(numbers()) {
        let number = number.trim_ascii();
        let cell = shape.cell(index);
        let bits = str::from_utf8(number).ok().and_then(|it| it.parse().ok());
        let Some(bits) = bits else {
            return Err(TiledProblem::Tile {
                layer: quoted(shape.name),
                cell,
                found: quoted(String::from_utf8_lossy(number)),
            });
        };
        give(cell, bits)?;
    }
    Ok(())
}

fn binary(
    mut bytes: impl Read,
    encoding: &'static str,
    shape: &Shape<'_>,
    mut give: impl FnMut(Cell, u32) -> Result<(), TiledProblem>,
) -> Result<(), TiledProblem> {
    let mut word = [0; 4];
    for index in 0..shape.tiles() {
        match bytes.read_exact(&mut word) {
            Ok(()) => give(shape.cell(index), u32::from_le_bytes(word))?,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(shape.count(index.to_string()));
            }
            Err(error) => return Err(shape.data(encoding, error)),
        }
    }
    match bytes.read(&mut word) {
        Ok(0) => Ok(()),
        Ok(_) => Err(shape.count("more")),
        Err(error) => Err(shape.data(encoding, error)),
    }
}
