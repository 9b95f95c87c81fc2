//! The work that all searches and fields of a tick may do together.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;

/// The work that all searches and fields of a tick may do together.
///
/// Unlimited by default, which suits small worlds. Only searches
/// [beyond the window](crate::Chaser::limits) are always limited.
///
/// # What counts
///
/// [`Counters::work`](nav_grid::query::Counters::work): expanded cells, or the waves, jump points,
/// portals and blocks that methods expand instead, and one for about every 64 cells that are
/// scanned in between. All work that grows with the map, the window or the distance is counted and
/// can be interrupted. So a tick takes as long on a map of 8192×8192 cells as on a small one: about
/// 50 ns for a unit in near searches, some hundred in far ones. A search is charged what it used.
/// Its last part may exceed what a tick has left; the next ticks then have less.
///
/// A budget does not limit a single search. [`Limits::expansions`](nav_grid::Limits::expansions)
/// does: a search at that limit fails, while a search at the end of the budget continues in the
/// next tick.
///
/// # Order
///
/// The longest wait comes first, ties by [`AgentId`](crate::AgentId). A chaser without an answer
/// asks again in the next ticks, in the same order. Until then it follows what it has, or walks
/// straight toward the target. If the first search may need more than what is left, it runs until
/// that is used up and continues in later ticks. Searches that certainly fit get half of those
/// ticks. Answers are the same as without a budget.
///
/// # How long a chaser waits
///
/// Until the running search and all searches with a longer wait are answered. For `n` of them of at
/// most `e` work each, that is ⌈n · e / budget⌉ ticks. A chaser first asks at a move tick, which
/// may add a period. While any chaser waits, at least nine tenths of the budget are used.
///
/// Fields answer all chasers of a target at once. They come first and take up to half of the
/// budget, and the estimate above then holds for the other half. A field that no longer fits waits
/// for the next tick, and its chasers follow the old one. Fields with the oldest aim go first. To
/// leave room for many, fields under a budget reach only four steps for each cell of their radius;
/// chasers further away search. A far field that would take more than half of the budget is not
/// made.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Resource, Default))]
pub struct NavBudget {
    /// The work of a tick, in expansions; `None` for unlimited.
    pub expansions: Option<u32>,
}

impl NavBudget {
    /// A budget of the given work per tick. 20,000 expansions take about a millisecond in near
    /// searches.
    pub const fn of(expansions: u32) -> Self {
        Self {
            expansions: Some(expansions),
        }
    }
}
