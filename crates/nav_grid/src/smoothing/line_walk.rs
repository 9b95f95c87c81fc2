//! Straight lines walked cell by cell.

use super::line_of_sight::{LineArrival, LineCost, LineCrossing, LineOfSight};
use crate::{cell::Cell, path::Path};

/// Walks straight lines cell by cell, as one would draw them with a ruler; with its scratch
/// memory.
///
/// Of the walks along a line, as [`LineOfSight`] has them, it takes the cheapest one. Among equally
/// cheap ones it takes the shortest by the octile metric, then the one whose cells are nearest to
/// the line on the whole, then the one that turns aside sooner.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineWalker {
    crossings: Vec<LineCrossing>,
}

impl LineWalker {
    /// Without memory yet.
    pub(crate) const fn new() -> Self {
        Self {
            crossings: Vec::new(),
        }
    }

    /// Puts the cells of a clear line, without the first, before those of `path`. A line that is
    /// not clear leaves the path as it is.
    ///
    /// O(cells on the line). Allocates only for lines longer than any before.
    pub(crate) fn prepend(
        &mut self,
        sight: &LineOfSight<'_>,
        from: Cell,
        to: Cell,
        path: &mut Path,
    ) {
        self.crossings.clear();
        let crossings = &mut self.crossings;
        let line = sight.trace(from, to, LineCost::MAX, |crossing| crossings.push(crossing));
        if line.is_some() {
            self.retrace(to, path);
        }
    }

    /// Prepends the cells of the best walk, which the crossings tell from the end back. There is
    /// no crossing without an arrival on the way back from an end that was reached.
    fn retrace(&mut self, to: Cell, path: &mut Path) -> Option<()> {
        let mut at = to;
        while let Some(crossing) = self.crossings.pop() {
            path.prepend(at);
            let before = at.step(crossing.direction.opposite())?;
            at = match crossing.arrival? {
                LineArrival::Step => before,
                LineArrival::Past => {
                    let passed = self.crossings.pop()?;
                    before.step(passed.direction.opposite())?
                }
                LineArrival::Beside(first) => {
                    path.prepend(before.step(first)?);
                    before
                }
            };
        }
        Some(())
    }

    /// Bytes that the scratch memory keeps on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.crossings.capacity() * size_of::<LineCrossing>()
    }
}
