//! Straight lines walked cell by cell.

use super::{
    Path,
    line_of_sight::{Arrival, Crossing, Line, Price, Sight},
};
use crate::Cell;

/// Walks straight lines cell by cell, as one would draw them with a ruler; with its scratch
/// memory.
///
/// Of the walks along a line, as [`Sight`] has them, it takes the cheapest one. Among equally
/// cheap ones it takes the shortest by the octile metric, then the one whose cells are nearest to
/// the line on the whole, then the one that turns aside sooner.
///
/// # Example
///
/// ```
/// use nav_grid::{Cell, Grid, LineWalk, Path, Query, Sight};
///
/// let grid = Grid::open(9, 9)?;
/// let (from, to) = (Cell::new(0, 0), Cell::new(6, 2));
/// let sight = Sight::new(&grid, &Query::new(from, to));
/// let mut path = Path::new();
/// assert!(LineWalk::new().walk(&sight, from, to, &mut path).is_some());
/// let rows: Vec<u16> = path.iter().map(|cell| cell.y).collect();
/// assert_eq!(rows, [0, 1, 1, 1, 2, 2]);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LineWalk {
    crossings: Vec<Crossing>,
}

impl LineWalk {
    /// Without memory yet.
    pub const fn new() -> Self {
        Self {
            crossings: Vec::new(),
        }
    }

    /// Leaves the cells of a line in `path`, the first cell not among them, and returns what
    /// they cost; `None` and an empty path if the line is not clear.
    ///
    /// # Complexity
    ///
    /// O(cells on the line). Allocates only for lines longer than any before.
    pub fn walk(
        &mut self,
        sight: &Sight<'_>,
        from: Cell,
        to: Cell,
        path: &mut Path,
    ) -> Option<Line> {
        path.clear();
        self.prepend(sight, from, to, path).map(Line::from)
    }

    /// Puts the cells of a line before those of `path`, which begins where the line ends. If
    /// the line is not clear, the path stays as it is.
    pub(super) fn prepend(
        &mut self,
        sight: &Sight<'_>,
        from: Cell,
        to: Cell,
        path: &mut Path,
    ) -> Option<Price> {
        self.crossings.clear();
        let crossings = &mut self.crossings;
        let price = sight.trace(from, to, Price::MAX, |crossing| crossings.push(crossing))?;
        let mut at = to;
        while let Some(crossing) = self.crossings.pop() {
            path.prepend(at);
            let before = at.step(crossing.direction.opposite())?;
            at = match crossing.arrival? {
                Arrival::Step => before,
                Arrival::Past => {
                    let passed = self.crossings.pop()?;
                    before.step(passed.direction.opposite())?
                }
                Arrival::Beside(first) => {
                    path.prepend(before.step(first)?);
                    before
                }
            };
        }
        Some(price)
    }

    /// Bytes that the scratch memory keeps on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.crossings.capacity() * size_of::<Crossing>()
    }
}
