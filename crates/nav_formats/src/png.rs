//! Grey-scale pictures. Behind the feature `png`.
//!
//! A pixel is a cell. Black (0) is a wall, and brighter ground is cheaper: grey `g` costs
//! `1 + (255 - g) / 4`, rounded down. So white (255) costs 1, the lowest cost, and greys 1 to 3
//! cost 64, the highest. A picture of only black and white becomes a map without a cost layer.
//!
//! All PNG colour types and depths can be read. Other depths are scaled to 8 bits. Colours are
//! weighed as the eye does: 299 parts of red, 587 of green, 114 of blue. Fully transparent pixels
//! are walls. Maps are written with 8 bits of grey, cost `c` as `255 - 4 * (c - 1)`, so that costs
//! read back exactly.
//!
//! Gamma, colour profiles and texts do not matter. [Warnings](crate::Warning) name what is left
//! out: further frames of an animation, unknown chunks, and bytes behind the picture. Another one
//! says so if no cell is ground because of transparent pixels.
//!
//! # Layers
//!
//! [`read_layer`] and [`write_layer`] keep exits, terrain classes and sight, each in a picture of
//! its own of the same size. The program `chase` reads them for `town.png` from `town.exits.png`,
//! `town.classes.png` and `town.sight.png` beside it. The colour of a pixel says what its cell has:
//!
//! - [Exits](CellLayer::Exits): a grey, the sum of 1 for north, 2 northeast, 4 east, 8 southeast,
//!   16 south, 32 southwest, 64 west and 128 northwest. White (255) is open on all sides, black (0)
//!   on none.
//! - [Classes](CellLayer::Classes): one of the 16 named colours of HTML 4, see below.
//! - [Sight](CellLayer::Sight): white is clear, black is blocked, and grey `#808080` is as the
//!   ground.
//!
//! Of a fully transparent pixel nothing is said: all exits are open, the class is 0, sight is as
//! the ground. Any other colour is refused, so paint without soft edges. Any PNG will do: only
//! colours count, not how they are stored.
//!
//! | class | colour | | class | colour |
//! |---|---|---|---|---|
//! | 0 | black `#000000` | | 8 | gray `#808080` |
//! | 1 | maroon `#800000` | | 9 | red `#ff0000` |
//! | 2 | green `#008000` | | 10 | lime `#00ff00` |
//! | 3 | olive `#808000` | | 11 | yellow `#ffff00` |
//! | 4 | navy `#000080` | | 12 | blue `#0000ff` |
//! | 5 | purple `#800080` | | 13 | fuchsia `#ff00ff` |
//! | 6 | teal `#008080` | | 14 | aqua `#00ffff` |
//! | 7 | silver `#c0c0c0` | | 15 | white `#ffffff` |

mod chunks;
mod layers;

pub use layers::{read_layer, write_layer};

#[cfg(doc)]
use super::cell_layer::CellLayer;
use super::{
    codec::{Codec, TEXT},
    error::{ParseError, Problem, refuse},
    features::Features,
    grey::{all_walls, cost_of, grey_of, luma, map_size, pixels_of},
    map_file::MapFile,
    write_error::WriteError,
};
use nav_grid::{Grid, Size};
use std::io::Cursor;

pub(crate) const CODEC: Codec = Codec {
    name: "PNG",
    extensions: &["png"],
    is_text: false,
    holds: Features::COSTS,
    looks_like: |bytes| bytes.starts_with(&SIGNATURE),
    read: |bytes, _| read(bytes),
    write: Some(|map, _| write(&map.grid)),
    ..TEXT
};

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// Memory in bytes that every picture may take, in addition to 16 times the length of its file.
///
/// Stops a small file that expands to gigabytes. 46 million pixels fit in, a map of 6,800×6,800
/// cells, however well they compress.
const BYTES_FREE: usize = 64 << 20;

/// Reads a map of one floor.
///
/// # Errors
///
/// [`ParseError`] if the picture is damaged, larger than a map may be, or would take more memory
/// than 16 times its length and 64 MiB.
///
/// # Complexity
///
/// O(pixels).
pub fn read(bytes: &[u8]) -> Result<MapFile, ParseError> {
    let mut cursor = Cursor::new(bytes);
    let mut transparent = 0;
    let decoded = decode(bytes.len(), &mut cursor, |pixel| match *pixel {
        [_, 0] | [_, _, _, 0] => {
            transparent += 1;
            0
        }
        [grey] | [grey, _] => cost_of(grey),
        [red, green, blue] | [red, green, blue, _] => cost_of(luma(red, green, blue)),
        _ => 0,
    });
    let grid = decoded
        .and_then(|(size, costs)| Grid::from_cost_bytes(size, costs).map_err(Problem::refused))
        .map_err(|problem| at(&cursor, problem))?;
    let mut map = MapFile::from(grid);
    map.warnings = chunks::warnings(bytes);
    map.warnings.extend(all_walls(&map.grid, transparent));
    Ok(map)
}

fn at(cursor: &Cursor<&[u8]>, problem: Problem) -> ParseError {
    problem.at_byte(cursor.position() as usize)
}

fn broken(error: png::DecodingError) -> Problem {
    Problem::Syntax(format!("the picture cannot be read: {error}"))
}

/// Decodes a picture. `value` returns the value of a pixel from its channels of 8 bits.
fn decode(
    length: usize,
    bytes: &mut Cursor<&[u8]>,
    mut value: impl FnMut(&[u8]) -> u8,
) -> Result<(Size, Vec<u8>), Problem> {
    let limits = png::Limits {
        bytes: BYTES_FREE / 8,
    };
    let mut decoder = png::Decoder::new_with_limits(bytes, limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height, interlaced) = (header.width, header.height, header.interlaced);
    let size = map_size(width, height)?;
    let pixels = width as usize * height as usize;
    // A pixel takes a byte of cost and up to two bits of map. An interlaced picture is assembled
    // first.
    let needed = pixels + pixels / 4 + if interlaced { 4 * pixels } else { 0 };
    if needed > BYTES_FREE / 8 * 7 + length.saturating_mul(15) {
        refuse!(
            TooMuch,
            "a picture of {width}x{height} pixels in {length} bytes would take {needed} bytes of \
             memory, more than so small a file may; save it with less compression, or as a binary map"
        );
    }
    let mut reader = decoder.read_info().map_err(broken)?;
    let (color, _) = reader.output_color_type();
    let channels = color.samples();
    let mut values = Vec::with_capacity(pixels);
    if interlaced {
        let mut frame = vec![0; reader.output_buffer_size().unwrap_or(0)];
        reader.next_frame(&mut frame).map_err(broken)?;
        values.extend(frame.chunks_exact(channels).map(value));
    } else {
        while let Some(row) = reader.next_row().map_err(broken)? {
            values.extend(row.data().chunks_exact(channels).map(&mut value));
        }
    }
    Ok((size, values))
}

/// Writes walls and step costs of the ground floor.
///
/// # Errors
///
/// [`WriteError::Encoder`] if the encoder fails, which is not expected.
pub fn write(grid: &Grid) -> Result<Vec<u8>, WriteError> {
    encode(grid, &pixels_of(grid, |cell| grey_of(grid.cost(cell))), &[])
}

/// Encodes a byte for each cell of the ground floor as a colour of a palette, or as a grey if the
/// palette is empty.
fn encode(grid: &Grid, pixels: &[u8], palette: &[u32]) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, grid.width().into(), grid.height().into());
    if palette.is_empty() {
        encoder.set_color(png::ColorType::Grayscale);
    } else {
        encoder.set_color(png::ColorType::Indexed);
        let channels = (palette.iter()).flat_map(|colour| {
            let [_, red, green, blue] = colour.to_be_bytes();
            [red, green, blue]
        });
        encoder.set_palette(channels.collect::<Vec<u8>>());
    }
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(WriteError::encoder)?;
    writer
        .write_image_data(pixels)
        .map_err(WriteError::encoder)?;
    writer.finish().map_err(WriteError::encoder)?;
    Ok(bytes)
}
