//! How much all searches of a tick may cost together.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// The work that all searches of a tick may do together; without a bound by default, which suits
/// small worlds.
///
/// Those that waited longest go first, equals by [`AgentId`](crate::AgentId). What a tick does not
/// get to waits for the next one: chasers go on by what they have, or straight toward the target
/// if they have nothing. One long search after another is cut into slices of what is left of a
/// tick's budget.
///
/// # How long a chaser waits
///
/// At most as many ticks as it takes to answer those who waited longer: with `n` of them, each
/// bounded by `e` expansions, ⌈n · e / budget⌉ ticks, and one for each long search before it that
/// does not fit the rest of a tick. It asks at its move ticks, so it may be one of those more.
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
    /// Expansions a tick; `None` is no bound.
    pub expansions: Option<u32>,
}

impl NavBudget {
    /// A budget of so many expansions a tick: 20,000 take about a millisecond.
    pub const fn of(expansions: u32) -> Self {
        Self {
            expansions: Some(expansions),
        }
    }
}
