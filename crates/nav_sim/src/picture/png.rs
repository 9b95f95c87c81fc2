//! Drawings as PNG.

use super::{
    colour::Colour,
    drawing::{Drawing, Mark},
    link_marks::{Rect, link_marks, middle},
    object_marks::object_marks,
};
use nav_grid::Cell;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Writer};
use std::io::Write;

/// Wanted longer side of a picture in pixels; sets the pixels per cell. Fits a screen of
/// 1080 rows.
const SIDE_WANTED: u32 = 1024;
/// Most pixels per cell side. Maps of less than 32 cells a side make smaller pictures.
const ZOOM_MAX: u32 = 32;
/// Least side in pixels of the squares that mark start and goal, so that they are visible on a
/// large map: a little more than a hundredth of its picture.
const MARK_MIN: u32 = 13;
/// Width in pixels of the light rim around such a square, which sets it off from walls.
const RIM: i32 = 2;

/// Returns the colour of a mark.
pub(super) const fn colour_of(mark: Mark) -> Colour {
    match mark {
        Mark::Floor => Colour::Paper,
        Mark::Cost(2 | 3) => Colour::Fawn,
        Mark::Cost(_) => Colour::Umber,
        Mark::Class(_) => Colour::Water,
        Mark::Wall => Colour::Ink,
        Mark::Path => Colour::Orange,
        Mark::Start => Colour::Green,
        Mark::Goal => Colour::Blue,
        Mark::Road => Colour::Sand,
        Mark::Stairs | Mark::Link => Colour::Violet,
    }
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

        let marks = Rows::new(self.marks_above(zoom));
        let mut cells = Vec::with_capacity(width as usize);
        let mut pixels = Vec::with_capacity(width as usize);
        for y in 0..rows {
            cells.clear();
            for mark in self.row(y) {
                cells.extend(std::iter::repeat_n(colour_of(mark).index(), zoom as usize));
            }
            for pixel_y in u32::from(y) * zoom..(u32::from(y) + 1) * zoom {
                pixels.clone_from(&cells);
                marks.paint(pixel_y as i32, &mut pixels);
                stream.write_all(&pixels)?;
            }
        }
        stream.finish()?;
        writer.finish()
    }

    /// Returns what is painted over the cells: links, objects, and on large maps squares around the
    /// ends of the path.
    fn marks_above(&self, zoom: u32) -> Vec<Rect> {
        let mut marks = link_marks(self.grid, self.floor, zoom);
        marks.extend(object_marks(self.objects(), zoom));
        match self.ends {
            Some(ends) if zoom < MARK_MIN => marks.extend(self.squares(ends, zoom)),
            // On small maps the cells themselves are large enough.
            _ => {}
        }
        marks
    }

    /// Returns the squares that mark the ends of a path, in painting order.
    fn squares(&self, (start, goal): (Cell, Cell), zoom: u32) -> impl Iterator<Item = Rect> {
        let reach = MARK_MIN as i32 / 2;
        let floor = self.floor;
        [(goal, Mark::Goal), (start, Mark::Start)]
            .into_iter()
            .filter(move |(cell, _)| cell.floor == floor)
            .flat_map(move |(cell, mark)| {
                let centre = middle(cell, zoom as i32);
                [
                    Rect::around(centre, reach + RIM, Colour::Paper),
                    Rect::around(centre, reach, colour_of(mark)),
                ]
            })
    }
}

/// Marks by the rows of pixels that they touch, because a large picture is written row by row.
struct Rows {
    /// By their upper edge, each with its place in painting order.
    by_top: Vec<(usize, Rect)>,
    tallest: i32,
}

impl Rows {
    fn new(marks: Vec<Rect>) -> Self {
        let tallest = marks.iter().map(|mark| mark.height).max().unwrap_or(0);
        let mut by_top: Vec<(usize, Rect)> = marks.into_iter().enumerate().collect();
        by_top.sort_by_key(|(_, mark)| mark.top);
        Self { by_top, tallest }
    }

    /// Paints the part of all marks in a row of pixels.
    fn paint(&self, y: i32, row: &mut [u8]) {
        let first = self
            .by_top
            .partition_point(|(_, mark)| mark.top + self.tallest <= y);
        let end = self.by_top.partition_point(|(_, mark)| mark.top <= y);
        let mut touched = self.by_top[first..end].to_vec();
        touched.sort_unstable_by_key(|&(place, _)| place);
        for (_, mark) in touched {
            mark.paint(y, row);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{Grid, Link, Path, Size, rules::Class};
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
    fn water_is_told_from_slow_ground() {
        let mut grid = Grid::open(4, 1).unwrap();
        grid.set_class(Cell::new(1, 0), Class::new(1).unwrap())
            .unwrap();
        grid.set_cost(Cell::new(2, 0), 3).unwrap();
        grid.set_cost(Cell::new(3, 0), 9).unwrap();
        let (_, _, pixels) = decoded(&Drawing::new(&grid));
        let seen = [0, 1, 2, 3].map(|cell| pixels[cell * 32 + 16]);
        let expected = [Colour::Paper, Colour::Water, Colour::Fawn, Colour::Umber];
        assert_eq!(seen, expected.map(Colour::index));
    }

    #[test]
    fn stairs_on_a_large_map() {
        let mut grid = Grid::build(Size::new(600, 30).with_floors(2), |_| true).unwrap();
        let foot = Cell::new(300, 15);
        grid.set_link(Link::new(foot, foot.on_floor(1))).unwrap();
        for floor in [0, 1] {
            let (_, _, pixels) = decoded(&Drawing::new(&grid).of_floor(floor));
            let violet = pixels.iter().filter(|&&one| one == Colour::Violet.index());
            // Three steps of 4 pixels' width, 4, 8 and 12 high.
            assert_eq!(violet.count(), 96, "floor {floor}");
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
