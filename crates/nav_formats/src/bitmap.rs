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
    error::{ParseError, Problem},
    features::Features,
    format::Format,
    words::{self, Word},
    write_error::WriteError,
};
use nav_grid::map::text::{Lines, TextProblem, quote, quote_first};
use nav_grid::{
    Cell, Frame, Grid,
    map::{Axes, FloorHeights},
};
use std::fmt::Write as _;

pub(crate) const EXTENSIONS: &[&str] = &["bitmap", "navmesh"];

/// Returns whether the first line that is not blank is a header line of this format.
pub(crate) fn looks_like(bytes: &[u8]) -> bool {
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

/// Keys of header lines, with an example of the line for error messages.
const KEYS: [(&str, &str); 4] = [
    ("startpos", "'startpos=(x, y, z)'"),
    ("height", "'height=' and a number"),
    ("wide", "'wide=' and a number"),
    ("accuracy", "'accuracy=' and a number"),
];

/// Splits a header line at its `=`, and returns the index of its key. `None` if it is no header line.
fn key_and_value(content: Word<'_>) -> Option<(usize, Word<'_>)> {
    let at = content.bytes.iter().position(|&byte| byte == b'=')?;
    let key = content.bytes[..at].trim_ascii_end();
    let key = KEYS.iter().position(|(name, _)| name.as_bytes() == key)?;
    let value = words::trim(&content.bytes[at + 1..], content.column + at);
    Some((key, value))
}

/// Header lines seen so far.
#[derive(Default)]
struct Seen {
    start: Option<[f64; 3]>,
    height: Option<u16>,
    wide: Option<u16>,
    accuracy: Option<f64>,
    /// Line of the accuracy. Only the start position shows whether the accuracy is too fine.
    accuracy_line: usize,
}

impl Seen {
    /// Stores the value of a header line.
    fn take(&mut self, key: usize, value: Word<'_>, line: usize) -> Result<(), ParseError> {
        let name = KEYS[key].0;
        let wrong = |problem: Problem| problem.in_line(line, value.column);
        let side = || words::side(name, value.bytes).map_err(wrong);
        let is_repeated = match key {
            0 => {
                let point = read_point(name, value.bytes).map_err(wrong)?;
                self.start.replace(point).is_some()
            }
            1 => self.height.replace(side()?).is_some(),
            2 => self.wide.replace(side()?).is_some(),
            _ => {
                self.accuracy_line = line;
                let size = read_size(name, value.bytes).map_err(wrong)?;
                self.accuracy.replace(size).is_some()
            }
        };
        if is_repeated {
            return Err(words::given_twice(name).on_line(line));
        }
        Ok(())
    }

    /// Returns whether all header lines were seen.
    fn is_complete(&self) -> bool {
        self.expected() == "a row in braces"
    }

    /// Returns what error messages ask for next.
    fn expected(&self) -> &'static str {
        let missing = [
            self.start.is_none(),
            self.height.is_none(),
            self.wide.is_none(),
            self.accuracy.is_none(),
        ];
        let missing = missing.iter().position(|is_missing| *is_missing);
        missing.map_or("a row in braces", |key| KEYS[key].1)
    }
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
        let mut seen = Seen::default();
        loop {
            let here = lines.clone();
            let number = here.number();
            let Some(line) = lines.next() else {
                return Self::new(&seen, number);
            };
            let content = words::trim(line, 0);
            if content.bytes.is_empty() {
                continue;
            }
            if content.bytes.starts_with(b"{") && seen.is_complete() {
                *lines = here;
                return Self::new(&seen, number);
            }
            let Some((key, value)) = key_and_value(content) else {
                let problem = words::header_line(content.bytes, seen.expected());
                return Err(problem.on_line(number));
            };
            seen.take(key, value, number)?;
        }
    }

    /// Checks the header lines. `end` is the line behind the last one.
    fn new(seen: &Seen, end: usize) -> Result<Self, ParseError> {
        let (Some(start), Some(height), Some(wide), Some(accuracy)) =
            (seen.start, seen.height, seen.wide, seen.accuracy)
        else {
            return Err(words::header_ends(seen.expected()).on_line(end));
        };
        let frame = Frame::new(start, accuracy, Axes::Y_UP);
        let frame =
            frame.map_err(|error| Problem::Value(error.to_string()).on_line(seen.accuracy_line))?;
        Ok(Self {
            wide,
            height,
            frame,
        })
    }
}

/// Reads `(x, y, z)`.
fn read_point(name: &str, value: &[u8]) -> Result<[f64; 3], Problem> {
    let point = || {
        let inner = value.strip_prefix(b"(")?.strip_suffix(b")")?;
        let mut coordinates = inner.split(|&byte| byte == b',').map(words::finite);
        let point = [
            coordinates.next()??,
            coordinates.next()??,
            coordinates.next()??,
        ];
        coordinates.next().is_none().then_some(point)
    };
    point().ok_or_else(|| {
        let found = quote(value);
        Problem::Value(format!(
            "{name} '{found}' is not a point; expected three numbers such as (-30, 0, 30)"
        ))
    })
}

/// Reads the side of a cell.
fn read_size(name: &str, value: &[u8]) -> Result<f64, Problem> {
    let size = words::finite(value).filter(|&size| size > 0.0);
    size.ok_or_else(|| {
        let found = quote(value);
        Problem::Value(format!(
            "{name} '{found}' is not a size; expected a number above 0"
        ))
    })
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

/// Tokens that may come next in a row.
#[derive(Clone, Copy)]
enum Next {
    Open,
    CellOrClose,
    CommaOrClose,
    Comma,
    Nothing,
}

impl Next {
    const fn after(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Open, b'{') | (Self::CommaOrClose, b',') => Some(Self::CellOrClose),
            (Self::CellOrClose, b'0' | b'1') => Some(Self::CommaOrClose),
            (Self::CellOrClose | Self::CommaOrClose, b'}') => Some(Self::Comma),
            (Self::Comma, b',') => Some(Self::Nothing),
            _ => None,
        }
    }

    const fn expected(self) -> &'static str {
        match self {
            Self::Open => "'{'",
            Self::CellOrClose => "'0', '1' or '}'",
            Self::CommaOrClose => "',' or '}'",
            Self::Comma => "',' or the end of the line",
            Self::Nothing => "the end of the line",
        }
    }
}

/// Checks a row and counts its cells.
fn count_cells(line: &[u8], number: usize) -> Result<usize, ParseError> {
    let mut next = Next::Open;
    let mut cells = 0;
    for (index, &byte) in line.iter().enumerate() {
        if words::is_space(byte) {
            continue;
        }
        let expected = next.expected();
        next = next.after(byte).ok_or_else(|| {
            Problem::Rows(TextProblem::UnknownCharacter {
                found: quote_first(&line[index..]),
                expected,
            })
            .in_line(number, index + 1)
        })?;
        cells += usize::from(matches!(byte, b'0' | b'1'));
    }
    match next {
        Next::Comma | Next::Nothing => Ok(cells),
        Next::Open | Next::CellOrClose | Next::CommaOrClose => {
            let sentence = format!("the line ends here; expected {}", next.expected());
            Err(Problem::Syntax(sentence).in_line(number, line.len() + 1))
        }
    }
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
pub(crate) fn write_what_fits(grid: &Grid, frame: Option<&Frame>) -> String {
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
