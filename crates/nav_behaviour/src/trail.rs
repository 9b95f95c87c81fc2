//! The way that an agent took, its heading, and turns of that.

use nav::extend::heading;
use nav_grid::{Cell, Direction};
use std::collections::VecDeque;

/// Cells from which a heading is taken: with one cell, each step to the side would turn
/// its followers.
pub(super) const HEADING_CELLS: usize = 4;

/// Adds the cell of an agent to the way that it took, the last cell first, of which some are kept.
/// Returns its heading; `None` where it did not move.
///
/// An agent that was put elsewhere took no way.
pub(super) fn follow(trail: &mut VecDeque<Cell>, at: Cell, kept: usize) -> Option<Direction> {
    let last = trail.front().copied();
    if last == Some(at) {
        return None;
    }
    if last.is_some_and(|last| last.floor != at.floor || last.chebyshev(at) > 1) {
        trail.clear();
    }
    trail.push_front(at);
    trail.truncate(kept);
    let behind = HEADING_CELLS.min(trail.len().saturating_sub(1));
    heading(*trail.get(behind)?, at)
}

/// A direction some eighths of a turn clockwise from another.
pub(super) fn turned(way: Direction, eighths: i8) -> Direction {
    Direction::ALL[(way as i8 + eighths).rem_euclid(8) as usize]
}
