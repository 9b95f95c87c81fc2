//! Pictures of exits.

use super::{at, decode, encode};
use crate::{error::ParseError, picture_problem::PictureProblem, write_error::WriteError};
use nav_grid::{Cell, Directions, Grid, Size};
use std::io::Cursor;

/// Replaces the exits of a map of one floor by those of a picture.
///
/// A picture that is white all over opens all exits. Pictures of 1, 2 and 4 bits are scaled to 8.
///
/// # Errors
///
/// [`ParseError`] if the picture is damaged or takes too much memory as for [`read`](super::read),
/// has another size than the map, or a pixel that is no opaque grey. The map is unchanged then.
pub fn read_exits(bytes: &[u8], grid: &mut Grid) -> Result<(), ParseError> {
    let mut cursor = Cursor::new(bytes);
    let (mut pixels, mut first_wrong) = (0_usize, None);
    let exits = |pixel: &[u8]| {
        let grey = match *pixel {
            [grey] | [grey, 255] => Some(grey),
            [red, green, blue] | [red, green, blue, 255] if red == green && green == blue => {
                Some(red)
            }
            _ => None,
        };
        if grey.is_none() && first_wrong.is_none() {
            first_wrong = Some(pixels);
        }
        pixels += 1;
        grey.unwrap_or_default()
    };
    let decoded = decode(bytes.len(), &mut cursor, exits);
    let (size, mut exits) = decoded.map_err(|problem| at(&cursor, problem))?;
    let expected = grid.size();
    if size != expected {
        let found = size;
        return Err(at(&cursor, PictureProblem::ExitsSize { found, expected }));
    }
    if let Some(index) = first_wrong {
        let cell = cell(size, index);
        return Err(at(&cursor, PictureProblem::NoGrey { cell }));
    }
    if exits.iter().all(|&exits| exits == Directions::ALL.0) {
        // A map without exits has no layer of them.
        exits.clear();
    }
    grid.set_exit_bytes(exits)
        .map_err(|error| at(&cursor, error.into()))
}

fn cell(size: Size, index: usize) -> Cell {
    let width = usize::from(size.width).max(1);
    Cell::new((index % width) as u16, (index / width) as u16)
}

/// Writes the exits of the ground floor.
///
/// [`read_exits`] gives a map of one floor equal exits.
///
/// # Errors
///
/// [`WriteError::Encoder`] if the encoder fails, which is not expected.
pub fn write_exits(grid: &Grid) -> Result<Vec<u8>, WriteError> {
    let rows = 0..grid.height();
    let pixels: Vec<u8> = rows
        .flat_map(|y| (0..grid.width()).map(move |x| grid.exits(Cell::new(x, y)).0))
        .collect();
    encode(grid, &pixels)
}
