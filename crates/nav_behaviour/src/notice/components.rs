//! Who notices whom, and what is said of it.

use crate::{Activity, ActivityCause};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
use nav::AgentId;

/// Has a chaser begin a chase by itself: of the nearest agent with [`Noticeable`] that comes within
/// range.
///
/// # Whom
///
/// Somebody of the factions of [`whom`](Self::whom), on the same map and floor, at most
/// [`range`](Self::range) columns and rows away, in sight if [`needs_sight`](Self::needs_sight) says so,
/// where the agent's [`Leash`](super::super::Leash), if it has one, lets it follow, and whom it has not
/// [given up](super::super::GivenUp). Cells count, not
/// bodies: those of the two [`CellPosition`](nav::CellPosition)s. Of several it is the first by columns
/// or rows away, whichever is more; then by distance as the crow flies; then by
/// [`AgentId`](nav::AgentId).
///
/// # When
///
/// While it chases nobody, or is on the way to a [`Destination`](nav::Destination), as on a walk or a
/// patrol, which goes on after the chase. Not while it is [`Paused`](nav::Paused), and not while it is
/// [`Returning`](super::super::Returning), unless
/// [`Leash::notices_on_return`](super::super::Leash::notices_on_return) says so. In the tick in which
/// somebody comes within range; who needs sight looks around four times a second, in a turn of its own.
///
/// # And then
///
/// It is a chase as if the game had inserted [`Chasing`](nav::Chasing), and says [`Noticed`]. It goes on
/// when somebody else comes nearer, and when the target is no longer [`Noticeable`]: the game switches by
/// inserting [`Chasing`](nav::Chasing) and ends it by removing that; [`Leash`](super::super::Leash) and
/// [`GiveUp`](super::super::GiveUp) end chases that lead nowhere, as those of targets that leave the map.
/// A target that is despawned ends it at once.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(default, deny_unknown_fields))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
#[require(Activity)]
pub struct Notice {
    /// Columns and rows to the farthest cells in which it notices somebody; 10 by default, half of the
    /// radius within which chasers search by themselves.
    pub range: u16,
    /// Whether there must be a clear line to whom it notices; off by default. What can be seen through is
    /// what can be walked through in a straight line, bodies aside: see
    /// [`LineOfSight`](nav_grid::smoothing::LineOfSight).
    pub needs_sight: bool,
    /// The factions whose members it notices, a bit each; all by default.
    pub whom: u32,
    /// Columns and rows within which it calls others when it notices somebody; 0, the default, for nobody.
    ///
    /// In the same tick all those with [`Notice`] on its floor who could begin a chase take the same target,
    /// if the caller and they notice a common faction of it, and their own leash lets them follow. Their
    /// range and sight do not count. Who is called by several follows the nearest, in the order in which
    /// targets are chosen, and who noticed somebody by itself that. Those who are called do not call.
    pub calls: u16,
}

impl Notice {
    /// Of everybody within so many columns and rows, without sight and calls.
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

/// Makes an agent one that those with [`Notice`] begin to chase. Remove it from whoever hides: nobody
/// begins a chase of it then, and those that began go on.
///
/// Of an agent that the game moves by [`WorldPosition`](nav::WorldPosition) the cell of that counts.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
#[require(AgentId)]
pub struct Noticeable {
    /// The factions that it belongs to, a bit each; all by default.
    pub factions: u32,
}

impl Default for Noticeable {
    fn default() -> Self {
        Self { factions: u32::MAX }
    }
}

/// An agent began a chase by itself. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::Notice`](super::super::BehaviourSystems::Notice), in the order of
/// [`AgentId`](nav::AgentId)s.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// Who noticed somebody, or was called.
    #[event_target]
    pub agent: Entity,
    /// Whom it chases from now on.
    pub target: Entity,
    /// [`ActivityCause::Noticed`] or [`ActivityCause::Called`].
    pub cause: ActivityCause,
}
