//! Picture of the tiles in written maps.

use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::Write as _;

/// File name of [`picture`] in written maps, in the folder of the map.
pub const PICTURE_NAME: &str = "nav-tiles.png";

/// Tiles in a row of the picture, and number of rows: room for 256 tiles.
pub(crate) const COLUMNS: usize = 16;
/// Side of a tile in pixels. A guess: a common size of tiles.
pub(crate) const TILE: usize = 16;
/// Side of the picture in pixels.
pub(crate) const SIDE: usize = COLUMNS * TILE;

/// Returns the picture of the 256 tiles that written maps use, as PNG.
///
/// Tiled opens the maps without it, but then shows no tiles. Tiles 1 to 64 are costs, and a higher
/// cost is darker. Each tile has a spoke for every direction in the set that its number stands for.
pub fn picture() -> Vec<u8> {
    let mut rows = Vec::with_capacity(SIDE * (SIDE + 1));
    for y in 0..SIDE {
        // Filter type 0: rows are not filtered.
        rows.push(0);
        rows.extend((0..SIDE).map(|x| shade(x, y)));
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to a vector does not fail.
    let _ = packed.write_all(&rows);
    let packed = packed.finish().unwrap_or_default();

    let side = (SIDE as u32).to_be_bytes();
    let mut header = [side, side].concat();
    // Eight bits of grey, no interlacing.
    header.extend([8, 0, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [
        (b"IHDR", header.as_slice()),
        (b"IDAT", &packed),
        (b"IEND", &[]),
    ] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(content);
        png.extend((content.len() as u32).to_be_bytes());
        png.extend(kind);
        png.extend(content);
        png.extend(crc.sum().to_be_bytes());
    }
    png
}

/// Returns the grey of a pixel.
fn shade(x: usize, y: usize) -> u8 {
    let id = y / TILE * COLUMNS + x / TILE;
    // Numbers above 64 cannot be a cost, only a set of directions.
    let ground = if id <= 64 { 240 - 2 * id as u8 } else { 200 };
    // Distance from the centre of the tile in half pixels.
    let dx = (x % TILE) as i32 * 2 + 1 - TILE as i32;
    let dy = (y % TILE) as i32 * 2 + 1 - TILE as i32;
    let straight = |side: i32| side.abs() <= 1;
    let spoke = match (dx, dy) {
        _ if dx.abs().max(dy.abs()) <= 3 => None,
        _ if straight(dx) => Some(if dy < 0 { 0 } else { 4 }),
        _ if straight(dy) => Some(if dx > 0 { 2 } else { 6 }),
        _ if dx == -dy => Some(if dx > 0 { 1 } else { 5 }),
        _ if dx == dy => Some(if dx > 0 { 3 } else { 7 }),
        _ => None,
    };
    match spoke {
        Some(direction) if id >> direction & 1 == 1 => ground - 80,
        _ => ground,
    }
}
