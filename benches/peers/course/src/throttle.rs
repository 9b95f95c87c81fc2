//! The times at which a chaser searches again, for the peers that leave this to the app.

use crate::grid::Cell;

/// Ticks between two searches of one chaser, at the least: half a second, the default of `nav`.
const INTERVAL: u32 = 10;

/// The target must have moved by one part in this many of the way that is left, the default of
/// `nav`. Without it, every chaser far away searches twice a second, at many times the cost and for
/// nothing.
const SHARE: u16 = 8;

/// The time of a chaser's next search: the rule of `nav`, so that all peers answer about as many
/// searches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throttle {
    aimed_at: Option<Cell>,
    next: u32,
}

impl Throttle {
    /// Whether a chaser on `cell` searches in this tick. If so, the search counts as done.
    ///
    /// A path that is used up is replaced at once, as far as `INTERVAL` allows.
    pub fn search(&mut self, tick: u32, cell: Cell, target: Cell, used_up: bool) -> bool {
        if tick < self.next {
            return false;
        }
        let left = cell.chebyshev(target);
        let is_stale = match self.aimed_at {
            Some(aimed_at) => aimed_at.chebyshev(target) > (left / SHARE).max(1) || used_up,
            None => true,
        };
        if is_stale {
            self.aimed_at = Some(target);
            self.next = tick + INTERVAL;
        }
        is_stale
    }
}
