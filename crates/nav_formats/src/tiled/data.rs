//! Tiles of a layer in any encoding.

use super::model::{Data, Layer};
use crate::{
    cell_layer::cell_at,
    error::{Problem, refuse},
    quote::{quoted, said},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use nav_grid::Cell;
use std::{
    fmt::Display,
    io::{BufReader, ErrorKind, Read},
};

/// Function that takes the index and the number of a tile.
type Give<'f> = dyn FnMut(u64, u32) -> Result<(), Problem> + 'f;

/// Flags in the upper bits of a tile number, for mirrored and turned tiles.
pub(super) const FLAGS: u32 = 0xf000_0000;

/// How a tile is mirrored and turned: the flags of its number.
#[derive(Clone, Copy)]
pub(super) struct Flips(u32);

impl Flips {
    const HORIZONTAL: u32 = 1 << 31;
    const VERTICAL: u32 = 1 << 30;
    const DIAGONAL: u32 = 1 << 29;

    /// Mirrors and turns a set of directions, north first and clockwise, as Tiled does its picture.
    pub(super) fn of(self, directions: u8) -> u8 {
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

impl Layer<'_> {
    /// Calls `take` for each tile that is not empty, with its cell on a floor and its flags, in
    /// reading order.
    ///
    /// Compressed data are unpacked piece by piece, up to the size of the layer.
    ///
    /// # Errors
    ///
    /// The tiles are stored in an unknown way, are damaged or not as many as the layer has cells,
    /// or `take` fails.
    pub(super) fn tiles(
        &self,
        floor: u8,
        mut take: impl FnMut(Cell, u32, Flips) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.numbers(&mut |index, bits| match bits & !FLAGS {
            0 => Ok(()),
            gid => {
                let cell = cell_at(self.width as u16, index as usize);
                take(cell.on_floor(floor), gid, Flips(bits & FLAGS))
            }
        })
    }

    /// Calls `give` for each tile with its index, as [`Layer::tiles`] does.
    fn numbers(&self, give: &mut Give<'_>) -> Result<(), Problem> {
        let text = match &self.data {
            Data::Text(text) => text.trim(),
            Data::Missing | Data::Numbers(_) => "",
        };
        match (&self.data, self.encoding.as_str()) {
            (Data::Numbers(numbers), "" | "csv") => {
                self.check_count(numbers.len() as u64)?;
                let mut numbers = (0..).zip(numbers);
                numbers.try_for_each(|(index, &bits)| give(index, bits))
            }
            (Data::Missing, "") => Err(self.unknown("nothing")),
            (Data::Numbers(_), _) => Err(self.stored_otherwise()),
            (_, "csv") if self.compression.is_empty() => self.csv(text, give),
            (_, "base64") => self.base64(text, give),
            _ => Err(self.stored_otherwise()),
        }
    }

    fn stored_otherwise(&self) -> Problem {
        self.unknown(&format!("{} {}", self.encoding, self.compression))
    }

    /// Returns whether few bytes may stand for many tiles.
    pub(super) fn is_compressed(&self) -> bool {
        !self.compression.is_empty()
    }

    fn csv(&self, text: &str, give: &mut Give<'_>) -> Result<(), Problem> {
        let found = match text {
            "" => 0,
            text => text.split(',').count(),
        };
        self.check_count(found as u64)?;
        for (index, word) in (0..).zip(text.split(',')) {
            let number = word.trim_ascii();
            let Ok(bits) = number.parse() else {
                let cell = cell_at(self.width as u16, index as usize);
                let (layer, found) = (quoted(&self.name), quoted(number));
                refuse!(
                    Value,
                    "layer '{layer}', cell {cell}: '{found}' is no tile; expected a whole number"
                );
            };
            give(index, bits)?;
        }
        Ok(())
    }

    fn base64(&self, text: &str, give: &mut Give<'_>) -> Result<(), Problem> {
        let decoded = STANDARD.decode(text);
        let list = decoded.map_err(|error| self.damaged("Base64", error))?;
        let bytes = list.as_slice();
        match self.compression.as_str() {
            "" => {
                // Checked before the first tile, which allocates the whole layer.
                if bytes.len() as u64 != self.cells() * 4 {
                    return Err(self.wrong_count(bytes.len() / 4));
                }
                self.binary(bytes, "Base64", give)
            }
            "zlib" => self.binary(BufReader::new(ZlibDecoder::new(bytes)), "zlib", give),
            "gzip" => self.binary(BufReader::new(GzDecoder::new(bytes)), "gzip", give),
            other => Err(self.unknown(&format!("base64 with {other}"))),
        }
    }

    fn binary(
        &self,
        mut bytes: impl Read,
        encoding: &str,
        give: &mut Give<'_>,
    ) -> Result<(), Problem> {
        let mut word = [0; 4];
        for index in 0..self.cells() {
            match bytes.read_exact(&mut word) {
                Ok(()) => give(index, u32::from_le_bytes(word))?,
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Err(self.wrong_count(index));
                }
                Err(error) => return Err(self.damaged(encoding, error)),
            }
        }
        match bytes.read(&mut word) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.wrong_count("more")),
            Err(error) => Err(self.damaged(encoding, error)),
        }
    }

    fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    fn check_count(&self, found: u64) -> Result<(), Problem> {
        if found == self.cells() {
            Ok(())
        } else {
            Err(self.wrong_count(found))
        }
    }

    fn wrong_count(&self, found: impl Display) -> Problem {
        let (layer, expected) = (quoted(&self.name), self.cells());
        Problem::Value(format!(
            "layer '{layer}' has {found} tiles, expected {expected}"
        ))
    }

    fn damaged(&self, encoding: &str, found: impl Display) -> Problem {
        let (layer, found) = (quoted(&self.name), said(found));
        Problem::Syntax(format!("layer '{layer}' is no valid {encoding}: {found}"))
    }

    fn unknown(&self, found: &str) -> Problem {
        let (layer, found) = (quoted(&self.name), quoted(found.trim()));
        Problem::Unsupported(format!(
            "layer '{layer}' is stored as {found}; expected CSV or Base64, the latter uncompressed or \
             with zlib or gzip"
        ))
    }
}
