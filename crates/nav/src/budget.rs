//! How much all searches of a tick may cost together.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// The work that all searches and fields of a tick may do together; without a bound by default, which
/// suits small worlds, but for searches [beyond the window](crate::Chaser::limits).
///
/// # What counts
///
/// [`Counters::work`](nav_grid::query::Counters::work): cells that are expanded, or the waves, jump
/// points, portals and blocks that methods have in their place, and one for every 64 cells or so
/// that are scanned in between. All work that grows with the map, the window or the distance is
/// counted and can be cut, so a tick takes as long on a map of 8192×8192 cells as on a small one:
/// some 50 ns for a unit in near searches, some hundred in far ones. A search is charged what it
/// used. The last part of a search may take a little more than a tick has left; the next ticks
/// have so much less.
///
/// A budget is no limit on a search. [`Limits::expansions`](nav_grid::Limits::expansions) is one: a
/// search that comes to it gives up, one that comes to the end of a tick goes on in the next.
///
/// # Who is first
///
/// Those that waited longest, equals by [`AgentId`](crate::AgentId). Who is not answered asks again
/// in the next ticks, in the same order, and meanwhile goes on by what it has, or straight toward
/// the target if it has nothing. The search in front that may take more than what is left gets
/// that, and the rest in later ticks; searches that surely fit get half of those. Answers are those
/// that there would be without a budget.
///
/// # How long a chaser waits
///
/// As many ticks as the searches of those who waited longer take, and that which is under way: with
/// `n` of them of at most `e` each, ⌈n · e / budget⌉ ticks. It asks first at a move tick, so it may
/// be a period more. While somebody waits, nine tenths of a budget are used at least.
///
/// Fields, which answer all chasers of a target at once, come first and take up to half of a
/// budget; then it is the other half that searches go by. A field that no longer fits waits for
/// the next tick, those that were aimed longest ago go first, and its chasers go on by the one
/// there was. So that a tick has room for many, fields under a budget reach as far as four steps
/// for each cell of their radius; chasers further away search. Far fields that would take
/// more than half of a budget are not made.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Resource, Default)
)]
pub struct NavBudget {
    /// Work a tick, in expansions; `None` is no bound.
    pub expansions: Option<u32>,
}

impl NavBudget {
    /// A budget of as much work a tick as so many expansions: 20,000 take about a millisecond in near
    /// searches.
    pub const fn of(expansions: u32) -> Self {
        Self {
            expansions: Some(expansions),
        }
    }
}
