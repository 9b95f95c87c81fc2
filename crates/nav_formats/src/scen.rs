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
    error::{ParseError, Problem},
    files::is_utf16,
    words::{self, Word},
    write_error::WriteError,
};
use nav_grid::Cell;
use nav_grid::map::text::{Lines, quote};
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
    read_version(&mut lines)?;
    let mut queries = Vec::new();
    loop {
        let number = lines.number();
        match lines.next() {
            None => return Ok(Scenario { lines: queries }),
            Some(line) => queries.push(read_line(line, number)?),
        }
    }
}

fn read_version(lines: &mut Lines<'_>) -> Result<(), ParseError> {
    const EXPECTED: &str = "'version 1'";
    let number = lines.number();
    let Some(line) = lines.next() else {
        return Err(words::header_ends(EXPECTED).on_line(number));
    };
    let words: Vec<&[u8]> = words::list(line).map(|word| word.bytes).take(3).collect();
    match *words {
        [b"version", b"1" | b"1.0"] => Ok(()),
        _ => Err(words::header_line(line, EXPECTED).on_line(number)),
    }
}

fn read_line(line: &[u8], number: usize) -> Result<ScenLine, ParseError> {
    let fields = split(line).map_err(|problem| problem.on_line(number))?;
    let at = |field: usize| move |problem: Problem| problem.in_line(number, fields[field].column);
    let whole = |field: usize, name: &str, most: u32| whole(fields[field].bytes, name, most);
    let side = |field: usize, name| words::side(name, fields[field].bytes).map_err(at(field));
    // A coordinate is less than a side, which has 16 bits.
    let coordinate = |field: usize, name: &str, side: u16| {
        let coordinate = whole(field, name, u32::from(side) - 1);
        coordinate.map(|it| it as u16).map_err(at(field))
    };
    let bucket = whole(0, "bucket", u32::MAX).map_err(at(0))?;
    let map = read_name(fields[1].bytes).map_err(at(1))?;
    let (width, height) = (side(2, "map width")?, side(3, "map height")?);
    let start = Cell::new(
        coordinate(4, "start column", width)?,
        coordinate(5, "start row", height)?,
    );
    let goal = Cell::new(
        coordinate(6, "goal column", width)?,
        coordinate(7, "goal row", height)?,
    );
    let length = words::finite(fields[8].bytes).filter(|&length| is_length(length));
    let optimal_length = length.ok_or_else(|| {
        let found = quote(fields[8].bytes);
        at(8)(Problem::Value(format!(
            "optimal length '{found}' is not a length; expected a number of at least 0"
        )))
    })?;
    Ok(ScenLine {
        bucket,
        map,
        width,
        height,
        start,
        goal,
        optimal_length,
    })
}

fn whole(field: &[u8], name: &str, most: u32) -> Result<u32, Problem> {
    let number = words::whole(field).filter(|number| *number <= most);
    number.ok_or_else(|| {
        let found = quote(field);
        Problem::Value(format!(
            "{name} '{found}' is not a whole number from 0 to {most}"
        ))
    })
}

/// Splits a line into its fields.
///
/// The map name lies between the first field and the last seven, and may contain spaces.
fn split(line: &[u8]) -> Result<[Word<'_>; FIELDS], Problem> {
    let wrong = || {
        let found = words::list(line).count();
        Problem::Value(format!("line has {found} fields, expected {FIELDS}"))
    };
    let mut fields = [words::trim(&[], 0); FIELDS];
    let mut rest = words::list(line);
    fields[0] = rest.next().ok_or_else(wrong)?;
    for field in fields[2..].iter_mut().rev() {
        *field = rest.next_back().ok_or_else(wrong)?;
    }
    let start = fields[0].column - 1 + fields[0].bytes.len();
    let name = words::trim(&line[start..fields[2].column - 1], start);
    // A tab always separates fields, so that a tab in the name makes a field too many.
    if name.bytes.is_empty() || name.bytes.contains(&b'\t') {
        return Err(wrong());
    }
    fields[1] = name;
    Ok(fields)
}

fn read_name(bytes: &[u8]) -> Result<String, Problem> {
    str::from_utf8(bytes)
        .ok()
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .ok_or_else(|| {
            let found = quote(bytes);
            Problem::Value(format!(
                "map name '{found}' is not a name; expected UTF-8 without control characters"
            ))
        })
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
        let ScenLine {
            bucket,
            map,
            width,
            height,
            start,
            goal,
            optimal_length,
        } = line;
        // Floats print with as many digits as needed to read them back exactly.
        let _ = writeln!(
            out,
            "{bucket}\t{map}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{optimal_length}",
            start.x, start.y, goal.x, goal.y
        );
    }
    Ok(out)
}

/// Returns why [`read`] would refuse a line, in the words of [`WriteError::Query`].
fn fault(line: &ScenLine) -> Option<&'static str> {
    let sides = 1..=nav_grid::Grid::SIDE_MAX;
    let inside = |cell: Cell| cell.x < line.width && cell.y < line.height && cell.floor == 0;
    if !is_name(&line.map) {
        Some("map name must be text without tabs, line ends and blanks around it")
    } else if !sides.contains(&line.width) || !sides.contains(&line.height) {
        Some("map width and height must be 1 to 16384")
    } else if !inside(line.start) || !inside(line.goal) {
        Some("start and goal must lie on floor 0 inside the map")
    } else if !is_length(line.optimal_length) {
        Some("optimal length must be finite and not negative")
    } else {
        None
    }
}
