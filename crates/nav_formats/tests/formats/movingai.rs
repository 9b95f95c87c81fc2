//! Maps of a benchmark collection, `MovingAI`.

use crate::yard::{self, YARD_MOVINGAI, refused, yard};
use nav_formats::movingai;
use nav_grid::Grid;

#[test]
fn read_and_written() {
    assert_eq!(movingai::read(YARD_MOVINGAI.as_bytes()), Ok(yard()));
    assert_eq!(movingai::write(&yard()), YARD_MOVINGAI);
}

#[test]
fn letters() {
    let file = b"type octile\nheight 1\nwidth 7\nmap\n.GS@OTW\n";
    let expected = Grid::from_fn(7, 1, |cell| cell.x < 3).unwrap();
    assert_eq!(movingai::read(file), Ok(expected));
}

#[test]
fn line_ends_and_order() {
    let crlf = YARD_MOVINGAI.replace('\n', "\r\n");
    for file in [
        crlf.as_str(),
        YARD_MOVINGAI.trim_end(),
        crlf.trim_end(),
        &format!("{YARD_MOVINGAI}\n\n"),
        &YARD_MOVINGAI.replace("height 3\nwidth 5", "width 5\nheight 3"),
        &YARD_MOVINGAI.replace("height 3", "height \t 0003 "),
    ] {
        assert_eq!(movingai::read(file.as_bytes()), Ok(yard()), "{file:?}");
    }
}

#[test]
fn header_out_of_place() {
    let refused = |from, to, sentence| {
        let file = YARD_MOVINGAI.replace(from, to);
        refused(movingai::read(file.as_bytes()), sentence);
    };
    refused(
        "type octile",
        "type tile",
        "line 1: unknown header line 'type tile'; expected 'type octile'",
    );
    refused(
        "type octile",
        "type octile 2",
        "line 1: unknown header line 'type octile 2'; expected 'type octile'",
    );
    refused(
        "type octile\n",
        "",
        "line 1: unknown header line 'height 3'; expected 'type octile'",
    );
    refused(
        "height 3\nwidth 5\n",
        "",
        "line 2: unknown header line 'map'; expected 'height' or 'width' and a number",
    );
    refused(
        "width 5\n",
        "",
        "line 3: unknown header line 'map'; expected 'width' and a number",
    );
    refused(
        "height 3\n",
        "",
        "line 3: unknown header line 'map'; expected 'height' and a number",
    );
    refused(
        "height 3",
        "height",
        "line 2: unknown header line 'height'; expected 'height' or 'width' and a number",
    );
    refused(
        "map\n",
        "",
        "line 4: unknown header line '@@@@@'; expected 'map'",
    );
    refused(
        "map\n",
        "\x07\n",
        "line 4: unknown header line '\\u{7}'; expected 'map'",
    );
    refused("width 5", "height 3", "line 3: height is given twice");
}

#[test]
fn long_header_line() {
    let file = "\u{e4}".repeat(1 << 20);
    refused(
        movingai::read(file.as_bytes()),
        &format!(
            "line 1: unknown header line '{}...'; expected 'type octile'",
            "\u{e4}".repeat(40)
        ),
    );
}

#[test]
fn ends_early() {
    for (file, line, expected) in [
        ("", 1, "'type octile'"),
        ("\n\n", 1, "'type octile'"),
        ("type octile\n", 2, "'height' or 'width' and a number"),
        ("type octile\nwidth 5", 3, "'height' and a number"),
        ("type octile\nheight 3\n\n\n", 3, "'width' and a number"),
        ("type octile\nheight 3\nwidth 5", 4, "'map'"),
    ] {
        refused(
            movingai::read(file.as_bytes()),
            &format!("line {line}: the file ends inside the header; expected {expected}"),
        );
    }
}

#[test]
fn absurd_sides() {
    let refused = |value: &str, sentence: &str| {
        let file = YARD_MOVINGAI.replace("height 3", &format!("height {value}"));
        refused(movingai::read(file.as_bytes()), sentence);
    };
    for value in ["0", "16385", "99999999", "18446744073709551616"] {
        refused(
            value,
            &format!("line 2: height {value} is out of range; expected 1 to 16384"),
        );
    }
    refused(
        &"9".repeat(100_000),
        &format!(
            "line 2: height {}... is out of range; expected 1 to 16384",
            "9".repeat(40)
        ),
    );
    for value in ["-3", "+3", "3.0", "3e0", "0x3", "three"] {
        refused(
            value,
            &format!("line 2: height '{value}' is not a whole number; expected 1 to 16384"),
        );
    }
    yard::refused(
        movingai::read(b"type octile\nheight 3\nwidth -1\nmap\n"),
        "line 3: width '-1' is not a whole number; expected 1 to 16384",
    );
}

#[test]
fn header_not_believed() {
    refused(
        movingai::read(b"type octile\nheight 16384\nwidth 16384\nmap\n"),
        "line 5: the file ends after 0 rows, expected 16384 as in the header",
    );
}

#[test]
fn number_of_rows() {
    refused(
        movingai::read(b"type octile\nheight 3\nwidth 5\nmap\n@@@@@\n@...@\n\n"),
        "line 7: the file ends after 2 rows, expected 3 as in the header",
    );
    refused(
        movingai::read(format!("{YARD_MOVINGAI}\n@@@@@\n").as_bytes()),
        "line 8: text after the last row; expected 3 rows as in the header",
    );
}

#[test]
fn uneven_rows() {
    let file = YARD_MOVINGAI.replace("@...@", "@....@");
    refused(
        movingai::read(file.as_bytes()),
        "line 6: row has 6 cells, expected 5 as in the header",
    );
    let file = YARD_MOVINGAI.replace("@...@", "");
    refused(
        movingai::read(file.as_bytes()),
        "line 6: row has 0 cells, expected 5 as in the header",
    );
}

#[test]
fn unknown_characters() {
    let file = YARD_MOVINGAI.replace("@...@", "@.#.@");
    refused(
        movingai::read(file.as_bytes()),
        "line 6, column 3: unknown character '#'; \
         expected '.', 'G', 'S', '@', 'O', 'T' or 'W'",
    );
}
