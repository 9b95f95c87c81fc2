//! The bitmap that game editors export: writing it. What is read is in `tests/cases`.

use crate::yard::yard;
use nav_formats::{Format, MapFile, WriteError, bitmap};
use nav_grid::{
    Frame,
    map::{Axes, AxisSign},
};

const YARD: &str = "\
startpos=(-30, 0, 30)
height=3
wide=5
accuracy=1
{0,0,0,0,0,},
{0,1,1,1,0,},
{0,0,1,0,0,},
";

fn yard_frame() -> Frame {
    Frame::new([-30.0, 0.0, 30.0], 1.0, Axes::Y_UP).unwrap()
}

#[test]
fn read_and_written() {
    assert_eq!(bitmap::read(YARD.as_bytes()), Ok((yard(), yard_frame())));
    assert_eq!(bitmap::write(&yard(), &yard_frame()).unwrap(), YARD);
}

#[test]
fn start_and_rows() {
    let row = format!("{{{}}},\n", "1,".repeat(60));
    let file = format!(
        "startpos=(-30, 0, 30)\nheight=60\nwide=60\naccuracy=1\n{}",
        row.repeat(60)
    );
    let (grid, frame) = bitmap::read(file.as_bytes()).unwrap();
    assert_eq!((grid.width(), grid.height()), (60, 60));
    assert_eq!(frame.column_row([-1.6, 3.0, -10.52]), (28, 41));
}

#[test]
fn frames_round_trip() {
    for (origin, size) in [
        ([0.1, -0.2, 0.3], 0.1),
        ([-1_234.567_891_234, 1e-300, 8910.11], 1.0 / 3.0),
        ([1e12, 0.0, -1e12], 123_456.789),
        ([1e-9, 2e-9, 3e-9], 5e-9),
    ] {
        let frame = Frame::new(origin, size, Axes::Y_UP).unwrap();
        let file = bitmap::write(&yard(), &frame).unwrap();
        assert_eq!(bitmap::read(file.as_bytes()), Ok((yard(), frame)), "{file}");
    }
}

#[test]
fn without_frame() {
    let file = Format::Bitmap.write(&yard().into(), "").unwrap();
    let frame = Frame::new([0.0; 3], 1.0, Axes::Y_UP).unwrap();
    assert_eq!(bitmap::read(&file), Ok((yard(), frame)));
}

#[test]
fn other_axes() {
    let axes = Axes {
        rows: AxisSign::Positive,
        ..Axes::Y_UP
    };
    let frame = Frame::new([0.0; 3], 2.0, axes).unwrap();
    let map = MapFile::from(yard()).with_frame(frame);
    let error = Format::Bitmap.write(&map, "").unwrap_err();
    let format = Format::Bitmap;
    assert_eq!(error, WriteError::Axes { format });
    assert_eq!(
        error.to_string(),
        "the bitmap format cannot hold the axes of this map's frame; \
         expected y up, columns toward +x and rows toward -z"
    );
    assert_eq!(
        format.write_what_fits(&map, "").unwrap(),
        format.write(&yard().into(), "").unwrap()
    );
}
