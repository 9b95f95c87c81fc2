//! The bitmap that game editors export: reading it, and the words of refusals.

use crate::yard::yard;
use nav_formats::{Format, MapFile, ParseError, WriteError, bitmap};
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

#[track_caller]
fn refused(file: &str, sentence: &str) {
    let error: ParseError = bitmap::read(file.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), sentence);
}

#[track_caller]
fn refused_with(from: &str, to: &str, sentence: &str) {
    assert!(YARD.contains(from));
    refused(&YARD.replace(from, to), sentence);
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
fn blanks_and_order() {
    let crlf = YARD.replace('\n', "\r\n");
    for file in [
        crlf.as_str(),
        YARD.trim_end(),
        &YARD.replace(",}", "}"),
        &YARD.replace("},", "}"),
        &YARD.replace(",},", "}"),
        &YARD.replace(',', " ,\t").replace('{', " { "),
        &YARD
            .replace('=', " = ")
            .replace("(-30, 0, 30)", "( -30,0 , 30.0 )"),
        &YARD.replace('\n', "\n \t\n\n"),
        &format!("\u{feff}{crlf}"),
        "accuracy=1e0\nwide=5\nheight=003\nstartpos=(-3e1,-0,+30.)\n\
         {0,0,0,0,0}\n{0,1,1,1,0}\n{0,0,1,0,0}",
    ] {
        assert_eq!(
            bitmap::read(file.as_bytes()),
            Ok((yard(), yard_frame())),
            "{file:?}"
        );
    }
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

#[test]
fn header_lines() {
    refused(
        "",
        "line 1: the file ends inside the header; expected 'startpos=(x, y, z)'",
    );
    refused(
        "startpos=(0,0,0)\naccuracy=1\nheight=1\n",
        "line 4: the file ends inside the header; expected 'wide=' and a number",
    );
    refused_with(
        "accuracy=1\n",
        "",
        "line 4: unknown header line '{0,0,0,0,0,},'; expected 'accuracy=' and a number",
    );
    refused_with(
        "wide=",
        "width=",
        "line 3: unknown header line 'width=5'; expected 'wide=' and a number",
    );
    refused_with(
        "height=3",
        "height 3",
        "line 2: unknown header line 'height 3'; expected 'height=' and a number",
    );
    refused_with(
        "accuracy=1\n",
        "accuracy=1\n0,0,0,0,0\n",
        "line 5: unknown header line '0,0,0,0,0'; expected a row in braces",
    );
    refused_with(
        "accuracy=1",
        "accuracy=1\nheight=3",
        "line 5: height is given twice",
    );
}

#[test]
fn header_values() {
    for value in [
        "(-30, 30)",
        "(1,2,3,4)",
        "1,2,3",
        "(a,0,0)",
        "(inf,0,0)",
        "(1,,2)",
        "",
    ] {
        refused_with(
            "(-30, 0, 30)",
            value,
            &format!(
                "line 1, column 10: startpos '{value}' is not a point; \
                 expected three numbers such as (-30, 0, 30)"
            ),
        );
    }
    for value in ["0", "-1", "nan", "inf", "1e999", "1,5", ""] {
        refused_with(
            "accuracy=1",
            &format!("accuracy={value}"),
            &format!(
                "line 4, column 10: accuracy '{value}' is not a size; \
                 expected a number above 0"
            ),
        );
    }
    refused_with(
        "height=3",
        "height=-3",
        "line 2, column 8: height '-3' is not a whole number; expected 1 to 16384",
    );
    refused_with(
        "wide=5",
        "wide=16385",
        "line 3, column 6: wide 16385 is out of range; expected 1 to 16384",
    );
    refused_with(
        "wide=5",
        "wide=",
        "line 3, column 6: wide '' is not a whole number; expected 1 to 16384",
    );
}

#[test]
fn too_small_cells() {
    refused_with(
        "(-30, 0, 30)",
        "(1e18, 0, 0)",
        "line 4: cells of 1 cannot be told apart with the origin at [1e18, 0.0, 0.0]; \
         move the origin nearer to zero",
    );
}

#[test]
fn number_of_rows() {
    refused_with(
        "{0,0,1,0,0,},\n",
        "\n",
        "line 7: the file ends after 2 rows, expected 3 as in the header",
    );
    refused_with(
        "{0,0,1,0,0,},\n",
        "{0,0,1,0,0,},\n{",
        "line 8: text after the last row; expected 3 rows as in the header",
    );
}

#[test]
fn header_not_believed() {
    refused(
        "startpos=(0,0,0)\naccuracy=1\nheight=16384\nwide=16384\n",
        "line 5: the file ends after 0 rows, expected 16384 as in the header",
    );
}

#[test]
fn uneven_rows() {
    for (row, found) in [("{0,1,1,0}", 4), ("{0,1,1,1,0,0,},", 6), ("{}", 0)] {
        refused_with(
            "{0,1,1,1,0,},",
            row,
            &format!("line 6: row has {found} cells, expected 5 as in the header"),
        );
    }
}

#[test]
fn characters_out_of_place() {
    for (row, column, found, expected) in [
        ("0,1,1,1,0", 1, "0", "'{'"),
        ("{0,2,1,1,0}", 4, "2", "'0', '1' or '}'"),
        ("{0,,1,1,0}", 4, ",", "'0', '1' or '}'"),
        ("{0 1,1,1,0}", 4, "1", "',' or '}'"),
        ("{0,10,1,1,0}", 5, "0", "',' or '}'"),
        ("{0,1,1,1,0};", 12, ";", "',' or the end of the line"),
        ("{0,1,1,1,0},,", 13, ",", "the end of the line"),
        ("{0,\u{e4}", 4, "\u{e4}", "'0', '1' or '}'"),
    ] {
        refused_with(
            "{0,1,1,1,0,},",
            row,
            &format!("line 6, column {column}: unknown character '{found}'; expected {expected}"),
        );
    }
    refused_with(
        "{0,1,1,1,0,},",
        "{0,1,1",
        "line 6, column 7: the line ends here; expected ',' or '}'",
    );
    refused_with(
        "{0,1,1,1,0,},",
        "{",
        "line 6, column 2: the line ends here; expected '0', '1' or '}'",
    );
}
