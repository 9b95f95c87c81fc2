//! What PNG maps leave out, and pictures of exits.

use nav_formats::{Format, Warning, png};
use nav_grid::{Cell, Directions, Grid};
use nav_judge::{check_error, check_warning};

fn yard() -> Grid {
    Grid::from_fn(5, 4, |cell| cell.x != cell.y).unwrap()
}

/// A chunk with its length and checksum.
fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let body = [kind.as_slice(), content].concat();
    let length = (content.len() as u32).to_be_bytes();
    let checksum = crc32fast::hash(&body).to_be_bytes();
    [&length, body.as_slice(), &checksum].concat()
}

/// A map with chunks behind its header.
fn with(chunks: &[Vec<u8>]) -> Vec<u8> {
    // Signature and the chunk of 13 bytes.
    const HEADER: usize = 8 + 25;
    let mut bytes = png::write(&yard()).unwrap();
    bytes.splice(HEADER..HEADER, chunks.concat());
    bytes
}

fn warnings(bytes: &[u8]) -> Vec<Warning> {
    let map = Format::Png.read(bytes).unwrap();
    assert_eq!(map.grid, yard());
    map.warnings.iter().for_each(check_warning);
    map.warnings
}

#[test]
fn usual_chunks() {
    assert_eq!(warnings(&with(&[])), []);
    let text = chunk(b"tEXt", b"Comment\0a yard");
    let gamma = chunk(b"gAMA", &45_455_u32.to_be_bytes());
    assert_eq!(warnings(&with(&[gamma, text])), []);
}

#[test]
fn unknown_chunks() {
    let chunks = [chunk(b"miNE", b"abc"), chunk(b"yoUR", b"")];
    let warnings = warnings(&with(&chunks));
    assert_eq!(
        warnings[0].to_string(),
        "unknown chunks of the picture were left out: 'miNE' and 'yoUR'"
    );
}

#[test]
fn animations() {
    let control = [2_u32.to_be_bytes(), 0_u32.to_be_bytes()].concat();
    assert_eq!(
        warnings(&with(&[chunk(b"acTL", &control)])),
        [Warning::Animation]
    );
}

#[test]
fn bytes_behind() {
    let mut bytes = with(&[]);
    bytes.extend(b"more");
    assert_eq!(warnings(&bytes), [Warning::Behind { bytes: 4 }]);
}

#[test]
fn exits_read_back() {
    let mut grid = yard();
    for (index, cell) in grid.clone().cells_in_order().enumerate() {
        grid.set_exits(cell, Directions((index * 13) as u8))
            .unwrap();
    }
    let picture = png::write_exits(&grid).unwrap();
    let mut again = yard();
    png::read_exits(&picture, &mut again).unwrap();
    assert_eq!(again, grid);
}

trait CellsInOrder {
    fn cells_in_order(&self) -> impl Iterator<Item = Cell>;
}

impl CellsInOrder for Grid {
    fn cells_in_order(&self) -> impl Iterator<Item = Cell> {
        let width = self.width();
        (0..self.height()).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }
}

#[test]
fn open_exits() {
    let mut grid = yard();
    grid.set_exits(Cell::new(1, 0), Directions::NONE).unwrap();
    let picture = png::write_exits(&yard()).unwrap();
    png::read_exits(&picture, &mut grid).unwrap();
    assert!(!grid.has_exits());
    assert_eq!(grid.exits(Cell::new(1, 0)), Directions::ALL);
}

#[test]
fn bits_of_grey() {
    // North alone is 1, and a map of walls and costs has all other greys.
    let picture = png::write(&Grid::from_fn(1, 1, |_| true).unwrap()).unwrap();
    let mut grid = Grid::from_fn(1, 1, |_| true).unwrap();
    grid.set_exits(Cell::new(0, 0), Directions(1)).unwrap();
    png::read_exits(&picture, &mut grid).unwrap();
    assert_eq!(grid.exits(Cell::new(0, 0)), Directions::ALL);
}

#[test]
fn exits_of_another_size() {
    let mut grid = Grid::open(4, 4).unwrap();
    let picture = png::write_exits(&yard()).unwrap();
    let error = png::read_exits(&picture, &mut grid).unwrap_err();
    check_error(&error, &picture);
    let sentence = error.to_string();
    assert!(
        sentence.ends_with("a picture of exits of 5x4 pixels; expected 4x4 as the map has cells"),
        "{sentence}"
    );
}

#[test]
fn damaged_exits() {
    let picture = png::write_exits(&yard()).unwrap();
    for length in 0..picture.len() - 12 {
        let mut grid = yard();
        let cut = &picture[..length];
        check_error(&png::read_exits(cut, &mut grid).unwrap_err(), cut);
        assert_eq!(grid, yard());
    }
}
