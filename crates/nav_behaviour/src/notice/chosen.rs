//! Who is chosen of several: the nearest, by an order in which no two are equal.

use bevy_ecs::prelude::*;
use nav::AgentId;
use nav_grid::Cell;

/// Columns or rows apart, whichever is more; the square of the distance as the crow flies; number.
pub(super) type Rank = (u16, u64, AgentId, Entity);

/// The place of an agent on a cell in the order by distance from another cell.
pub(super) fn rank(from: Cell, (cell, id, agent): (Cell, AgentId, Entity)) -> Rank {
    let square = |one: u16, other: u16| u64::from(one.abs_diff(other)).pow(2);
    let distance = square(from.x, cell.x) + square(from.y, cell.y);
    (from.chebyshev(cell), distance, id, agent)
}

/// The first of those that were offered and are good enough.
pub(super) struct Chosen<'a, T>(Option<(Rank, &'a T)>);

impl<'a, T> Chosen<'a, T> {
    pub(super) const NOBODY: Self = Self(None);

    /// Takes one that comes before the one chosen so far, if `is_good` holds, which is asked only then.
    pub(super) fn offer(&mut self, rank: Rank, one: &'a T, is_good: impl FnOnce() -> bool) {
        if self.0.is_none_or(|(best, _)| rank < best) && is_good() {
            self.0 = Some((rank, one));
        }
    }

    pub(super) fn get(self) -> Option<&'a T> {
        self.0.map(|(_, one)| one)
    }
}
