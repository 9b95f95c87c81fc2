//! Encodings of text: a byte order mark before each format, and UTF-16.

#[cfg(feature = "tiled")]
use nav_formats::{Files, ReadOptions};
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

fn utf16(text: &str, is_big: bool) -> Vec<u8> {
    let units = text.encode_utf16();
    let bytes = |unit: u16| {
        if is_big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    units.flat_map(bytes).collect()
}

#[test]
fn utf16_refused() {
    const SENTENCE: &str =
        "line 1: the text is in UTF-16; expected UTF-8: save it with that encoding";
    let mut count = 0;
    for &format in Format::ALL.iter().filter(|&&format| is_text(format)) {
        let file = format.write_what_fits(&yard(), "A yard.").unwrap();
        let file = String::from_utf8(file).unwrap();
        for text in [file.clone(), format!("\u{feff}{file}")] {
            for bytes in [utf16(&text, false), utf16(&text, true)] {
                assert!(nav_formats::is_utf16(&bytes));
                let error = format.read(&bytes).unwrap_err();
                assert_eq!(error.to_string(), SENTENCE, "{format}");
                count += 1;
            }
        }
    }
    assert!(count >= 12);
    let queries = utf16("version 1\n", false);
    assert_eq!(scen::read(&queries).unwrap_err().to_string(), SENTENCE);
}

#[cfg(feature = "tiled")]
#[test]
fn tileset_in_utf16() {
    let map = r#"<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="8"
 tileheight="8"><tileset firstgid="1" source="a.tsx"/><layer name="cost" width="1" height="1">
 <data encoding="csv">1</data></layer></map>"#;
    let files = Files::default().with("a.tsx", utf16("<tileset name=\"a\"/>", false));
    let options = ReadOptions::default().with_files(files);
    let error = Format::TiledXml.read_with(map.as_bytes(), &options);
    assert_eq!(
        error.unwrap_err().problem.to_string(),
        "layer 'cost' needs its tileset: the file 'a.tsx' is in UTF-16; expected UTF-8: save it \
         with that encoding"
    );
}
