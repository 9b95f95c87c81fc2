//! Turning points: a path as the few cells where its direction changes.

use super::{path_step::PathStep, waypoints::Path};
use crate::{
    cell::{Cell, Direction},
    map::Grid,
    rules::Rules,
};

/// A point of [`TurningPoints`], and how it is reached from the point before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurningPoint {
    /// The cell of the point.
    pub cell: Cell,
    /// Whether a link leads here, and not a straight walk over the cells between.
    #[cfg_attr(feature = "serde", serde(default))]
    pub by_link: bool,
}

/// A path in compact form, to send to a client: the cells where its direction changes, both ends of
/// every link, and its end. The walker's own cell is not one of the points.
///
/// Between two points the path runs straight in one of the eight directions, or a link leads from
/// one to the other. [`expand`](Self::expand) restores every path exactly.
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
    /// # Complexity
    ///
    /// O(waypoints). Allocates only for more points than before.
    pub fn compact(&mut self, grid: &Grid, start: Cell, rules: Rules, path: &Path) {
        self.turns.clear();
        self.turns.extend(turns(grid, start, rules, path.iter()));
    }

    /// Replaces the content of `path` with every cell of the walk from `start`, which must be that
    /// of [`compact`](Self::compact).
    ///
    /// # Errors
    ///
    /// [`TurningPointsError`] if a point cannot follow the point before it. Of several such points
    /// it names the last one; the path is empty then. Points of `compact` with the same start cause
    /// no error.
    ///
    /// # Complexity
    ///
    /// O(waypoints). A point stands for at most 65,535 of them: limit the number of points from
    /// untrusted sources.
    pub fn expand(&self, start: Cell, path: &mut Path) -> Result<(), TurningPointsError> {
        path.clear();
        for (index, &TurningPoint { cell, by_link }) in self.turns.iter().enumerate().rev() {
            let before = self.turns[..index].last();
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
}

impl FromIterator<TurningPoint> for TurningPoints {
    /// Collects points in walking order.
    fn from_iter<I: IntoIterator<Item = TurningPoint>>(turns: I) -> Self {
        Self {
            turns: turns.into_iter().collect(),
        }
    }
}

/// Prepends the cells from `to` back to `from`, without `from`, if they lie in one direction.
fn prepend_straight(from: Cell, to: Cell, path: &mut Path) -> Option<()> {
    let columns = i32::from(to.x) - i32::from(from.x);
    let rows = i32::from(to.y) - i32::from(from.y);
    let straight = columns == 0 || rows == 0 || columns.abs() == rows.abs();
    if !straight || from.floor != to.floor {
        return None;
    }
    // `None` if both points are one cell.
    let back = Direction::from_delta(columns.signum(), rows.signum())?.opposite();
    let mut at = to;
    while at != from {
        path.prepend(at);
        at = at.step(back)?;
    }
    Some(())
}

/// A point of [`TurningPoints`] that cannot follow the point before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "turning point {index} cannot be reached: no straight line in one of the 8 directions leads from {from} to {to}, and it is not marked as the end of a link"
)]
#[non_exhaustive]
pub struct TurningPointsError {
    /// Number of the point in walking order, from 0.
    pub index: usize,
    /// The point before, or the start.
    pub from: Cell,
    /// The cell of the point.
    pub to: Cell,
}

/// Iterator over the turning points of a walk. Made by [`turns`].
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Turns<'a, I> {
    grid: &'a Grid,
    rules: Rules,
    cells: I,
    before: Cell,
    /// The direction of the step to `before`, while that is not a point.
    heading: Option<Direction>,
    /// The end of a link, to return after the point where the link begins.
    link: Option<Cell>,
}

/// The turning points of a walk from `start` over some cells in walking order, without `start`:
/// [`TurningPoints`] without memory.
///
/// A cell counts as reached by a link if [`takes_link`] says so. The walk need not be legal.
pub fn turns<I: IntoIterator<Item = Cell>>(
    grid: &Grid,
    start: Cell,
    rules: Rules,
    cells: I,
) -> Turns<'_, I::IntoIter> {
    Turns {
        grid,
        rules,
        cells: cells.into_iter(),
        before: start,
        heading: None,
        link: None,
    }
}

/// Whether a walker along [`TurningPoints`] takes a link from one cell to the next: they are no
/// neighbours on one floor, or a link leads there and `rules` allow no step or only a dearer one.
/// Bodies do not count.
pub fn takes_link(grid: &Grid, from: Cell, to: Cell, rules: Rules) -> bool {
    from.direction_to(to).is_none()
        || PathStep::between(grid, from, to, rules).is_some_and(|step| step.by_link)
}

impl<I: Iterator<Item = Cell>> Iterator for Turns<'_, I> {
    type Item = TurningPoint;

    fn next(&mut self) -> Option<TurningPoint> {
        let by_link = |cell| TurningPoint {
            cell,
            by_link: true,
        };
        if let Some(end) = self.link.take() {
            return Some(by_link(end));
        }
        for cell in self.cells.by_ref() {
            let before = std::mem::replace(&mut self.before, cell);
            let is_link = takes_link(self.grid, before, cell, self.rules);
            let way = before.direction_to(cell).filter(|_| !is_link);
            let heading = std::mem::replace(&mut self.heading, way);
            if heading.is_some() && heading != way {
                self.link = way.is_none().then_some(cell);
                return Some(TurningPoint {
                    cell: before,
                    by_link: false,
                });
            }
            if way.is_none() {
                return Some(by_link(cell));
            }
        }
        self.heading.take().map(|_| TurningPoint {
            cell: self.before,
            by_link: false,
        })
    }
}
