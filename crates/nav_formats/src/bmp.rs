//! Pictures of Windows, `.bmp`.
//!
//! Pixels mean the same as those of PNG maps: black is a wall, and brighter ground is cheaper. Grey
//! `g` costs `1 + (255 - g) / 4`, rounded down, so that white costs 1 and greys 1 to 3 cost 64.
//! Colours are weighed as the eye does: 299 parts of red, 587 of green, 114 of blue.
//!
//! Uncompressed pictures of 1, 4 and 8 bits with a palette and of 24 and 32 bits can be read, with
//! rows from below or from above, and headers from OS/2 1.x to Windows 98. Those of 32 bits may
//! have masks for the channels, each a whole byte; if one is for opacity, fully transparent pixels
//! are walls. Others are refused by name. Colour profiles do not matter.
//!
//! Maps are written with 8 bits and a palette of greys, as costs read back exactly. A BMP has no
//! exits, terrain classes or sight; the program `chase` keeps them in PNGs beside it, as for PNG
//! maps.

use super::{
    codec::{Codec, TEXT},
    error::{ParseError, Problem},
    features::Features,
    grey::{all_walls, cost_of, grey_of, luma, map_size, pixels_of},
    map_file::MapFile,
    warning::Warning,
};
use nav_grid::{Grid, Size};
use std::fmt::Display;

pub(crate) const CODEC: Codec = Codec {
    name: "BMP",
    extensions: &["bmp"],
    is_text: false,
    holds: Features::COSTS,
    looks_like,
    read: |bytes, _| read(bytes),
    write: Some(|map, _| Ok(write(&map.grid))),
    ..TEXT
};

/// Length of the header of the file, which the header of the picture follows.
const FILE_HEADER: usize = 14;
/// Length of the header of OS/2 1.x.
const CORE_HEADER: usize = 12;
/// Least length of the headers of Windows.
const INFO_HEADER: usize = 40;
/// Length of the header since Windows 98, the first with a colour profile behind the pixels.
const V5_HEADER: usize = 124;
/// Offset of the masks, in the header or right behind it.
const MASKS: usize = FILE_HEADER + INFO_HEADER;

fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BM")
}

/// Reads a map of one floor.
///
/// # Errors
///
/// [`ParseError`] with a byte offset if the picture is compressed or otherwise unusual, larger than
/// a map may be, or longer than its file.
///
/// # Complexity
///
/// O(pixels). Takes at most 10 times the length of the file in memory.
pub fn read(bytes: &[u8]) -> Result<MapFile, ParseError> {
    let read = read_at(bytes);
    read.map_err(|(offset, problem)| problem.at_byte(offset.min(bytes.len())))
}

fn read_at(bytes: &[u8]) -> Result<MapFile, Fault> {
    let header = Header::read(bytes)?;
    let (pixels, transparent) = header.pixels(bytes)?;
    let grid = Grid::from_cost_bytes(header.size, pixels);
    let mut map = MapFile::from(grid.map_err(|error| (0, Problem::refused(error)))?);
    map.warnings.extend(all_walls(&map.grid, transparent));
    // Programs round the length of the file up to whole words.
    let behind = bytes.len() - header.end();
    if behind >= 4 && header.length < V5_HEADER {
        map.warnings.push(Warning::Behind { bytes: behind });
    }
    Ok(map)
}

/// Problem with its offset in the file.
type Fault = (usize, Problem);

struct Header {
    /// Length of the header of the picture.
    length: usize,
    size: Size,
    is_top_down: bool,
    bits: u16,
    /// Offset of the first row in the file.
    start: usize,
    /// Shifts of red, green, blue and opacity in pixels of 32 bits.
    shifts: [Option<u32>; 4],
    /// Step costs of the colours of the palette.
    palette: Vec<u8>,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, Fault> {
        if !looks_like(bytes) {
            return Err((0, unsupported("no BMP", "a file that starts with 'BM'")));
        }
        let start = number(bytes, 10)?;
        let length = number(bytes, FILE_HEADER)? as usize;
        let is_core = length == CORE_HEADER;
        if !is_core && !(INFO_HEADER..=V5_HEADER).contains(&length) {
            let found = format_args!("a header of {length} bytes");
            return Err((FILE_HEADER, unsupported(found, "12, or 40 to 124")));
        }
        let (width, height, bits) = if is_core {
            let [width, height] = [short(bytes, 18)?, short(bytes, 20)?].map(i32::from);
            (width, height, short(bytes, 24)?)
        } else {
            let [width, height] = [number(bytes, 18)?, number(bytes, 22)?].map(u32::cast_signed);
            (width, height, short(bytes, 28)?)
        };
        let columns = u32::try_from(width).unwrap_or(0);
        let size = map_size(columns, height.unsigned_abs()).map_err(|problem| (18, problem))?;
        let compression = if is_core { 0 } else { number(bytes, 30)? };
        let shifts = shifts(bytes, length, bits, compression)?;
        let header = Self {
            length,
            size,
            is_top_down: height < 0,
            bits,
            start: start as usize,
            shifts,
            palette: Vec::new(),
        };
        if header.start < FILE_HEADER + length {
            let found = format!("pixels at byte {start}, inside the header");
            return Err((10, unsupported(found, "an offset behind it")));
        }
        if bytes.len() < header.end() {
            return Err(ends(bytes, header.end()));
        }
        let palette = header.palette(bytes, is_core)?;
        Ok(Self { palette, ..header })
    }

    /// Returns the step costs of the palette, empty for pictures without one.
    fn palette(&self, bytes: &[u8], is_core: bool) -> Result<Vec<u8>, Fault> {
        if self.bits > 8 {
            return Ok(Vec::new());
        }
        let most = 1_usize << self.bits;
        let used = if is_core {
            0
        } else {
            number(bytes, 46)? as usize
        };
        let count = if used == 0 { most } else { used.min(most) };
        let entry = if is_core { 3 } else { 4 };
        let at = FILE_HEADER + self.length;
        // Old programs store a shorter palette of OS/2 without its number of colours.
        let count = count.min((self.start - at) / entry);
        let colours = bytes.get(at..at + count * entry).unwrap_or_default();
        Ok(colours
            .chunks_exact(entry)
            .filter_map(cost_of_colour)
            .collect())
    }

    /// Returns the length of a row in bytes, which is a multiple of four.
    fn stride(&self) -> usize {
        (usize::from(self.size.width) * usize::from(self.bits)).div_ceil(32) * 4
    }

    /// Returns the offset behind the last pixel. The padding of the last row may be missing.
    fn end(&self) -> usize {
        let last = (usize::from(self.size.width) * usize::from(self.bits)).div_ceil(8);
        // A start is less than 2^32 and a picture less than 2^31 bytes.
        self.start + self.stride() * (usize::from(self.size.height) - 1) + last
    }

    /// Returns the step cost of each pixel, 0 for a wall, in reading order, and how many pixels are
    /// fully transparent.
    fn pixels(&self, bytes: &[u8]) -> Result<(Vec<u8>, usize), Fault> {
        let (mut costs, mut transparent) = (Vec::with_capacity(self.size.cells() as usize), 0);
        for y in 0..self.size.height {
            let from_start = if self.is_top_down {
                y
            } else {
                self.size.height - 1 - y
            };
            let at = self.start + self.stride() * usize::from(from_start);
            let row = bytes.get(at..).unwrap_or_default();
            for x in 0..usize::from(self.size.width) {
                let Some(cost) = self.pixel(row, x, &mut transparent) else {
                    let found = self.colour(row, x);
                    let most = self.palette.len().saturating_sub(1);
                    let sentence = format!(
                        "pixel {x},{y} has colour {found}; expected 0 to {most} as in the palette"
                    );
                    return Err((at, Problem::Value(sentence)));
                };
                costs.push(cost);
            }
        }
        Ok((costs, transparent))
    }

    /// Returns the step cost of a pixel; `None` if its colour is not in the palette. Counts the
    /// pixel if it is fully transparent.
    fn pixel(&self, row: &[u8], x: usize, transparent: &mut usize) -> Option<u8> {
        match self.bits {
            24 => cost_of_colour(row.get(3 * x..)?),
            32 => {
                let pixel = u32::from_le_bytes(*row.get(4 * x..)?.first_chunk()?);
                let [red, green, blue, opacity] =
                    (self.shifts).map(|shift| shift.map(|shift| (pixel >> shift) as u8));
                if opacity == Some(0) {
                    *transparent += 1;
                    return Some(0);
                }
                Some(cost_of(luma(red?, green?, blue?)))
            }
            _ => self.palette.get(usize::from(self.colour(row, x))).copied(),
        }
    }

    /// Returns the number of a pixel's colour in the palette. The leftmost pixel of a byte has its
    /// upper bits.
    fn colour(&self, row: &[u8], x: usize) -> u8 {
        let bits = usize::from(self.bits).clamp(1, 8);
        let in_byte = 8 / bits;
        let byte = row.get(x / in_byte).copied().unwrap_or_default();
        let shift = 8 - bits * (x % in_byte + 1);
        byte >> shift & (0xff >> (8 - bits))
    }
}

/// Returns the step cost of a colour that begins with blue, green and red.
fn cost_of_colour(colour: &[u8]) -> Option<u8> {
    let &[blue, green, red] = colour.first_chunk()?;
    Some(cost_of(luma(red, green, blue)))
}

/// Checks depth and compression. Returns where the channels are in pixels of 32 bits.
fn shifts(
    bytes: &[u8],
    length: usize,
    bits: u16,
    compression: u32,
) -> Result<[Option<u32>; 4], Fault> {
    const BITS: &str = "1, 4, 8, 24 or 32 bits";
    if !matches!(bits, 1 | 4 | 8 | 24 | 32) {
        return Err((28, unsupported(format!("{bits} bits per pixel"), BITS)));
    }
    let found = match compression {
        0 => return Ok([Some(16), Some(8), Some(0), None]),
        3 | 6 if bits == 32 => {
            // The first header had three masks behind it, later ones have four in them.
            let has_opacity = length > INFO_HEADER + 12 || compression == 6;
            return masks(bytes, if has_opacity { 4 } else { 3 });
        }
        1 | 2 => "run-length encoding".to_owned(),
        3 | 6 => "masks of channels with fewer than 32 bits per pixel".to_owned(),
        4 => "a JPEG inside".to_owned(),
        5 => "a PNG inside".to_owned(),
        other => format!("compression {other}"),
    };
    Err((30, unsupported(found, "an uncompressed picture")))
}

/// Returns where the channels are by their masks, of which there are so many.
fn masks(bytes: &[u8], count: usize) -> Result<[Option<u32>; 4], Fault> {
    let mut shifts = [None; 4];
    for (index, shift) in shifts.iter_mut().enumerate().take(count) {
        let at = MASKS + 4 * index;
        let mask = number(bytes, at)?;
        *shift = match mask {
            0 if index == 3 => None,
            0xff | 0xff00 | 0x00ff_0000 | 0xff00_0000 => Some(mask.trailing_zeros()),
            _ => {
                let found = format_args!("the mask {mask:#010x} of a channel");
                return Err((at, unsupported(found, "one whole byte")));
            }
        };
    }
    Ok(shifts)
}

fn unsupported(found: impl Display, expected: &str) -> Problem {
    Problem::Unsupported(format!("{found}; expected {expected}"))
}

/// Returns the fault of a file that ends before its last pixel.
fn ends(bytes: &[u8], expected: usize) -> Fault {
    let found = bytes.len();
    let sentence =
        format!("the file ends after {found} bytes; expected {expected} for this picture");
    (found, Problem::Syntax(sentence))
}

fn field<const N: usize>(bytes: &[u8], offset: usize) -> Result<[u8; N], Fault> {
    let field = bytes.get(offset..).and_then(|rest| rest.first_chunk());
    field.copied().ok_or_else(|| ends(bytes, offset + N))
}

fn number(bytes: &[u8], offset: usize) -> Result<u32, Fault> {
    field(bytes, offset).map(u32::from_le_bytes)
}

fn short(bytes: &[u8], offset: usize) -> Result<u16, Fault> {
    field(bytes, offset).map(u16::from_le_bytes)
}

/// Writes walls and step costs of the ground floor.
///
/// [`read`] returns an equal map.
pub fn write(grid: &Grid) -> Vec<u8> {
    const COLOURS: usize = 256;
    const START: usize = FILE_HEADER + INFO_HEADER + 4 * COLOURS;
    let (width, height) = (u32::from(grid.width()), u32::from(grid.height()));
    let stride = width.next_multiple_of(4);
    let length = START as u32 + stride * height;
    let mut bytes = Vec::with_capacity(length as usize);
    bytes.extend(b"BM");
    // One plane of 8 bits.
    let (planes, colours) = (8 << 16 | 1, COLOURS as u32);
    let uncompressed = 0;
    // 72 dots per inch.
    let dots_per_metre = 2835;
    let file = [length, 0, START as u32];
    let picture = [
        INFO_HEADER as u32,
        width,
        height,
        planes,
        uncompressed,
        stride * height,
    ];
    let display = [dots_per_metre, dots_per_metre, colours, 0];
    let palette = (0..colours).map(|grey| grey * 0x0001_0101);
    for value in file
        .into_iter()
        .chain(picture)
        .chain(display)
        .chain(palette)
    {
        bytes.extend(value.to_le_bytes());
    }
    let pixels = pixels_of(grid, |cell| grey_of(grid.cost(cell)));
    for row in pixels.chunks_exact(width as usize).rev() {
        bytes.extend(row);
        bytes.resize(bytes.len() + (stride - width) as usize, 0);
    }
    bytes
}
