//! What an agent is doing, and why that changed.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// What an agent is doing. Insert it to have it kept up to date; behaviours bring it along.
///
/// *How* a chaser goes, by a field or a path of its own, is beside it: [`PathCursor::guidance`](nav::PathCursor::guidance).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
#[require(PendingCause)]
#[non_exhaustive]
pub enum Activity {
    /// It has nowhere to go.
    #[default]
    Idle,
    /// On the way to somebody.
    Chasing,
    /// Within reach of whom it chases.
    InReach,
    /// Out of reach, and nothing leads on: the target cannot be reached, or is on another map.
    Waiting,
    /// On the way to a place: by [`GoTo`](crate::GoTo), a patrol, or to a [`Destination`](nav::Destination).
    Walking,
    /// On the way back after a chase that it gave up.
    Returning,
    /// It does not get on, and nothing that it tried helped.
    Stuck,
    /// It is kept from moving by [`Paused`](nav::Paused).
    Paused,
}

/// Why an agent does something else than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum ActivityCause {
    /// The game said so: a chase, a walk or a pause that it set or ended.
    Ordered,
    /// It noticed somebody.
    Noticed,
    /// Somebody near noticed somebody.
    Called,
    /// It came within reach of its target.
    Reached,
    /// Its target went on, out of reach.
    TargetLeft,
    /// There is no way on.
    NoWay,
    /// There is a way again.
    WayFound,
    /// It came to the end of its leash.
    LeashEnded,
    /// It was not within reach of its target for too long.
    TookTooLong,
    /// Its target could not be reached for too long.
    Unreachable,
    /// Its target is gone.
    TargetGone,
    /// It is where it was to go.
    Arrived,
    /// It did not get on.
    NoProgress,
}

/// An agent does something else than before. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::Tell`](crate::BehaviourSystems::Tell), in the order of [`AgentId`](nav::AgentId)s, at most once per agent and tick.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityChanged {
    /// Who.
    #[event_target]
    pub agent: Entity,
    /// What it did.
    pub from: Activity,
    /// What it does.
    pub to: Activity,
    /// Why.
    pub cause: ActivityCause,
}

/// Why the activity of an agent is about to change, as far as the chase itself does not say. Marked as
/// changed to have the agent looked at.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(summary_tick)]
pub(super) struct PendingCause(Option<ActivityCause>);

impl PendingCause {
    /// Notes why; the last one in a tick counts.
    pub(super) fn set(&mut self, cause: ActivityCause) {
        self.0 = Some(cause);
    }

    /// The cause that was noted, once.
    pub(super) fn take(&mut self) -> Option<ActivityCause> {
        self.0.take()
    }
}
