//! Components and messages of agents that flee.

use crate::{Activity, Interrupted};
use bevy_ecs::{entity::MapEntities, prelude::*};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav::{AgentId, Chaser, NavTime, Period};
use nav_grid::Cell;

/// Makes a chaser run from a danger: an agent, a [`TargetGroup`](nav::groups::TargetGroup), or a
/// cell. Removed when the flight ends, see [`FleeEnded`]. Remove it to end the flight at once, or
/// insert another one to flee otherwise.
///
/// A flight interrupts the chase or the walk of the agent, which goes on afterwards: see
/// [`Interrupted`].
///
/// # The way
///
/// Agents take one step each move tick, to a free cell that is safer. How safe cells are says a
/// field that all agents share that flee the same danger with the same rules and distance. It
/// counts the steps and links from the nearest member of the danger to each cell, up to twice the
/// distance. At a fork an agent takes the branch that leads further from the danger, and it leaves
/// a short dead end where a long way leads on. It never runs past a member of the danger on cells
/// beside it.
///
/// A field follows its danger once a member moved two cells, or came or went, or the map was
/// edited: at most twice a second. Agents take no links themselves, and legal steps only. Of
/// equally safe cells each takes the first one clockwise from a direction that follows from its
/// [`AgentId`], so that a crowd scatters.
///
/// An agent that is nearer than the distance and has no safer cell beside it sends [`Cornered`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Activity, Interrupted, Chaser)]
pub struct Flee {
    /// The danger.
    #[entities]
    pub from: FleeFrom,
    /// Steps from the danger, by way, from which on the agent stands; 20 by default, the radius of
    /// a chaser's searches. At most [`DISTANCE_MAX`](Self::DISTANCE_MAX).
    pub distance: u16,
    /// The end of the flight.
    pub until: FleeUntil,
    /// Its first tick; `None` before.
    pub(super) began: Option<NavTime>,
    /// Whether it has sent that it is cornered, and not stepped since.
    pub(super) is_cornered: bool,
    /// Its end, to be reported in the next tick.
    pub(super) end: Option<FleeEnd>,
}

/// The danger of an agent that flees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, MapEntities)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum FleeFrom {
    /// An agent, or a [`TargetGroup`](nav::groups::TargetGroup): each of its members on the agent's
    /// map.
    Danger(#[entities] Entity),
    /// A cell of the agent's map.
    Cell(Cell),
}

/// The condition that ends a flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum FleeUntil {
    /// The agent is as many steps away as the distance says: the default.
    #[default]
    FarEnough,
    /// The same, or no member of the danger within as many columns and rows sees it.
    OutOfSight,
    /// A period is over since the first tick of the flight. Until then the agent keeps the
    /// distance.
    Over(Period),
}

/// How a flight ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FleeEnd {
    /// The agent is as far away as its distance says, or no way of that length leads from the
    /// danger to it.
    FarEnough,
    /// No member of the danger sees it.
    OutOfSight,
    /// The period is over.
    Over,
    /// The danger is gone, or on another map.
    DangerGone,
}

/// The message that a flight ended. Also an observer event at the agent.
///
/// Written in [`BehaviourSystems::GiveUp`](crate::BehaviourSystems::GiveUp), in the order of
/// [`AgentId`]s. A flight that the game ends writes none.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct FleeEnded {
    /// The agent that fled.
    #[event_target]
    pub agent: Entity,
    /// How it ended.
    pub end: FleeEnd,
}

/// The message that an agent that [flees](Flee) has nowhere safer to go. Also an observer event at
/// the agent.
///
/// Written in [`BehaviourSystems::Steer`](crate::BehaviourSystems::Steer), in the order of
/// [`AgentId`]s, once until the agent steps again. An agent of which all safer cells are taken by
/// bodies is not cornered.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cornered {
    /// The agent.
    #[event_target]
    pub agent: Entity,
    /// Steps from the nearest member of its danger.
    pub steps: u16,
}

impl Flee {
    /// The greatest distance that counts: a field of twice as many steps has up to 66,000
    /// cells of open ground around each member of a danger, which take 16 ticks.
    pub const DISTANCE_MAX: u16 = 64;

    /// A flight from an agent, or from all members of a [`TargetGroup`](nav::groups::TargetGroup).
    pub const fn from_danger(danger: Entity) -> Self {
        Self::new(FleeFrom::Danger(danger))
    }

    /// A flight from a cell, such as that of a bomb.
    pub const fn from_cell(cell: Cell) -> Self {
        Self::new(FleeFrom::Cell(cell))
    }

    const fn new(from: FleeFrom) -> Self {
        Self {
            from,
            distance: 20,
            until: FleeUntil::FarEnough,
            began: None,
            is_cornered: false,
            end: None,
        }
    }

    /// Replaces the distance.
    #[must_use]
    pub const fn with_distance(self, steps: u16) -> Self {
        Self {
            distance: steps,
            ..self
        }
    }

    /// Replaces the condition that ends the flight.
    #[must_use]
    pub const fn until(self, until: FleeUntil) -> Self {
        Self { until, ..self }
    }

    /// A flight that lasts for a period.
    #[must_use]
    pub fn for_period(self, period: impl Into<Period>) -> Self {
        self.until(FleeUntil::Over(period.into()))
    }

    /// Whether its period is over.
    pub(super) fn is_over(&self, now: NavTime) -> bool {
        matches!((self.until, self.began), (FleeUntil::Over(period), Some(began)) if now >= began.after(period))
    }
}

/// The number of an agent in the order of a field, before any agent asked for it.
pub(super) const NOBODY: AgentId = AgentId(u32::MAX);
