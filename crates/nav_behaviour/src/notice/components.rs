//! Components of agents that notice and of agents that can be noticed, and the message about it.

use crate::{Activity, ActivityCause};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{AgentId, Chaser};

/// Lets a chaser begin a chase by itself: of the nearest agent with [`Noticeable`] within range.
///
/// # Targets
///
/// A target
///
/// - belongs to one of the factions of [`whom`](Self::whom);
/// - is on the same map and floor, at most [`range`](Self::range) columns and rows away;
/// - is in sight, if [`needs_sight`](Self::needs_sight) is set, and in the agent's
///   [`ViewCone`](crate::ViewCone), if it has one;
/// - is within the agent's [`Leash`](crate::Leash), if it has one;
/// - is not [given up](crate::GivenUp) by the agent.
///
/// Distances are between the two [`CellPosition`](nav::CellPosition)s, whatever the sizes of
/// bodies. The nearest target is the first by columns or rows away, whichever is more; then by
/// straight distance; then by [`AgentId`](nav::AgentId).
///
/// # Times
///
/// An agent looks around while it chases nothing, or is on its way to a
/// [`Destination`](nav::Destination). A walk or a patrol continues after the chase. It does not
/// look around while it is [`Paused`](nav::Paused), nor while it is [`Returning`](crate::Returning)
/// unless [`Leash::notices_on_return`](crate::Leash::notices_on_return) is set.
///
/// It notices a target in the tick in which that comes within range. Agents that need sight look
/// around four times a second, spread over ticks by their [`AgentId`](nav::AgentId)s.
///
/// # The chase
///
/// The agent gets [`Chasing`](nav::Chasing), as if the game had inserted it, and [`Noticed`] is
/// sent. The chase continues when another target comes nearer, and when the target is no longer
/// [`Noticeable`].
///
/// The game switches targets by inserting [`Chasing`](nav::Chasing) and ends the chase by removing
/// it. [`Leash`](crate::Leash) and [`GiveUp`](crate::GiveUp) end chases that lead nowhere,
/// including chases of targets that leave the map. The despawn of a target ends its chases at once.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(Activity, Chaser)]
pub struct Notice {
    /// Columns and rows to the farthest cells in which it notices targets; 10 by default, half of
    /// the radius of a chaser's searches.
    pub range: u16,
    /// Whether a clear line to the target is needed; off by default. A line is clear if a chaser
    /// could walk it, bodies aside: see [`LineOfSight`](nav_grid::smoothing::LineOfSight).
    pub needs_sight: bool,
    /// The factions of its targets, a bit each; all by default.
    pub whom: u32,
    /// Columns and rows within which it calls others when it notices a target; 0, the default, for
    /// no call.
    ///
    /// In the same tick, agents with [`Notice`] on its floor that could begin a chase take the same
    /// target. The caller and they have to notice a common faction of it, and their leash lets them
    /// follow. Their range and sight do not matter.
    ///
    /// An agent that noticed a target by itself follows no call. Of several callers it follows the
    /// nearest, in the order of targets. Agents that were called do not call.
    pub calls: u16,
}

impl Notice {
    /// Notices all factions within some columns and rows, without sight and calls.
    pub const fn new(range: u16) -> Self {
        Self {
            range,
            needs_sight: false,
            whom: u32::MAX,
            calls: 0,
        }
    }
}

impl Default for Notice {
    fn default() -> Self {
        Self::new(10)
    }
}

/// Makes an agent a target for agents with [`Notice`]. Remove it from an agent that hides: no
/// further chase of it begins, and present ones continue.
///
/// For an agent that the game moves by [`WorldPosition`](nav::WorldPosition), the cell of that
/// counts.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(AgentId)]
pub struct Noticeable {
    /// The factions to which it belongs, a bit each; all by default.
    pub factions: u32,
}

impl Default for Noticeable {
    fn default() -> Self {
        Self { factions: u32::MAX }
    }
}

/// The message that an agent began a chase by itself. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::Notice`](crate::BehaviourSystems::Notice), in the order of
/// [`AgentId`](nav::AgentId)s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// The agent that noticed the target, or was called.
    #[event_target]
    pub agent: Entity,
    /// The target of the chase.
    pub target: Entity,
    /// [`ActivityCause::Noticed`] or [`ActivityCause::Called`].
    pub cause: ActivityCause,
}
