//! Walkability bitmap that game editors export from a navigation mesh.
//!
//! ```text
//! startpos=(-30, 0, 30)
//! height=2
//! wide=3
//! accuracy=1
//! {1,1,0,},
//! {1,1,1,},
//! ```
//!
//! `startpos` is the world position (x, y, z) of the centre of column 0, row 0. `accuracy` is the
//! side of a cell in world units. Columns run toward +x, rows toward −z and y points up, which is
//! [`Axes::Y_UP`]. The four header lines come before the rows, in any order, each once. `1` is a
//! walkable cell, `0` a blocked one.
//!
//! Spaces and tabs may stand between tokens. The last comma inside a row and the comma behind the
//! row are optional. Blank lines and a byte order mark are skipped. Lines end in LF or CRLF. The
//! format has no comments.
//!
//! A map without a frame is written with `startpos` 0, 0, 0 and `accuracy` 1.

use super::{
    codec::{Codec, TEXT},
    error::{ParseError, Problem, refuse},
    features::Features,
    format::Format,
    map_file::MapFile,
    words::{self, Word},
    write_error::WriteError,
};
use nav_grid::map::text::{Lines, TextProblem, quote, quote_first};
use nav_grid::{
    Cell, Frame, Grid,
    map::{Axes, FloorHeights},
};
use std::fmt::Write as _;

pub(crate) const CODEC: Codec = Codec {
    name: "bitmap",
    extensions: &["bitmap", "navmesh"],
    holds: Features::FRAME,
    looks_like,
    read: |bytes, _| read(bytes).map(|(grid, frame)| MapFile::from(grid).with_frame(frame)),
    write: Some(|map, _| Ok(write_what_fits(&map.grid, map.frame.as_ref()).into_bytes())),
    ..TEXT
};

/// Returns whether the first line that is not blank is a header line of this format.
fn looks_like(bytes: &[u8]) -> bool {
    Lines::new(bytes)
        .find(|line| !words::is_blank(line))
        .is_some_and(|line| key_and_value(words::trim(line, 0)).is_some())
}

/// Reads a map and its frame.
///
/// # Errors
///
/// [`ParseError`] if
///
/// - a header line is missing, unknown, repeated or not a number,
/// - a side is not 1 to [`Grid::SIDE_MAX`],
/// - the accuracy is not positive, or too fine for the start position,
/// - there are fewer or more rows than the header says, or a row is shorter or longer,
/// - a row has an unexpected character.
pub fn read(bytes: &[u8]) -> Result<(Grid, Frame), ParseError> {
    let mut lines = Lines::new(bytes);
    let header = Header::read(&mut lines)?;
    let rows = read_rows(&mut lines, &header)?;
    Ok((to_grid(&rows, &header), header.frame))
}

/// Converts checked rows into a grid.
fn to_grid(rows: &[&[u8]], header: &Header) -> Grid {
    let mut cells = rows.iter().flat_map(|row| {
        row.iter()
            .filter(|byte| matches!(byte, b'0' | b'1'))
            .map(|&byte| byte == b'1')
    });
    // The grid asks in reading order, and every row has as many cells as the grid is wide.
    Grid::from_fn(header.wide, header.height, |_| cells.next() == Some(true))
        .expect("the header's sides are in range")
}

/// Value of a header line: up to three numbers.
type Value = [f64; 3];

/// Reader of a value, by the name of its key.
type ReadValue = fn(&str, &[u8]) -> Result<Value, Problem>;

/// Keys of header lines, with an example of the line for error messages, and the reader of the
/// value.
const KEYS: [(&str, &str, ReadValue); 4] = [
    ("startpos", "'startpos=(x, y, z)'", read_point),
    ("height", "'height=' and a number", read_side),
    ("wide", "'wide=' and a number", read_side),
    ("accuracy", "'accuracy=' and a number", read_size),
];

/// Splits a header line at its `=`, and returns the index of its key. `None` if it is no header
/// line.
fn key_and_value(content: Word<'_>) -> Option<(usize, Word<'_>)> {
    let at = content.bytes.iter().position(|&byte| byte == b'=')?;
    let found = content.bytes[..at].trim_ascii_end();
    let key = KEYS
        .iter()
        .position(|(name, ..)| name.as_bytes() == found)?;
    let value = words::trim(&content.bytes[at + 1..], content.column + at);
    Some((key, value))
}

/// Returns what error messages ask for next after these header lines.
fn expected(seen: &[Option<Value>; 4]) -> &'static str {
    let missing = seen.iter().position(Option::is_none);
    missing.map_or("a row in braces", |key| KEYS[key].1)
}

/// Complete header with all numbers in range.
struct Header {
    wide: u16,
    height: u16,
    frame: Frame,
}

impl Header {
    /// Reads lines up to the first row.
    fn read(lines: &mut Lines<'_>) -> Result<Self, ParseError> {
        let mut seen: [Option<Value>; 4] = [None; 4];
        // Only the start position shows whether the accuracy is too fine.
        let mut accuracy_line = 0;
        loop {
            let here = lines.clone();
            let number = here.number();
            let content = lines.next().map(|line| words::trim(line, 0));
            if let [
                Some(start),
                Some([height, ..]),
                Some([wide, ..]),
                Some([accuracy, ..]),
            ] = seen
                && content.is_none_or(|content| content.bytes.starts_with(b"{"))
            {
                *lines = here;
                let frame = Frame::new(start, accuracy, Axes::Y_UP);
                return Ok(Self {
                    wide: wide as u16,
                    height: height as u16,
                    frame: frame.map_err(|error| Problem::refused(error).on_line(accuracy_line))?,
                });
            }
            let Some(content) = content else {
                return Err(words::header_ends(expected(&seen)).on_line(number));
            };
            if content.bytes.is_empty() {
                continue;
            }
            let Some((key, value)) = key_and_value(content) else {
                let problem = words::header_line(content.bytes, expected(&seen));
                return Err(problem.on_line(number));
            };
            let (name, _, read) = KEYS[key];
            let read =
                read(name, value.bytes).map_err(|problem| problem.in_line(number, value.column))?;
            if seen[key].replace(read).is_some() {
                return Err(words::given_twice(name).on_line(number));
            }
            if name == "accuracy" {
                accuracy_line = number;
            }
        }
    }
}

/// Reads `(x, y, z)`.
fn read_point(name: &str, value: &[u8]) -> Result<Value, Problem> {
    let inner = value
        .strip_prefix(b"(")
        .and_then(|it| it.strip_suffix(b")"));
    let words = inner.unwrap_or_default().split(|&byte| byte == b',');
    // Four are enough to see that there are too many.
    let coordinates: Option<Vec<f64>> = words.take(4).map(words::finite).collect();
    let Some(&[x, y, z]) = coordinates.as_deref() else {
        let found = quote(value);
        refuse!(
            Value,
            "{name} '{found}' is not a point; expected three numbers such as (-30, 0, 30)"
        );
    };
    Ok([x, y, z])
}

/// Reads the side of a map.
fn read_side(name: &str, value: &[u8]) -> Result<Value, Problem> {
    words::side(name, value).map(|side| [side.into(), 0.0, 0.0])
}

/// Reads the side of a cell.
fn read_size(name: &str, value: &[u8]) -> Result<Value, Problem> {
    match words::finite(value) {
        Some(size) if size > 0.0 => Ok([size, 0.0, 0.0]),
        _ => {
            let found = quote(value);
            refuse!(
                Value,
                "{name} '{found}' is not a size; expected a number above 0"
            )
        }
    }
}

/// Reads and checks all rows. The digits of a row are its cells.
fn read_rows<'a>(lines: &mut Lines<'a>, header: &Header) -> Result<Vec<&'a [u8]>, ParseError> {
    let mut rows = Vec::new();
    loop {
        let number = lines.number();
        let Some(line) = lines.next() else { break };
        if words::is_blank(line) {
            continue;
        }
        if rows.len() == usize::from(header.height) {
            return Err(words::extra_rows(header.height).on_line(number));
        }
        let found = count_cells(line, number)?;
        if found != usize::from(header.wide) {
            return Err(Problem::Rows(TextProblem::RowWidth {
                found,
                expected: header.wide,
                authority: "header",
            })
            .on_line(number));
        }
        rows.push(line);
    }
    if rows.len() < usize::from(header.height) {
        return Err(words::missing_rows(rows.len(), header.height).on_line(lines.number()));
    }
    Ok(rows)
}

/// States within a row: the bytes that may come next with the states behind them, and these bytes
/// in words.
const STATES: [(&[(u8, usize)], &str); 5] = [
    (&[(b'{', 1)], "'{'"),
    (&[(b'0', 2), (b'1', 2), (b'}', 3)], "'0', '1' or '}'"),
    (&[(b',', 1), (b'}', 3)], "',' or '}'"),
    (&[(b',', 4)], "',' or the end of the line"),
    (&[], "the end of the line"),
];

/// First state in which a row may end.
const CLOSED: usize = 3;

/// Checks a row and counts its cells.
fn count_cells(line: &[u8], number: usize) -> Result<usize, ParseError> {
    let mut state = 0;
    let mut cells = 0;
    for (index, &byte) in line.iter().enumerate() {
        if words::is_space(byte) {
            continue;
        }
        let (next, expected) = STATES[state];
        let Some(&(_, behind)) = next.iter().find(|(it, _)| *it == byte) else {
            let found = quote_first(&line[index..]);
            let problem = Problem::Rows(TextProblem::UnknownCharacter { found, expected });
            return Err(problem.in_line(number, index + 1));
        };
        state = behind;
        cells += usize::from(matches!(byte, b'0' | b'1'));
    }
    if state < CLOSED {
        let sentence = format!("the line ends here; expected {}", STATES[state].1);
        return Err(Problem::Syntax(sentence).in_line(number, line.len() + 1));
    }
    Ok(cells)
}

/// Writes the ground floor of a map and its frame.
///
/// [`read`] returns an equal grid and an equal frame.
///
/// # Errors
///
/// [`WriteError::Axes`] if the frame has other axes than [`Axes::Y_UP`]; [`WriteError::Loses`] if
/// it has heights of floors.
pub fn write(grid: &Grid, frame: &Frame) -> Result<String, WriteError> {
    if frame.axes() != Axes::Y_UP {
        return Err(WriteError::Axes {
            format: Format::Bitmap,
        });
    }
    if *frame.heights() != FloorHeights::Origin {
        return Err(WriteError::Loses {
            format: Format::Bitmap,
            lost: Features::HEIGHTS,
        });
    }
    Ok(write_at(grid, frame.origin(), frame.cell_size()))
}

/// Writes the ground floor, and the frame if the format can hold it.
fn write_what_fits(grid: &Grid, frame: Option<&Frame>) -> String {
    match frame.filter(|frame| frame.axes() == Axes::Y_UP) {
        Some(frame) => write_at(grid, frame.origin(), frame.cell_size()),
        None => write_at(grid, [0.0; 3], 1.0),
    }
}

fn write_at(grid: &Grid, [x, y, z]: [f64; 3], cell_size: f64) -> String {
    let mut out = String::with_capacity(
        100 + usize::from(grid.height()) * (2 * usize::from(grid.width()) + 4),
    );
    // Floats print with as many digits as needed to read them back exactly.
    let _ = write!(
        out,
        "startpos=({x}, {y}, {z})\nheight={}\nwide={}\naccuracy={cell_size}\n",
        grid.height(),
        grid.width()
    );
    for row in 0..grid.height() {
        out.push('{');
        for column in 0..grid.width() {
            out.push_str(if grid.is_walkable(Cell::new(column, row)) {
                "1,"
            } else {
                "0,"
            });
        }
        out.push_str("},\n");
    }
    out
}
