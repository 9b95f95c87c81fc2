//! The format of a file.

use crate::yard::{YARD_MOVINGAI, YARD_TEXT, yard};
use nav_formats::Format;

const BITMAP: &[u8] = b"\nwide = 1\nheight=1\nstartpos=(0,0,0)\naccuracy=1\n{1}\n";

#[test]
fn by_extension() {
    let detect = |extension, bytes| Format::detect(Some(extension), bytes);
    assert_eq!(detect("map", BITMAP), Some(Format::MovingAi));
    assert_eq!(detect("BITMAP", b"..."), Some(Format::Bitmap));
    assert_eq!(detect("navmesh", b""), Some(Format::Bitmap));
    assert_eq!(detect("jpeg", BITMAP), None);
    assert_eq!(detect("", BITMAP), None);
}

#[test]
fn txt_by_start() {
    let detect = |bytes| Format::detect(Some("txt"), bytes);
    assert_eq!(detect(BITMAP), Some(Format::Bitmap));
    assert_eq!(
        detect(b"\xef\xbb\xbfstartpos=(0, 0, 0)"),
        Some(Format::Bitmap)
    );
    for other in [
        YARD_TEXT,
        "",
        "; wide=3\n...",
        "wide",
        "width=3",
        "=",
        "{1,0,},",
    ] {
        assert_eq!(detect(other.as_bytes()), Some(Format::Text), "{other:?}");
    }
}

#[cfg(all(feature = "ldtk", feature = "tiled"))]
#[test]
fn json_by_start() {
    let detect = |bytes| Format::detect(Some("JSON"), bytes);
    let written = Format::TiledJson.write(&yard().into(), "").unwrap();
    assert_eq!(detect(&written), Some(Format::TiledJson));
    assert_eq!(detect(b"{}"), Some(Format::TiledJson));
    assert_eq!(detect(b"{ \"__header__\": {"), Some(Format::Ldtk));
    assert_eq!(
        detect(b"\xef\xbb\xbf\n{\n\t\"__header__\": {"),
        Some(Format::Ldtk)
    );
    assert_eq!(Format::from_extension("json"), Some(Format::TiledJson));
}

#[test]
fn by_content() {
    let detect = |bytes| Format::detect(None, bytes);
    assert_eq!(detect(YARD_TEXT.as_bytes()), Some(Format::Text));
    assert_eq!(detect(b"\n; A yard."), Some(Format::Text));
    assert_eq!(detect(YARD_MOVINGAI.as_bytes()), Some(Format::MovingAi));
    assert_eq!(detect(BITMAP), Some(Format::Bitmap));
    assert_eq!(detect(b""), None);
    assert_eq!(detect(b"\x7fELF\r\n\x1a\n"), None);
}

#[test]
fn own_files() {
    for &format in Format::ALL.iter().filter(|format| format.can_write()) {
        let file = format.write_what_fits(&yard().into(), "A yard.").unwrap();
        assert_eq!(Format::detect(None, &file), Some(format));
        assert!(Format::detect(Some("txt"), &file).is_some());
    }
}
