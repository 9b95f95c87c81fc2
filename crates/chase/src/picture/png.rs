//! Drawings as PNG.

use super::{
    colour::Colour,
    drawing::{Drawing, Mark},
};
use nav_grid::Cell;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Writer};
use std::io::Write;

/// Wanted longer side of a picture in pixels; sets the pixels per cell. A guess that fits a screen.
const SIDE_WANTED: u32 = 1024;
/// Most pixels per cell side. A guess.
const ZOOM_MAX: u32 = 32;
/// Least side in pixels of the squares that mark start and goal, so that they are visible on a
/// large map. A guess.
const MARK_MIN: u32 = 13;
/// Width in pixels of the light rim around such a square, which sets it off from walls. A guess.
const RIM: u32 = 2;

const fn index(mark: Mark) -> u8 {
    let colour = match mark {
        Mark::Floor => Colour::Paper,
        Mark::Class(_) => Colour::Fawn,
        Mark::Wall => Colour::Ink,
        Mark::Path => Colour::Orange,
        Mark::Start => Colour::Green,
        Mark::Goal => Colour::Blue,
        Mark::Road => Colour::Sand,
    };
    colour.index()
}

impl Drawing<'_> {
    /// Writes the drawing as a PNG. Every cell is a square of the same whole number of pixels: many
    /// on a small map, one on maps of more than 512 cells a side. On large maps the squares of
    /// start and goal are larger than their cells.
    ///
    /// # Errors
    ///
    /// `out` fails.
    pub fn write_png(&self, out: impl Write) -> Result<(), EncodingError> {
        let (columns, rows) = (self.grid.width(), self.grid.height());
        let zoom = (SIDE_WANTED / u32::from(columns.max(rows))).clamp(1, ZOOM_MAX);
        let width = u32::from(columns) * zoom;

        let mut writer = indexed(out, (width, u32::from(rows) * zoom))?;
        // Row by row, because the largest map has 268 million cells.
        let mut stream = writer.stream_writer()?;

        let on_floor = |&cell: &Cell| cell.floor == self.floor;
        let squares = match self.ends {
            Some(ends) if zoom < MARK_MIN => squares(ends, zoom, on_floor),
            // On small maps the cells themselves are large enough.
            _ => Vec::new(),
        };
        let mut cells = Vec::with_capacity(width as usize);
        let mut pixels = Vec::with_capacity(width as usize);
        for y in 0..rows {
            cells.clear();
            for mark in self.row(y) {
                cells.extend(std::iter::repeat_n(index(mark), zoom as usize));
            }
            for pixel_y in u32::from(y) * zoom..(u32::from(y) + 1) * zoom {
                pixels.clone_from(&cells);
                for square in &squares {
                    square.paint(pixel_y, &mut pixels);
                }
                stream.write_all(&pixels)?;
            }
        }
        stream.finish()?;
        writer.finish()
    }
}

/// Begins a picture with this many columns and rows of pixels, each an index into the palette.
pub(super) fn indexed<W: Write>(
    out: W,
    (width, height): (u32, u32),
) -> Result<Writer<W>, EncodingError> {
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(Colour::PALETTE.as_flattened());
    encoder.set_compression(Compression::Balanced);
    encoder.write_header()
}

/// Returns the squares that mark the ends of a path, in painting order.
fn squares((start, goal): (Cell, Cell), zoom: u32, is_seen: impl Fn(&Cell) -> bool) -> Vec<Square> {
    let square = |cell: Cell, reach, mark| Square {
        centre: (
            u32::from(cell.x) * zoom + zoom / 2,
            u32::from(cell.y) * zoom + zoom / 2,
        ),
        reach,
        colour: index(mark),
    };
    let reach = MARK_MIN / 2;
    [(goal, Mark::Goal), (start, Mark::Start)]
        .into_iter()
        .filter(|(cell, _)| is_seen(cell))
        .flat_map(|(cell, mark)| {
            [
                square(cell, reach + RIM, Mark::Floor),
                square(cell, reach, mark),
            ]
        })
        .collect()
}

#[derive(Clone, Copy)]
struct Square {
    centre: (u32, u32),
    /// Pixels from the centre to each side.
    reach: u32,
    colour: u8,
}

impl Square {
    /// Paints the part of the square in a row of pixels.
    fn paint(&self, pixel_y: u32, pixels: &mut [u8]) {
        let (x, y) = self.centre;
        if pixel_y.abs_diff(y) > self.reach {
            return;
        }
        let left = x.saturating_sub(self.reach) as usize;
        let right = pixels.len().min((x + self.reach) as usize + 1);
        pixels[left..right].fill(self.colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Grid, Path};
    use png::{Decoder, Transformations};

    fn decoded(drawing: &Drawing<'_>) -> (u32, u32, Vec<u8>) {
        let mut bytes = Vec::new();
        drawing.write_png(&mut bytes).unwrap();
        let mut decoder = Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        assert_eq!(
            reader.info().palette.as_deref(),
            Some(Colour::PALETTE.as_flattened())
        );
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        (frame.width, frame.height, pixels)
    }

    #[test]
    fn small_maps_are_enlarged() {
        let grid = Grid::from_fn(3, 2, |cell| cell.x != 1).unwrap();
        let (width, height, pixels) = decoded(&Drawing::new(&grid));
        assert_eq!((width, height), (96, 64));
        for (index, &pixel) in pixels.iter().enumerate() {
            let column = index % 96 / 32;
            assert_eq!(pixel, u8::from(column == 1));
        }
    }

    #[test]
    fn ends_on_large_maps() {
        let grid = Grid::open(1500, 20).unwrap();
        let path: Path = (1..=1499).map(|x| Cell::new(x, 0)).collect();
        let drawing = Drawing::new(&grid).with_path(Cell::new(0, 0), Cell::new(1499, 0), &path);
        let (width, height, pixels) = decoded(&drawing);
        assert_eq!((width, height), (1500, 20));
        assert_eq!(pixels[..10], [3, 3, 3, 3, 3, 3, 3, 0, 0, 2]);
        assert_eq!(pixels[1490..1500], [2, 0, 0, 4, 4, 4, 4, 4, 4, 4]);
        assert_eq!(pixels[6 * 1500], 3);
        assert_eq!(pixels[7 * 1500], 0);
    }
}
