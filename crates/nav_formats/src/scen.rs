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
        return Err(Problem::HeaderEnds { expected: EXPECTED }.on_line(number));
    };
    let mut words = line
        .split(|&byte| words::is_space(byte))
        .filter(|word| !word.is_empty());
    match [words.next(), words.next(), words.next()] {
        [Some(b"version"), Some(b"1" | b"1.0"), None] => Ok(()),
        _ => Err(Problem::HeaderLine {
            found: quote(line),
            expected: EXPECTED,
        }
        .on_line(number)),
    }
}

fn read_line(line: &[u8], number: usize) -> Result<ScenLine, ParseError> {
    let fields = split(line).map_err(|problem| problem.on_line(number))?;
    let [
        bucket,
        map,
        width,
        height,
        start_x,
        start_y,
        goal_x,
        goal_y,
        length,
    ] = fields;
    let fail = |word: Word<'_>, problem: Problem| problem.at(number, word.column);
    let whole = |name: &'static str, word: Word<'_>, min: u32, max: u32| {
        words::whole(word.bytes)
            .filter(|value| (min..=max).contains(value))
            .ok_or_else(|| {
                let found = quote(word.bytes);
                fail(
                    word,
                    Problem::WholeNumber {
                        name,
                        found,
                        min,
                        max,
                    },
                )
            })
    };
    let side =
        |name, word: Word<'_>| words::side(name, word.bytes).map_err(|problem| fail(word, problem));
    // A coordinate is less than a side, which has 16 bits.
    let coordinate = |name, word, side: u16| {
        whole(name, word, 0, u32::from(side) - 1).map(|coordinate| coordinate as u16)
    };
    let bucket = whole("bucket", bucket, 0, u32::MAX)?;
    let map = read_name(map.bytes).map_err(|problem| fail(map, problem))?;
    let width = side("map width", width)?;
    let height = side("map height", height)?;
    let start = Cell::new(
        coordinate("start column", start_x, width)?,
        coordinate("start row", start_y, height)?,
    );
    let goal = Cell::new(
        coordinate("goal column", goal_x, width)?,
        coordinate("goal row", goal_y, height)?,
    );
    let optimal_length = words::finite(length.bytes)
        .filter(|&value| is_length(value))
        .ok_or_else(|| {
            let found = quote(length.bytes);
            let name = "optimal length";
            fail(length, Problem::NotALength { name, found })
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

/// Splits a line into its fields.
///
/// The map name lies between the first field and the last seven, and may contain spaces.
fn split(line: &[u8]) -> Result<[Word<'_>; FIELDS], Problem> {
    const BEFORE: usize = 1;
    let count = || {
        line.split(|&byte| words::is_space(byte))
            .filter(|word| !word.is_empty())
            .count()
    };
    let wrong = || Problem::Fields {
        found: count(),
        expected: FIELDS,
    };
    let mut fields = [Word {
        bytes: &[],
        column: 1,
    }; FIELDS];
    let mut rest = words::trim(line, 0);
    let (numbers_before, others) = fields.split_at_mut(BEFORE);
    let (name, numbers_behind) = others.split_at_mut(1);
    for field in numbers_before {
        let end = rest
            .bytes
            .iter()
            .position(|&byte| words::is_space(byte))
            .ok_or_else(wrong)?;
        *field = Word {
            bytes: &rest.bytes[..end],
            column: rest.column,
        };
        rest = words::trim(&rest.bytes[end..], rest.column - 1 + end);
    }
    for field in numbers_behind.iter_mut().rev() {
        let start = rest
            .bytes
            .iter()
            .rposition(|&byte| words::is_space(byte))
            .ok_or_else(wrong)?
            + 1;
        *field = Word {
            bytes: &rest.bytes[start..],
            column: rest.column + start,
        };
        rest = words::trim(&rest.bytes[..start], rest.column - 1);
    }
    // A tab always separates fields, so that a tab in the name makes a field too many.
    if rest.bytes.is_empty() || rest.bytes.contains(&b'\t') {
        return Err(wrong());
    }
    name.fill(rest);
    Ok(fields)
}

fn read_name(bytes: &[u8]) -> Result<String, Problem> {
    str::from_utf8(bytes)
        .ok()
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .ok_or_else(|| Problem::NotAName {
            name: "map name",
            found: quote(bytes),
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
