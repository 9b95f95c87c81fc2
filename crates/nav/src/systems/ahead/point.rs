//! Points ahead, in cells and in the world.

use super::walk::Walk;
use nav_grid::{Cell, Frame, path::takes_link};

/// A point that a chaser comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PointAhead {
    /// The cell; of a large chaser that of its upper left cell, as everywhere.
    pub cell: Cell,
    /// Its centre in the world, at the height of its floor, by the [`Frame`] of the map.
    pub world: [f64; 3],
    /// Whether a link leads here from the point before: at once, and not over the ground between.
    pub by_link: bool,
}

impl PointAhead {
    pub(super) fn new(frame: &Frame, cell: Cell, by_link: bool) -> Self {
        Self {
            cell,
            world: frame.world_of(cell),
            by_link,
        }
    }
}

/// The cells ahead of a chaser, in the order in which it comes to them: see
/// [`PointsAhead::ahead`](super::PointsAhead::ahead).
pub struct Ahead<'a> {
    /// Nothing for who sees no target.
    pub(super) walk: Option<Walk<'a>>,
    pub(super) left: u16,
}

impl Iterator for Ahead<'_> {
    type Item = PointAhead;

    fn next(&mut self) -> Option<PointAhead> {
        self.left = self.left.checked_sub(1)?;
        let walk = self.walk.as_mut()?;
        let from = walk.at();
        let to = walk.next()?;
        let map = walk.nav_map();
        let by_link = takes_link(map.grid(), from, to, walk.rules());
        Some(PointAhead::new(map.frame(), to, by_link))
    }
}
