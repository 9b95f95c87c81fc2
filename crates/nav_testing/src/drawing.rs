//! Drawings: the text or the map that a scene is made of.

use nav_grid::{Cell, Grid, Size};

/// Rows of text, or a [`Grid`] without agents, from which a scene is made.
///
/// Rows are equally long. An empty row separates two floors, the lowest of which comes first;
/// floors are equally large.
///
/// | sign | |
/// |---|---|
/// | `#` | a wall |
/// | `.` | floor |
/// | `T` | a target |
/// | another capital letter | a chaser with default tuning, after the nearest `T` |
/// | a digit | an agent that does nothing until the test calls `chase`, or inserts a behaviour |
/// | a small letter | floor that has a name |
///
/// Several agents may have one letter, and several cells one name. Without a `T` on the map a
/// chaser has no target. The nearest `T` is on the chaser's own floor, if one is there, and the
/// fewest columns or rows away, whichever are more; of those equally near, the first in reading
/// order. All agents have one cell and are ghosts without a [`Body`](nav::Body). For a larger
/// agent, draw the upper left cell, and give it a body with
/// [`Scene::insert`](crate::Scene::insert).
///
/// rustfmt keeps rows of nine signs and more below each other; a `//` after the first one keeps it
/// from writing a small drawing on one line.
///
/// Making a scene from a wrong drawing panics. The message says what is wrong, where, and what
/// would be right.
#[derive(Clone, Debug)]
pub struct Drawing(pub(super) Result<Drawn, String>);

/// The contents of a drawing.
#[derive(Clone, Debug)]
pub struct Drawn {
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
    let height = floors[0].len();
    let width = rows[0].chars().count();
    for (floor, rows) in floors.iter().enumerate() {
        check_floor(rows, floor, (width, height))?;
    }
    let count = floors.len();
    let size = (width.try_into(), height.try_into(), count.try_into());
    let (Ok(columns), Ok(lines), Ok(floors)) = size else {
        return Err(format!(
            "the drawing has {width} columns, {height} rows and {count} floors: no map is so large"
        ));
    };
    let signs: Vec<char> = rows.concat().chars().collect();
    let size = Size::new(columns, lines).with_floors(floors);
    let grid = Grid::build(size, |cell| signs[size.index(cell)] != '#')
        .map_err(|error| format!("the drawing is no map: {error}"))?;
    let (mut agents, mut markers) = (Vec::new(), Vec::new());
    for cell in grid.walkable_cells() {
        match signs[size.index(cell)] {
            '.' => {}
            name @ 'a'..='z' => markers.push((name, cell)),
            letter @ ('A'..='Z' | '0'..='9') => agents.push((letter, cell)),
            other => {
                let Cell { x, y, floor } = cell;
                return Err(format!(
                    "{other:?} in column {x} of {} means nothing: draw with '#', '.', letters from \
                     A to Z and a to z, and digits",
                    row_name(floor.into(), y.into(), count)
                ));
            }
        }
    }
    Ok(Drawn {
        grid,
        agents,
        markers,
    })
}

/// Checks the size of a floor.
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
    for (y, row) in rows.iter().enumerate() {
        let found = row.chars().count();
        if found != width {
            return Err(format!(
                "{} of the drawing, {row:?}, has {found} signs, and the first row has {width}: all \
                 rows need equally many",
                row_name(floor, y, 1 + floor)
            ));
        }
    }
    Ok(())
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
    fn reading_order() {
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
    fn errors_name_the_place() {
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
    fn drawings_of_any_text() {
        let rows: Vec<String> = (0..3).map(|n| ".".repeat(n + 1)).collect();
        assert!(Drawing::from(&rows).0.is_err());
        assert!(Drawing::from(&rows[..1]).0.is_ok());
        assert!(Drawing::from(Grid::open(3, 3).unwrap()).0.is_ok());
    }
}
