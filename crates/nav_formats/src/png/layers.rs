//! Pictures of one layer of a map.

use super::{at, decode, encode};
use crate::{
    cell_layer::{CellLayer, cell_at},
    error::{ParseError, Problem, refuse},
    grey::pixels_of,
    write_error::WriteError,
};
use nav_grid::Grid;
use std::io::Cursor;

/// Colours of terrain classes: the 16 named colours of HTML 4, which painting programs offer. Every
/// program keeps colours; indexes of a palette are renumbered by many.
const CLASSES: [[u8; 3]; 16] = [
    [0, 0, 0],
    [0x80, 0, 0],
    [0, 0x80, 0],
    [0x80, 0x80, 0],
    [0, 0, 0x80],
    [0x80, 0, 0x80],
    [0, 0x80, 0x80],
    [0xc0, 0xc0, 0xc0],
    [0x80, 0x80, 0x80],
    [0xff, 0, 0],
    [0, 0xff, 0],
    [0xff, 0xff, 0],
    [0, 0, 0xff],
    [0xff, 0, 0xff],
    [0, 0xff, 0xff],
    [0xff, 0xff, 0xff],
];

/// Colours of sight, in the order of [`Sight::ALL`](nav_grid::map::Sight::ALL).
const SIGHT: [[u8; 3]; 3] = [[0x80; 3], [0xff; 3], [0; 3]];

/// Returns the colours of the numbers of a layer; none if they are greys.
const fn palette(layer: CellLayer) -> &'static [[u8; 3]] {
    match layer {
        CellLayer::Exits => &[],
        CellLayer::Classes => &CLASSES,
        CellLayer::Sight => &SIGHT,
    }
}

/// Returns what a picture of a layer may have, for errors.
const fn expected(layer: CellLayer) -> &'static str {
    match layer {
        CellLayer::Exits => "a set of directions as a grey",
        CellLayer::Classes => "one of the 16 colours of HTML 4, such as #0000ff for class 12",
        CellLayer::Sight => "white (clear), black (blocked) or #808080 (as the ground)",
    }
}

/// Replaces a layer of a map of one floor by that of a picture.
///
/// A picture that says nothing of any cell removes the layer. Greys of 1, 2 and 4 bits are scaled
/// to 8.
///
/// # Errors
///
/// [`ParseError`] if the picture is damaged or takes too much memory as for [`read`](super::read),
/// has another size than the map, or a colour without a meaning. The map is unchanged then.
pub fn read_layer(bytes: &[u8], layer: CellLayer, grid: &mut Grid) -> Result<(), ParseError> {
    let mut cursor = Cursor::new(bytes);
    let read = set_layer(bytes.len(), &mut cursor, layer, grid);
    read.map_err(|problem| at(&cursor, problem))
}

fn set_layer(
    length: usize,
    cursor: &mut Cursor<&[u8]>,
    layer: CellLayer,
    grid: &mut Grid,
) -> Result<(), Problem> {
    let (mut pixels, mut wrong) = (0_usize, None);
    let (size, numbers) = decode(length, cursor, |pixel| {
        let number = number_of(layer, pixel);
        if number.is_none() && wrong.is_none() {
            wrong = Some((pixels, describe(pixel)));
        }
        pixels += 1;
        number.unwrap_or_default()
    })?;
    let name = layer.name();
    if size != grid.size() {
        let expected = grid.size();
        refuse!(
            Value,
            "a picture of {name} of {size} pixels; expected {expected} as the map has cells"
        );
    }
    if let Some((index, found)) = wrong {
        let (cell, expected) = (cell_at(size.width, index), expected(layer));
        refuse!(
            Value,
            "pixel {cell} of the {name} is {found}; expected {expected}"
        );
    }
    layer.set(grid, numbers).map_err(Problem::refused)
}

/// Returns the number that a pixel means, from its channels of 8 bits.
fn number_of(layer: CellLayer, pixel: &[u8]) -> Option<u8> {
    let colour = match *pixel {
        [_, 0] | [_, _, _, 0] => return Some(layer.unsaid()),
        [grey] | [grey, 255] => [grey; 3],
        [red, green, blue] | [red, green, blue, 255] => [red, green, blue],
        _ => return None,
    };
    match palette(layer) {
        [] => (colour == [colour[0]; 3]).then_some(colour[0]),
        colours => colours
            .iter()
            .zip(0..)
            .find_map(|(known, number)| (*known == colour).then_some(number)),
    }
}

fn describe(pixel: &[u8]) -> String {
    match *pixel {
        [grey] | [grey, 255] => format!("#{grey:02x}{grey:02x}{grey:02x}"),
        [red, green, blue] | [red, green, blue, 255] => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => "half transparent".to_owned(),
    }
}

/// Writes a layer of the ground floor.
///
/// [`read_layer`] gives a map of one floor an equal layer.
///
/// # Errors
///
/// [`WriteError::Encoder`] if the encoder fails, which is not expected.
pub fn write_layer(grid: &Grid, layer: CellLayer) -> Result<Vec<u8>, WriteError> {
    encode(
        grid,
        &pixels_of(grid, |cell| layer.number(grid, cell)),
        palette(layer),
    )
}
