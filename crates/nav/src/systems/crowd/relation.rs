//! What one body is to another that meets it: one table, first match.

use crate::{AgentId, Body};
use bevy_ecs::entity::Entity;
use nav_grid::{Cell, Rules, fields::Passage};
use std::cmp::Reverse;

/// A body that chases, as others see it. Another body stays where it is, whoever asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    pub(crate) agent: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    pub(crate) at: Cell,
    pub(crate) body: Body,
    /// Its rules, as if it ignored bodies.
    pub(crate) rules: Rules,
    pub(crate) stop_distance: u16,
    pub(crate) pose: Pose,
    /// Move ticks at which bodies were in its way.
    pub(crate) waits: u8,
    /// Whether it may step in this tick: it stands, or it is its move tick.
    pub(crate) may_step: bool,
}

/// How a body that chases is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pose {
    /// It stepped at its last move tick.
    Moving,
    /// It stands, out of reach of its target.
    Waiting,
    /// It is within reach of its target.
    Reached,
}

/// A body that meets others on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) agent: Entity,
    pub(crate) id: AgentId,
    pub(crate) target: Entity,
    /// Its rules, as if it ignored bodies.
    pub(crate) rules: Rules,
    pub(crate) stop_distance: u16,
    /// Move ticks at which bodies were in its way.
    pub(crate) waits: u8,
    /// Whether the target is on its cells.
    pub(crate) is_under: bool,
    /// Whether its way was found past bodies: it leads on behind those beside its target.
    pub(crate) passes: bool,
}

/// What a body is to one that meets it, from the readiest to make room to a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// Moves on, to the same target or elsewhere.
    Mover,
    /// Waits for the same target.
    Companion,
    /// Waits for a way elsewhere.
    Waiter,
    /// Within reach of the same target, which it has to be as near to as the asker.
    Beside,
    /// Within reach of the same target, by other rules or from further off.
    Outer,
    /// Within reach of another target.
    Settled,
    /// Stays: chases no target, is chased or is paused.
    Stayer,
}

impl Relation {
    /// What a body, or `None` that stays, is to an asker.
    pub(crate) fn of(asker: &Asker, other: Option<&Neighbour>) -> Self {
        let Some(other) = other else {
            return Self::Stayer;
        };
        let is_companion = other.target == asker.target;
        let comes_as_near =
            other.rules == asker.rules && other.stop_distance <= asker.stop_distance;
        match (other.pose, is_companion) {
            (Pose::Reached, true) if comes_as_near => Self::Beside,
            (Pose::Reached, true) => Self::Outer,
            (Pose::Reached, false) => Self::Settled,
            (Pose::Moving, _) => Self::Mover,
            (Pose::Waiting, true) => Self::Companion,
            (Pose::Waiting, false) => Self::Waiter,
        }
    }

    /// Whether the other body makes room for the asker.
    ///
    /// On its way it does for one that waited longer, or as long with a lower number. Within reach of the
    /// asker's target, only for an asker whose way leads on past it: else both would only change places.
    pub(crate) fn yields(self, asker: &Asker, other: &Neighbour) -> bool {
        match self {
            Self::Stayer => false,
            Self::Settled => true,
            Self::Beside | Self::Outer => asker.passes || asker.is_under,
            Self::Mover | Self::Companion | Self::Waiter => {
                asker.is_under
                    || (other.waits, Reverse(other.id)) < (asker.waits, Reverse(asker.id))
            }
        }
    }

    /// Whether the body leaves a place beside the asker's target, if asked: it wants to go elsewhere, or may
    /// stand further off.
    pub(crate) const fn leaves_place(self) -> bool {
        matches!(self, Self::Waiter | Self::Outer)
    }

    /// Whether the body will be where it is until it is asked to leave.
    pub(crate) const fn rests(self) -> bool {
        matches!(self, Self::Settled | Self::Stayer)
    }

    /// The toll of a place on which `count` bodies stand, of which this is the least ready to make room.
    ///
    /// A body beside the target moves along to other places beside it only, so ways lead past one that
    /// `is_beside` among those places. While bodies do not make room, only those that move on let others
    /// pass.
    pub(crate) fn passage(self, count: u8, is_beside: bool, makes_room: bool) -> Passage {
        let toll = |toll: u8| Passage::Toll(toll.saturating_mul(count));
        match self {
            Self::Stayer => Passage::Blocked,
            Self::Mover => toll(MOVER_TOLL),
            _ if !makes_room => Passage::Blocked,
            Self::Companion => toll(MOVER_TOLL),
            Self::Waiter | Self::Outer => toll(WAITER_TOLL),
            Self::Beside if is_beside => Passage::AmongGoals(NEIGHBOUR_TOLL.saturating_mul(count)),
            Self::Beside => toll(NEIGHBOUR_TOLL),
            Self::Settled => toll(SETTLED_TOLL),
        }
    }
}

// Tolls in straight steps, by how long a body keeps another one waiting. Guesses in the order of
// that: a moving body clears its cell in about two move ticks, one beside the target has to find
// another place, a waiting one goes off its way and back, and an arrived one is asked last.
const MOVER_TOLL: u8 = 2;
const NEIGHBOUR_TOLL: u8 = 4;
const WAITER_TOLL: u8 = 8;
const SETTLED_TOLL: u8 = 24;
