//! Scenario files of the `MovingAI` benchmarks: queries on a map with their optimal costs.
//!
//! ```text
//! version 1
//! 0 maps/arena.map 49 50 1 11 1 12 1
//! 3 maps/arena.map 49 50 48 0 0 49 68.66904755831213
//! ```
//!
//! The first line is `version 1` or `version 1.0`. Each further line has nine fields, separated by
//! tabs or spaces: bucket, map name, width and height of the map, column and row of the start,
//! column and row of the goal, and the cost of an optimal path. A straight step costs 1, a diagonal
//! one √2, and corners are not cut. The map name may contain spaces. Lines end in LF or CRLF. Empty
//! lines at the end of the file and a byte order mark are skipped.

use super::{
    error::{ParseError, Problem, refuse},
    files::is_utf16,
    words::{self, Word},
    write_error::WriteError,
};
use nav_grid::{
    Cell, Size,
    map::text::{Lines, quote},
};
use std::fmt::Write as _;

const FIELDS: usize = 9;

/// Scenario file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// Queries in the order of the file.
    pub lines: Vec<ScenLine>,
}

/// Query of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenLine {
    /// Group of queries of similar difficulty: usually a quarter of the optimal length, rounded
    /// down.
    pub bucket: u32,
    /// File name of the map, often with folders of the benchmark's author in front.
    pub map: String,
    /// Number of columns of the map, 1 to [`Grid::SIDE_MAX`](nav_grid::Grid::SIDE_MAX).
    pub width: u16,
    /// Number of rows of the map, in the same range.
    pub height: u16,
    /// Start of the path, inside the map on floor 0.
    pub start: Cell,
    /// End of the path, inside the map on floor 0.
    pub goal: Cell,
    /// Cost of an optimal path in steps, finite and not negative.
    ///
    /// Rounded, in many files to two decimals. Meaningless if the start or the goal is blocked.
    pub optimal_length: f64,
}

/// Reads a scenario file.
///
/// # Errors
///
/// [`ParseError`] if
///
/// - the first line is not the version,
/// - a query does not have nine fields, or a field is no number,
/// - a start or goal is outside the map.
pub fn read(bytes: &[u8]) -> Result<Scenario, ParseError> {
    if is_utf16(bytes) {
        return Err(Problem::Utf16.on_line(1));
    }
    let mut lines = Lines::new(bytes);
    words::read_header(&mut lines, "'version 1'", |words| {
        matches!(words, [b"version", b"1" | b"1.0"]).then_some(())
    })?;
    let mut queries = Vec::new();
    loop {
        let number = lines.number();
        match lines.next() {
            None => return Ok(Scenario { lines: queries }),
            Some(line) => queries.push(read_line(line, number)?),
        }
    }
}

/// Reads one line of the file.
fn read_line(line: &[u8], number: usize) -> Result<ScenLine, ParseError> {
    let words = split(line).map_err(|problem| problem.on_line(number))?;
    let fields = Fields { words, number };
    let bucket = fields.read(0, |it| whole(it, "bucket", u32::MAX))?;
    let map = fields.read(1, read_name)?;
    let width = fields.read(2, |it| words::side("map width", it))?;
    let height = fields.read(3, |it| words::side("map height", it))?;
    // A coordinate is less than a side, which has 16 bits.
    let [right, bottom] = [width, height].map(|side| u32::from(side) - 1);
    let start_x = fields.read(4, |it| whole(it, "start column", right))?;
    let start_y = fields.read(5, |it| whole(it, "start row", bottom))?;
    let goal_x = fields.read(6, |it| whole(it, "goal column", right))?;
    let goal_y = fields.read(7, |it| whole(it, "goal row", bottom))?;
    Ok(ScenLine {
        bucket,
        map,
        width,
        height,
        start: Cell::new(start_x as u16, start_y as u16),
        goal: Cell::new(goal_x as u16, goal_y as u16),
        optimal_length: fields.read(8, read_length)?,
    })
}

/// Fields of a line, with its number.
struct Fields<'a> {
    words: [Word<'a>; FIELDS],
    number: usize,
}

impl<'a> Fields<'a> {
    /// Reads a field. An error gets its column.
    fn read<T>(
        &self,
        field: usize,
        read: impl FnOnce(&'a [u8]) -> Result<T, Problem>,
    ) -> Result<T, ParseError> {
        let Word { bytes, column } = self.words[field];
        read(bytes).map_err(|problem| problem.in_line(self.number, column))
    }
}

fn whole(field: &[u8], name: &str, most: u32) -> Result<u32, Problem> {
    match words::whole(field) {
        Some(number) if number <= most => Ok(number),
        _ => {
            let found = quote(field);
            refuse!(
                Value,
                "{name} '{found}' is not a whole number from 0 to {most}"
            )
        }
    }
}

fn read_length(field: &[u8]) -> Result<f64, Problem> {
    match words::finite(field) {
        Some(length) if is_length(length) => Ok(length),
        _ => {
            let found = quote(field);
            refuse!(
                Value,
                "optimal length '{found}' is not a length; expected a number of at least 0"
            )
        }
    }
}

/// Splits a line into its fields.
///
/// The map name lies between the first field and the last seven, and may contain spaces.
fn split(line: &[u8]) -> Result<[Word<'_>; FIELDS], Problem> {
    split_at_name(line).ok_or_else(|| {
        let found = words::list(line).count();
        Problem::Value(format!("line has {found} fields, expected {FIELDS}"))
    })
}

fn split_at_name(line: &[u8]) -> Option<[Word<'_>; FIELDS]> {
    let mut fields = [words::trim(&[], 0); FIELDS];
    let mut rest = words::list(line);
    fields[0] = rest.next()?;
    for field in fields[2..].iter_mut().rev() {
        *field = rest.next_back()?;
    }
    let start = fields[0].column - 1 + fields[0].bytes.len();
    fields[1] = words::trim(&line[start..fields[2].column - 1], start);
    // A tab always separates fields, so that a tab in the name makes a field too many.
    let name = fields[1].bytes;
    (!name.is_empty() && !name.contains(&b'\t')).then_some(fields)
}

fn read_name(bytes: &[u8]) -> Result<String, Problem> {
    match str::from_utf8(bytes) {
        Ok(name) if is_name(name) => Ok(name.to_owned()),
        _ => {
            let found = quote(bytes);
            refuse!(
                Value,
                "map name '{found}' is not a name; expected UTF-8 without control characters"
            )
        }
    }
}

/// Returns whether a map name can be written between two fields and read back.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(' ')
        && !name.ends_with(' ')
        && !name.contains(char::is_control)
}

fn is_length(length: f64) -> bool {
    length.is_finite() && length >= 0.0
}

/// Writes a scenario file with tabs between fields.
///
/// [`read`] returns an equal scenario.
///
/// # Errors
///
/// [`WriteError::Query`] if [`read`] would refuse a line.
pub fn write(scenario: &Scenario) -> Result<String, WriteError> {
    let mut out = "version 1\n".to_owned();
    for (index, line) in scenario.lines.iter().enumerate() {
        if let Some(fault) = fault(line) {
            let number = index + 1;
            return Err(WriteError::Query { number, fault });
        }
        let _ = write!(out, "{}\t{}", line.bucket, line.map);
        let (start, goal) = (line.start, line.goal);
        for number in [line.width, line.height, start.x, start.y, goal.x, goal.y] {
            let _ = write!(out, "\t{number}");
        }
        // Floats print with as many digits as needed to read them back exactly.
        let _ = writeln!(out, "\t{}", line.optimal_length);
    }
    Ok(out)
}

/// Returns why [`read`] would refuse a line, in the words of [`WriteError::Query`].
fn fault(line: &ScenLine) -> Option<&'static str> {
    let sides = 1..=Size::SIDE_MAX;
    let size = Size::new(line.width, line.height);
    if !is_name(&line.map) {
        Some("map name must be text without tabs, line ends and blanks around it")
    } else if !sides.contains(&line.width) || !sides.contains(&line.height) {
        Some("map width and height must be 1 to 16384")
    } else if !size.contains(line.start) || !size.contains(line.goal) {
        Some("start and goal must lie on floor 0 inside the map")
    } else if !is_length(line.optimal_length) {
        Some("optimal length must be finite and not negative")
    } else {
        None
    }
}
