//! The activity of an agent, and the cause of its last change.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;

/// The activity of an agent. Insert it to have it updated; components of behaviours require it.
///
/// The source of directions of a chaser, such as a shared field or a path of its own, is
/// [`PathCursor::guidance`](nav::PathCursor::guidance).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
#[require(PendingCause)]
#[non_exhaustive]
pub enum Activity {
    /// It has nowhere to go.
    #[default]
    Idle,
    /// On its way to a target.
    Chasing,
    /// Within reach of its target.
    InReach,
    /// Out of reach without a way: the target is unreachable or on another map.
    Waiting,
    /// On its way to a place: by [`GoTo`](nav::GoTo), a patrol, or to a
    /// [`Destination`](nav::Destination).
    Walking,
    /// On its way back after a chase that it gave up.
    Returning,
    /// Looking for a target that it lost: see [`Memory`](crate::Memory).
    Searching,
    /// Running from a danger: see [`Flee`](crate::Flee).
    Fleeing,
    /// Taking random steps: see [`Confused`](crate::Confused).
    Confused,
    /// Without progress, and no retry helped.
    Stuck,
    /// Kept from moving by [`Paused`](nav::Paused).
    Paused,
}

/// Why the activity of an agent changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect))]
#[non_exhaustive]
pub enum ActivityCause {
    /// The game set or ended a chase, a walk or a pause, or began a flight or a confusion.
    Ordered,
    /// It noticed a target.
    Noticed,
    /// An agent nearby noticed a target and called.
    Called,
    /// A target became the highest of its [threat](crate::Threat) list.
    Threatened,
    /// It came within reach of its target.
    Reached,
    /// Its target moved out of reach.
    TargetLeft,
    /// No way leads on.
    NoWay,
    /// A way leads on again.
    WayFound,
    /// It left the range of its leash.
    LeashEnded,
    /// It was not within reach of its target for too long.
    TookTooLong,
    /// Its target was unreachable for too long.
    Unreachable,
    /// It did not see its target for too long.
    SightLost,
    /// It found nobody where it knew its target last.
    NotFound,
    /// Its target no longer exists.
    TargetGone,
    /// It arrived at its place.
    Arrived,
    /// Its flight or its confusion ended.
    Calmed,
    /// It made no progress.
    NoProgress,
}

/// The message that an agent's activity changed. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::Tell`](crate::BehaviourSystems::Tell), in the order of
/// [`AgentId`](nav::AgentId)s, at most once per agent and tick.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityChanged {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// Its activity before.
    pub from: Activity,
    /// Its activity now.
    pub to: Activity,
    /// The reason.
    pub cause: ActivityCause,
}

/// The cause of the next change of an agent's activity, where the chase itself does not tell it.
/// The last cause of a tick counts.
///
/// Marking it as changed requests an update of the activity.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct PendingCause(pub(super) Option<ActivityCause>);

impl PendingCause {
    /// Notes the cause for an agent, before the change.
    pub(super) fn note(causes: &mut Query<&mut Self>, agent: Entity, cause: ActivityCause) {
        if let Ok(mut pending) = causes.get_mut(agent) {
            pending.0 = Some(cause);
        }
    }
}

/// Writes a message, and triggers the observer event that it is as well.
pub(super) fn announce<M>(commands: &mut Commands, message: M)
where
    M: Message + EntityEvent<Trigger<'static>: Default> + Copy,
{
    commands.write_message(message);
    commands.trigger(message);
}
