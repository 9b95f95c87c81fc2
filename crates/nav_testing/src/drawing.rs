//! What a scene is made of: a drawing in text, or a map that was made elsewhere.

use nav_grid::{Cell, Grid, Size};

/// What a scene is made of: rows of text, or a [`Grid`], on which nobody stands yet.
///
/// Rows are equally long. An empty row stands between two floors, the lowest of which comes first;
/// floors are equally large.
///
/// | sign | |
/// |---|---|
/// | `#` | a wall |
/// | `.` | floor |
/// | `T` | a target |
/// | another capital letter | a chaser with default tuning, after the nearest `T` on the map, if there is one |
/// | a digit | an agent that chases nobody and that nobody chases, until the test calls `chase` |
/// | a small letter | floor that has a name |
///
/// Several agents may have one letter, and several cells one name. The nearest `T` is on the chaser's
/// own floor, if one is there, and the fewest columns or rows away, whichever are more; of those equally
/// near, the first in reading order. Everybody has one cell, ghosts without a
/// [`Body`](nav::Body); give a larger one a body with
/// [`Scene::insert`](crate::Scene::insert), and draw it by its upper left cell.
///
/// rustfmt keeps rows of nine signs and more below each other; a `//` after the first one keeps it from
/// writing a small drawing on one line.
///
/// A wrong drawing is refused where the scene is made, by a panic whose message says what is wrong,
/// where, and what would be right.
#[derive(Clone, Debug)]
pub struct Drawing(pub(super) Result<Drawn, String>);

/// What a drawing says.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The ground.
    pub(super) grid: Grid,
    /// Agents in reading order, each with its letter.
    pub(super) agents: Vec<(char, Cell)>,
    /// Cells that have a name, in reading order.
    pub(super) markers: Vec<(char, Cell)>,
}

/// The letter of targets.
pub(super) const TARGET: char = 'T';

impl<S: AsRef<str>> From<&[S]> for Drawing {
    fn from(rows: &[S]) -> Self {
        let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
        Self(read(&rows))
    }
}

impl<S: AsRef<str>, const N: usize> From<&[S; N]> for Drawing {
    fn from(rows: &[S; N]) -> Self {
        Self::from(rows.as_slice())
    }
}

impl<S: AsRef<str>> From<&Vec<S>> for Drawing {
    fn from(rows: &Vec<S>) -> Self {
        Self::from(rows.as_slice())
    }
}

impl From<Grid> for Drawing {
    fn from(grid: Grid) -> Self {
        Self(Ok(Drawn {
            grid,
            agents: Vec::new(),
            markers: Vec::new(),
        }))
    }
}

/// Reads rows, or says in a sentence what is wrong with them.
fn read(rows: &[&str]) -> Result<Drawn, String> {
    if rows.is_empty() {
        return Err("the drawing has no rows: it needs at least one".to_owned());
    }
    let floors: Vec<&[&str]> = rows.split(|row| row.is_empty()).collect();
    let (height, width) = (
        floors[0].len(),
        floors[0].first().map_or(0, |row| row.chars().count()),
    );
    for (floor, rows) in floors.iter().enumerate() {
        check_floor(rows, floor, (width, height))?;
    }
    let size = (
        u16::try_from(width),
        u16::try_from(height),
        u8::try_from(floors.len()),
    );
    let (Ok(columns), Ok(rows), Ok(count)) = size else {
        return Err(format!(
            "the drawing has {width} columns, {height} rows and {} floors: no map is so large",
            floors.len()
        ));
    };
    let signs: Vec<Vec<Vec<char>>> = floors
        .iter()
        .map(|rows| rows.iter().map(|row| row.chars().collect()).collect())
        .collect();
    let sign =
        |cell: Cell| signs[usize::from(cell.floor)][usize::from(cell.y)][usize::from(cell.x)];
    let grid = Grid::build(Size::new(columns, rows).with_floors(count), |cell| {
        sign(cell) != '#'
    });
    let grid = grid.map_err(|error| format!("the drawing is no map: {error}"))?;
    let mut drawn = Drawn {
        agents: Vec::new(),
        markers: Vec::new(),
        grid,
    };
    for cell in drawn.grid.walkable_cells() {
        match sign(cell) {
            '.' => {}
            name @ 'a'..='z' => drawn.markers.push((name, cell)),
            letter @ ('A'..='Z' | '0'..='9') => drawn.agents.push((letter, cell)),
            other => {
                let Cell { x, y, .. } = cell;
                return Err(format!(
                    "{other:?} in column {x} of {} means nothing: draw with '#', '.', letters from \
                     A to Z and a to z, and digits",
                    row_name(cell.floor.into(), y.into(), floors.len())
                ));
            }
        }
    }
    Ok(drawn)
}

/// Whether a floor is as large as it should be.
fn check_floor(rows: &[&str], floor: usize, (width, height): (usize, usize)) -> Result<(), String> {
    if rows.is_empty() {
        return Err(format!(
            "floor {floor} of the drawing has no rows: an empty row stands between two floors only"
        ));
    }
    if rows.len() != height {
        return Err(format!(
            "floor {floor} of the drawing has {} rows, and floor 0 has {height}: all floors need \
             equally many",
            rows.len()
        ));
    }
    let wrong = rows.iter().enumerate().find_map(|(y, row)| {
        let found = row.chars().count();
        (found != width).then_some((y, row, found))
    });
    match wrong {
        None => Ok(()),
        Some((y, row, found)) => Err(format!(
            "{} of the drawing, {row:?}, has {found} signs, and the first row has {width}: all rows \
             need equally many",
            row_name(floor, y, 1 + floor)
        )),
    }
}

/// A row, numbered as cells are, with its floor where there are several.
fn row_name(floor: usize, y: usize, floors: usize) -> String {
    if floors > 1 {
        format!("row {y} on floor {floor}")
    } else {
        format!("row {y}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(rows: &[&str]) -> String {
        Drawing::from(rows).0.unwrap_err()
    }

    #[test]
    fn agents_and_names_come_in_reading_order() {
        let drawn = Drawing::from(&["b.C", "aT#", "", "C.1", "..b"]).0.unwrap();
        let at = |x, y, floor| Cell::new(x, y).on_floor(floor);
        assert_eq!(
            drawn.agents,
            [
                ('C', at(2, 0, 0)),
                ('T', at(1, 1, 0)),
                ('C', at(0, 0, 1)),
                ('1', at(2, 0, 1)),
            ]
        );
        let names = [('b', at(0, 0, 0)), ('a', at(0, 1, 0)), ('b', at(2, 1, 1))];
        assert_eq!(drawn.markers, names);
        assert_eq!((drawn.grid.floors(), drawn.grid.walkable_count()), (2, 11));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        assert_eq!(
            refusal(&[]),
            "the drawing has no rows: it needs at least one"
        );
        assert_eq!(
            refusal(&["...", ".."]),
            "row 1 of the drawing, \"..\", has 2 signs, and the first row has 3: all rows need \
             equally many"
        );
        assert_eq!(
            refusal(&["...", ".~.", "..."]),
            "'~' in column 1 of row 1 means nothing: draw with '#', '.', letters from A to Z and a \
             to z, and digits"
        );
        assert!(refusal(&["..", "", "é."]).starts_with("'é' in column 0 of row 0 on floor 1 "));
        assert!(refusal(&["..", ""]).starts_with("floor 1 of the drawing has no rows"));
        assert!(refusal(&["", ".."]).starts_with("floor 0 of the drawing has no rows"));
        assert!(refusal(&["..", "", "..", ".."]).starts_with("floor 1 of the drawing has 2 rows"));
    }

    #[test]
    fn rows_of_any_text_make_a_drawing() {
        let rows: Vec<String> = (0..3).map(|n| ".".repeat(n + 1)).collect();
        assert!(Drawing::from(&rows).0.is_err());
        assert!(Drawing::from(&rows[..1]).0.is_ok());
        assert!(Drawing::from(Grid::open(3, 3).unwrap()).0.is_ok());
    }
}
