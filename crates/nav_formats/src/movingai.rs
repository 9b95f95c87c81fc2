//! Grid format of the `MovingAI` benchmarks.
//!
//! ```text
//! type octile
//! height 2
//! width 3
//! map
//! ..@
//! .ST
//! ```
//!
//! Height and width come in either order. `.`, `G` (ground) and `S` (swamp) are walkable; `@` and
//! `O` (out of bounds), `T` (trees) and `W` (water) are blocked. Lines end in LF or CRLF. Blank
//! lines at the end of the file and a byte order mark are skipped.
//!
//! Reference: N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Transactions on
//! Computational Intelligence and AI in Games 4(2), 2012.

use super::{
    codec::{Codec, TEXT},
    error::{ParseError, Problem},
    words,
};
use nav_grid::Grid;
use nav_grid::map::text::{Alphabet, CellRows, Lines, RowWidth, TextProblem, write_rows};

pub(crate) const CODEC: Codec = Codec {
    name: "MovingAI",
    extensions: &["map"],
    looks_like,
    read: |bytes, _| read(bytes).map(Into::into),
    write: Some(|map, _| Ok(write(&map.grid).into_bytes())),
    ..TEXT
};

const ALPHABET: Alphabet = Alphabet {
    walkable: b".GS",
    blocked: b"@OTW",
    expected: "'.', 'G', 'S', '@', 'O', 'T' or 'W'",
};

/// Returns whether the first line that is not blank is the first header line of this format.
fn looks_like(bytes: &[u8]) -> bool {
    Lines::new(bytes)
        .find(|line| !words::is_blank(line))
        .is_some_and(|line| words::trim(line, 0).bytes.starts_with(b"type"))
}

/// Reads a map.
///
/// # Errors
///
/// [`ParseError`] if
///
/// - the header is incomplete, or a side in it is not 1 to [`Grid::SIDE_MAX`],
/// - there are fewer or more rows than it says, or a row is shorter or longer,
/// - a character means no cell.
pub fn read(bytes: &[u8]) -> Result<Grid, ParseError> {
    let mut lines = Lines::new(bytes);
    let (width, height) = read_header(&mut lines)?;
    let width = RowWidth {
        cells: width,
        authority: "header",
    };
    let rows = CellRows::take(&mut lines, height, width, &ALPHABET)?;
    let after = lines.number();
    if rows.len() < usize::from(height) {
        return Err(words::missing_rows(rows.len(), height).on_line(after));
    }
    match lines.next() {
        None => rows
            .to_grid()
            .map_err(|error| Problem::Rows(TextProblem::Size(error)).on_line(after)),
        Some(_) => Err(words::extra_rows(height).on_line(after)),
    }
}

/// Reads the header. Returns width and height, both in range.
fn read_header(lines: &mut Lines<'_>) -> Result<(u16, u16), ParseError> {
    words::read_header(lines, "'type octile'", |words| {
        (words == [&b"type"[..], b"octile"]).then_some(())
    })?;
    let (mut width, mut height) = (None, None);
    loop {
        let number = lines.number();
        let expected = match (width, height) {
            (Some(width), Some(height)) => {
                words::read_header(lines, "'map'", |words| (words == [b"map"]).then_some(()))?;
                return Ok((width, height));
            }
            (None, Some(_)) => "'width' and a number",
            (Some(_), None) => "'height' and a number",
            (None, None) => "'height' or 'width' and a number",
        };
        let (side, value) = words::read_header(lines, expected, |words| match *words {
            [b"height", value] => Some(("height", value)),
            [b"width", value] => Some(("width", value)),
            _ => None,
        })?;
        let slot = if side == "height" {
            &mut height
        } else {
            &mut width
        };
        if slot.is_some() {
            return Err(words::given_twice(side).on_line(number));
        }
        *slot = Some(words::side(side, value).map_err(|problem| problem.on_line(number))?);
    }
}

/// Writes the ground floor of a map with `.` and `@`.
///
/// [`read`] returns an equal grid.
pub fn write(grid: &Grid) -> String {
    let mut out = format!(
        "type octile\nheight {}\nwidth {}\nmap\n",
        grid.height(),
        grid.width()
    );
    write_rows(grid, '.', '@', &mut out);
    out
}
