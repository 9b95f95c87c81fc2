//! Maps drawn in a scenario.

use super::error::FieldError;
use nav_grid::{Cell, Grid, Link, Size, rules::LinkKind};
use serde::{Deserialize, Serialize};

/// A link of a drawn map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnLink {
    /// Where it starts.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// Cost in straight steps, at least 1 (the default).
    #[serde(default = "one_step")]
    pub cost: u16,
    /// Kind, 0 to 15, which the chasers may be forbidden; 0 by default.
    #[serde(default)]
    pub kind: LinkKind,
    /// Milliseconds that a chaser is on it, 0 to 65,535; 0, the default, is no longer than a step.
    #[serde(default)]
    pub millis: u16,
    /// The most chasers on it and its reverse at one time, 1 to 255; 0, the default, for any
    /// number.
    #[serde(default)]
    pub capacity: u8,
    /// Whether there is a link back; false by default.
    #[serde(default)]
    pub two_way: bool,
}

const fn one_step() -> u16 {
    1
}

impl DrawnLink {
    /// Returns the one or two links of the map.
    fn links(self) -> impl Iterator<Item = Link> {
        let link = Link {
            from: self.from,
            to: self.to,
            cost: self.cost,
            kind: self.kind,
            millis: self.millis,
            capacity: self.capacity,
        };
        let back = self.two_way.then(|| link.reversed());
        std::iter::once(link).chain(back)
    }
}

/// The field of drawings, in sentences about mistakes.
const FLOORS: &str = "map floors";

/// Returns the map of a drawing: rows of each floor, in which `.` is ground, `#` is wall, and a
/// digit of 2 to 9 is ground of this step cost.
///
/// # Errors
///
/// Rows are missing or have unequal lengths, floors have unequal sizes, there is another character,
/// or a link starts or ends outside the map or costs nothing.
pub(crate) fn draw(floors: &[Vec<String>], links: &[DrawnLink]) -> Result<Grid, FieldError> {
    let rows = floors.first().map_or(0, Vec::len);
    let first_row = floors.first().and_then(|rows| rows.first());
    let columns = first_row.map_or(0, String::len);
    let mut size = Size::new(limited(columns), limited(rows));
    size.floors = u8::try_from(floors.len()).unwrap_or(u8::MAX);
    for (floor, drawn) in floors.iter().enumerate() {
        equal("rows of each floor", rows, drawn.len(), floor)?;
        for row in drawn {
            equal("columns of each row", columns, row.len(), floor)?;
        }
    }
    let mut grid = Grid::build(size, |cell| sign(floors, cell) != b'#')
        .map_err(|error| FieldError::new(FLOORS, "a drawing of at least one cell", error))?;
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    for cell in cells {
        let cost = match sign(floors, cell) {
            b'.' => continue,
            digit @ b'2'..=b'9' => digit - b'0',
            other => {
                let value = format!("{:?} at {cell}", char::from(other));
                let expected = "drawn with '.', '#' and digits of 2 to 9";
                return Err(FieldError::new(FLOORS, expected, value));
            }
        };
        (grid.set_cost(cell, cost)).map_err(|error| FieldError::new(FLOORS, "a drawing", error))?;
    }
    for link in links.iter().copied().flat_map(DrawnLink::links) {
        grid.set_link(link).map_err(|error| {
            let expected = "between cells of the map, of cost 1 or more";
            let value = format!("{} to {}: {error}", link.from, link.to);
            FieldError::new("map links", expected, value)
        })?;
    }
    Ok(grid)
}

/// Returns the character of a cell.
fn sign(floors: &[Vec<String>], cell: Cell) -> u8 {
    let row = &floors[usize::from(cell.floor)][usize::from(cell.y)];
    row.as_bytes()[usize::from(cell.x)]
}

/// Saturates a side: all sides too long for a map are equally wrong.
fn limited(side: usize) -> u16 {
    u16::try_from(side).unwrap_or(u16::MAX)
}

fn equal(what: &str, expected: usize, found: usize, floor: usize) -> Result<(), FieldError> {
    if expected == found {
        return Ok(());
    }
    let expected = format!("equally large: {expected} {what}");
    let value = format!("{found} on floor {floor}");
    Err(FieldError::new(FLOORS, expected, value))
}
