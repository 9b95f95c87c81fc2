//! Turning points: a path as the few cells at which its direction changes.

use super::{turning_point::TurningPoint, turns::turns, waypoints::Path};
use crate::{
    cell::{Cell, Direction},
    map::Grid,
    rules::Rules,
};

/// A path in short: where its direction changes, both ends of every link, and where it leads.
/// The walker's own cell is not one of the points. What to send to a client.
///
/// Between two points the path runs straight in one of the eight directions, or a link leads
/// from one to the other. [`expand`](Self::expand) makes the same path of it again, whatever the
/// path was.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, Path, Rules, path::TurningPoints};
///
/// let grid = Grid::open(9, 9)?;
/// let start = Cell::new(0, 0);
/// let path: Path = [(1, 1), (2, 2), (3, 2), (4, 2)].into_iter().map(Cell::from).collect();
/// let mut turns = TurningPoints::new();
/// turns.compact(&grid, start, Rules::default(), &path);
/// let cells: Vec<Cell> = turns.iter().map(|turn| turn.cell).collect();
/// assert_eq!(cells, [Cell::new(2, 2), Cell::new(4, 2)]);
///
/// let mut again = Path::new();
/// turns.expand(start, &mut again)?;
/// assert_eq!(again, path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct TurningPoints {
    turns: Vec<TurningPoint>,
}

impl TurningPoints {
    /// No points. Does not allocate.
    pub const fn new() -> Self {
        Self { turns: Vec::new() }
    }

    /// Replaces the points with those of a path that begins at `start`.
    ///
    /// The points are those of [`turns`].
    ///
    /// # Complexity
    ///
    /// O(waypoints). Allocates only for more points than ever before.
    pub fn compact(&mut self, grid: &Grid, start: Cell, rules: Rules, path: &Path) {
        self.turns.clear();
        self.turns.extend(turns(grid, start, rules, path.iter()));
    }

    /// Leaves in `path` every cell that a walker at `start` comes to; `start` must be that of
    /// [`compact`](Self::compact).
    ///
    /// # Errors
    ///
    /// [`TurningPointsError`] at the first point, from the last one on, that cannot follow the one
    /// before; the path is empty then. Points of a path from the same start have none.
    ///
    /// # Complexity
    ///
    /// O(waypoints). A point stands for at most 65,535 of them: limit the number of points that
    /// come from outside.
    pub fn expand(&self, start: Cell, path: &mut Path) -> Result<(), TurningPointsError> {
        path.clear();
        for (index, &TurningPoint { cell, by_link }) in self.turns.iter().enumerate().rev() {
            let before = index
                .checked_sub(1)
                .and_then(|before| self.turns.get(before));
            let from = before.map_or(start, |before| before.cell);
            if by_link {
                path.prepend(cell);
            } else if prepend_straight(from, cell, path).is_none() {
                path.clear();
                let to = cell;
                return Err(TurningPointsError { index, from, to });
            }
        }
        Ok(())
    }

    /// The points in walking order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = TurningPoint> + ExactSizeIterator + '_ {
        self.turns.iter().copied()
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there is no point: the path is empty.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Bytes that the points keep on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.turns.capacity() * size_of::<TurningPoint>()
    }
}

impl FromIterator<TurningPoint> for TurningPoints {
    /// From points in walking order.
    fn from_iter<I: IntoIterator<Item = TurningPoint>>(turns: I) -> Self {
        Self {
            turns: turns.into_iter().collect(),
        }
    }
}

/// Prepends the cells from `to` back to the one behind `from`, if they lie in one direction.
fn prepend_straight(from: Cell, to: Cell, path: &mut Path) -> Option<()> {
    let columns = i32::from(to.x) - i32::from(from.x);
    let rows = i32::from(to.y) - i32::from(from.y);
    let straight = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    if !straight || from.floor != to.floor {
        return None;
    }
    // None for a point on the point before.
    let delta = (columns.signum(), rows.signum());
    let mut ways = Direction::ALL.into_iter();
    let back = ways.find(|way| way.delta() == delta)?.opposite();
    let mut at = to;
    while at != from {
        path.prepend(at);
        at = at.step(back)?;
    }
    Some(())
}

/// Turning points do not make a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "turning point {index} cannot be reached: no straight line in one of the 8 directions leads from {from} to {to}, and it is not marked as the end of a link"
)]
#[non_exhaustive]
pub struct TurningPointsError {
    /// Number of the point in walking order, from 0.
    pub index: usize,
    /// The point before it, or the start.
    pub from: Cell,
    /// The point.
    pub to: Cell,
}
