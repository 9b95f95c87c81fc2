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
const CLASSES: [u32; 16] = [
    0x00_0000, 0x80_0000, 0x00_8000, 0x80_8000, 0x00_0080, 0x80_0080, 0x00_8080, 0xc0_c0c0,
    0x80_8080, 0xff_0000, 0x00_ff00, 0xff_ff00, 0x00_00ff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

/// Colours of sight, in the order of [`Sight::ALL`](nav_grid::map::Sight::ALL).
const SIGHT: [u32; 3] = [0x80_8080, 0xff_ffff, 0x00_0000];

/// Returns the colours of the numbers of a layer; none if they are greys.
const fn palette(layer: CellLayer) -> &'static [u32] {
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
    if let [_, 0] | [_, _, _, 0] = *pixel {
        return Some(layer.unsaid());
    }
    let [red, green, blue] = colour_of(pixel)?;
    if palette(layer).is_empty() {
        return (red == green && green == blue).then_some(red);
    }
    let found = u32::from_be_bytes([0, red, green, blue]);
    let number = palette(layer).iter().position(|&known| known == found);
    number.map(|number| number as u8)
}

/// Returns the colour of an opaque pixel.
fn colour_of(pixel: &[u8]) -> Option<[u8; 3]> {
    match *pixel {
        [grey] | [grey, 255] => Some([grey; 3]),
        [red, green, blue] | [red, green, blue, 255] => Some([red, green, blue]),
        _ => None,
    }
}

fn describe(pixel: &[u8]) -> String {
    match colour_of(pixel) {
        Some([red, green, blue]) => format!("#{red:02x}{green:02x}{blue:02x}"),
        None => "half transparent".to_owned(),
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
