//! Paths as waypoints: the cells still to visit.

use crate::{
    cell::Cell,
    map::{Grid, Shift},
    rules::{Cost, Rules},
};

/// The waypoints that a walker has yet to visit, the nearest first, without its own cell: what a
/// [search](crate#example) leads along.
///
/// Stored back to front, the order in which a search traces parents. So the next waypoint is popped
/// from the end in O(1), and a path keeps its buffer for the next search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Path {
    /// Goal first, next waypoint last.
    waypoints: Vec<Cell>,
}

impl Path {
    /// An empty path. Does not allocate.
    pub const fn new() -> Self {
        Self {
            waypoints: Vec::new(),
        }
    }

    /// An empty path with room for this number of waypoints.
    #[doc(hidden)]
    pub fn with_capacity(waypoints: usize) -> Self {
        Self {
            waypoints: Vec::with_capacity(waypoints),
        }
    }

    /// Number of waypoints left.
    #[inline]
    pub fn len(&self) -> usize {
        self.waypoints.len()
    }

    /// Whether nothing is left to visit.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waypoints.is_empty()
    }

    /// The next waypoint.
    #[inline]
    pub fn peek(&self) -> Option<Cell> {
        self.waypoints.last().copied()
    }

    /// The last waypoint: the end of the path.
    #[inline]
    pub fn end(&self) -> Option<Cell> {
        self.waypoints.first().copied()
    }

    /// Removes the next waypoint.
    #[inline]
    pub fn pop(&mut self) -> Option<Cell> {
        self.waypoints.pop()
    }

    /// Adds a waypoint before all others: searches call this from the goal back to the start.
    #[doc(hidden)]
    #[inline]
    pub fn prepend(&mut self, waypoint: Cell) {
        self.waypoints.push(waypoint);
    }

    /// Adds a waypoint after all others. O(waypoints).
    pub fn append(&mut self, waypoint: Cell) {
        self.waypoints.insert(0, waypoint);
    }

    /// Keeps this number of the next waypoints.
    #[doc(hidden)]
    pub fn shorten(&mut self, waypoints: usize) {
        let dropped = self.waypoints.len().saturating_sub(waypoints);
        self.waypoints.drain(..dropped);
    }

    /// Adds waypoints in walking order after all others.
    pub(crate) fn extend(&mut self, waypoints: impl Iterator<Item = Cell>) {
        self.waypoints.reverse();
        self.waypoints.extend(waypoints);
        self.waypoints.reverse();
    }

    /// Reserves room for this number of further waypoints.
    #[inline]
    pub(crate) fn reserve(&mut self, waypoints: usize) {
        self.waypoints.reserve(waypoints);
    }

    /// Adds waypoints before all others, from the goal back.
    #[inline]
    pub(crate) fn prepend_all(&mut self, waypoints: impl Iterator<Item = Cell>) {
        self.waypoints.extend(waypoints);
    }

    /// Reverses waypoints that were added in walking order.
    pub(crate) fn reverse(&mut self) {
        self.waypoints.reverse();
    }

    /// Removes all waypoints and keeps the buffer.
    #[inline]
    pub fn clear(&mut self) {
        self.waypoints.clear();
    }

    /// The waypoints in walking order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + '_ {
        self.waypoints.iter().rev().copied()
    }

    /// Moves all waypoints with the [window](Grid::shift) that shows them. Returns whether all
    /// still have coordinates; otherwise the path is empty.
    #[doc(hidden)]
    pub fn shift(&mut self, by: Shift) -> bool {
        for waypoint in &mut self.waypoints {
            let Some(moved) = by.moved(*waypoint) else {
                self.clear();
                return false;
            };
            *waypoint = moved;
        }
        true
    }

    /// Walks the path from `start` on `grid`, by steps and links, and returns its cost. Of a step
    /// and a link between the same cells the cheaper counts. Bodies do not count.
    ///
    /// # Errors
    ///
    /// [`BrokenPathError`] for the first waypoint that neither a step under `rules` nor a link
    /// reaches from the cell before.
    pub fn walk(&self, grid: &Grid, start: Cell, rules: Rules) -> Result<Cost, BrokenPathError> {
        let grid = grid.for_rules(rules);
        let mut from = start;
        let mut cost: Cost = 0;
        for (index, to) in self.iter().enumerate() {
            let step = grid.move_cost(from, to, rules);
            cost = cost.saturating_add(step.ok_or(BrokenPathError { index, from, to })?);
            from = to;
        }
        Ok(cost)
    }

    /// Bytes that the path keeps on the heap.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.waypoints.capacity() * size_of::<Cell>()
    }
}

impl FromIterator<Cell> for Path {
    /// Collects waypoints in walking order.
    fn from_iter<I: IntoIterator<Item = Cell>>(iter: I) -> Self {
        let mut waypoints: Vec<Cell> = iter.into_iter().collect();
        waypoints.reverse();
        Self { waypoints }
    }
}

/// A step of a [path](Path) that the map or the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("waypoint {index} is broken: neither step nor link leads from {from} to {to}")]
#[non_exhaustive]
pub struct BrokenPathError {
    /// Number of the waypoint in walking order, from 0.
    pub index: usize,
    /// The cell before.
    pub from: Cell,
    /// The waypoint.
    pub to: Cell,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walking_order() {
        let mut path: Path = [(1, 0), (2, 0), (3, 1)]
            .into_iter()
            .map(Cell::from)
            .collect();
        assert_eq!(path.peek(), Some(Cell::new(1, 0)));
        assert_eq!(path.end(), Some(Cell::new(3, 1)));
        assert_eq!(path.pop(), Some(Cell::new(1, 0)));
        assert_eq!(
            path.iter().collect::<Vec<_>>(),
            [Cell::new(2, 0), Cell::new(3, 1)]
        );
        path.prepend(Cell::new(9, 9));
        assert_eq!(path.pop(), Some(Cell::new(9, 9)));
        assert_eq!(path.len(), 2);
        path.shorten(3);
        assert_eq!(path.len(), 2);
        path.shorten(1);
        assert_eq!(path.end(), Some(Cell::new(2, 0)));
    }
}
