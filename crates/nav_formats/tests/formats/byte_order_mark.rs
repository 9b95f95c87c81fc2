//! A byte order mark before each format of text.

use nav_formats::{Format, MapFile, Position, scen};
use nav_grid::{Grid, map::text};

const MARK: &[u8] = b"\xef\xbb\xbf";

fn marked(bytes: &[u8]) -> Vec<u8> {
    [MARK, bytes].concat()
}

fn yard() -> MapFile {
    Grid::from_fn(3, 2, |cell| cell.x != cell.y).unwrap().into()
}

fn is_text(format: Format) -> bool {
    let file = format.write_what_fits(&yard(), "");
    file.is_ok_and(|file| str::from_utf8(&file).is_ok() && !file.contains(&0))
}

#[test]
fn maps() {
    let formats = Format::ALL.iter().filter(|&&format| is_text(format));
    let mut count = 0;
    for &format in formats {
        let file = format.write_what_fits(&yard(), "A yard.").unwrap();
        let read = format.read(&marked(&file)).unwrap();
        assert_eq!(read.grid, yard().grid, "{format}");
        assert_eq!(Format::detect(None, &marked(&file)), Some(format));
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn scenario_files() {
    let file = b"version 1\n0\ta.map\t9\t9\t0\t0\t1\t1\t1.41421356\n";
    assert_eq!(scen::read(&marked(file)), scen::read(file));
}

#[test]
fn columns_without_mark() {
    let error = text::read(&marked(b"..x\n")).unwrap_err();
    assert_eq!((error.line, error.column), (1, Some(3)));
    let error = Format::MovingAi
        .read(&marked(b"kind octile\n"))
        .unwrap_err();
    assert_eq!(
        error.position,
        Position::Line {
            line: 1,
            column: None
        }
    );
}

#[test]
fn mark_alone() {
    for &format in Format::ALL {
        assert!(format.read(MARK).is_err(), "{format}");
    }
}
