//! Maps in plain text: reading them, and the words of refusals.

use nav_grid::{
    Cell, Grid,
    map::text::{self, TextError, TextProblem},
};

fn yard() -> Grid {
    Grid::from_fn(5, 3, |Cell { x, y, .. }| {
        (y == 1 && (1..4).contains(&x)) || (x, y) == (2, 2)
    })
    .unwrap()
}

const YARD_TEXT: &str = "#####\n#...#\n##.##\n";

#[track_caller]
fn refused(result: Result<Grid, TextError>, sentence: &str) {
    assert_eq!(result.unwrap_err().to_string(), sentence);
}

#[test]
fn errors_by_code() {
    let error = text::read(b"...\n..\n").unwrap_err();
    assert_eq!((error.line, error.column), (2, None));
    assert_eq!(
        error.problem,
        TextProblem::RowWidth {
            found: 2,
            expected: 3,
            authority: "first row"
        }
    );
}

#[test]
fn read() {
    assert_eq!(text::read(YARD_TEXT.as_bytes()), Ok(yard()));
}

#[test]
fn written_with_comment() {
    assert_eq!(text::write(&yard(), ""), YARD_TEXT);
    assert_eq!(
        text::write(&yard(), "A yard.\n\n  One gate.\n"),
        format!("; A yard.\n;\n;   One gate.\n{YARD_TEXT}")
    );
}

#[test]
fn line_ends_and_comments() {
    let crlf = YARD_TEXT.replace('\n', "\r\n");
    for file in [
        crlf.as_str(),
        YARD_TEXT.trim_end(),
        crlf.trim_end(),
        &format!("{YARD_TEXT}\n\n"),
        &format!("{crlf}\r\n\r\n"),
        &format!(";\n; \u{e4}ny \t bytes \0\n;;\n{YARD_TEXT}"),
        &format!("\u{feff}{YARD_TEXT}"),
        &format!("; a\r\n\r\n; b\r\n\r\n{crlf}"),
    ] {
        assert_eq!(text::read(file.as_bytes()), Ok(yard()), "{file:?}");
    }
    let mut not_utf8 = b"; \xff\xfe\n".to_vec();
    not_utf8.extend(YARD_TEXT.bytes());
    assert_eq!(text::read(&not_utf8), Ok(yard()));
}

#[test]
fn no_rows() {
    let sentence = |line| format!("line {line}: no rows; expected at least one row of cells");
    refused(text::read(b""), &sentence(1));
    refused(text::read(b"\n\r\n\n"), &sentence(1));
    refused(text::read(b"; only\n; comments"), &sentence(3));
    refused(text::read(b"; only\n; comments\n\n"), &sentence(3));
}

#[test]
fn unknown_characters() {
    let refused = |file: &[u8], line, column, found| {
        refused(
            text::read(file),
            &format!(
                "line {line}, column {column}: \
                 unknown character '{found}'; expected '.' or '#'"
            ),
        );
    };
    refused(b"...\n.x.\n", 2, 2, "x");
    refused(b"; c\n\n..@\n", 3, 3, "@");
    refused(b"...\n; late\n", 2, 1, ";");
    refused(b"...\n.. \n", 2, 3, " ");
    refused(b"..\t\n", 1, 3, "\\t");
    refused(b"..\r.\n", 1, 3, "\\r");
    refused(b"\0..\n", 1, 1, "\\0");
    refused(b".\x1b[2J\n", 1, 2, "\\u{1b}");
    refused(".\u{e4}.\n".as_bytes(), 1, 2, "\u{e4}");
    refused(".\u{feff}.\n".as_bytes(), 1, 2, "\\u{feff}");
    refused(b"..\xff\n", 1, 3, "\\xff");
    refused(b"..\xc3", 1, 3, "\\xc3");
}

#[test]
fn uneven_rows() {
    refused(
        text::read(b"; c\n....\n....\n.....\n"),
        "line 4: row has 5 cells, expected 4 as in the first row",
    );
    refused(
        text::read(b"....\r\n...\r\n"),
        "line 2: row has 3 cells, expected 4 as in the first row",
    );
    refused(
        text::read(b"....\n\n....\n"),
        "line 2: row has 0 cells, expected 4 as in the first row",
    );
}

#[test]
fn too_large() {
    let side = usize::from(Grid::SIDE_MAX);
    assert!(text::read(".".repeat(side).as_bytes()).is_ok());
    refused(
        text::read(format!("; c\n{}", ".".repeat(side + 1)).as_bytes()),
        "line 2: row has 16385 cells; expected 1 to 16384",
    );
    refused(
        text::read(format!("{}?", ".".repeat(side + 1)).as_bytes()),
        "line 1, column 16386: unknown character '?'; expected '.' or '#'",
    );
    assert!(text::read(".\n".repeat(side).as_bytes()).is_ok());
    refused(
        text::read(".\n".repeat(side + 1).as_bytes()),
        "line 16385: too many rows; expected 1 to 16384",
    );
}
