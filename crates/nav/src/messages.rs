//! Messages about what happened, which are observer events, too.
//!
//! All are written in [`NavSystems::Report`](crate::NavSystems::Report), in an order that does not
//! depend on how Bevy stores agents. Answers of searches come first, by longest wait. Then come
//! failures without a search, arrivals, broken paths and refused values, each by
//! [`AgentId`](crate::AgentId); agents without an id come first.

use bevy_ecs::prelude::*;
use nav_grid::{Cell, Edit, Footprint, Outcome, Status, map::EditError};
use std::fmt;

/// A chaser got a new path.
///
/// [`Outcome::status`] says whether it leads to the target or only nearer.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathFound {
    /// The chaser: the target of the event.
    #[event_target]
    pub chaser: Entity,
    /// Its target.
    pub target: Entity,
    /// The status, cost and counters of the search.
    pub outcome: Outcome,
}

/// A [chaser](crate::Chaser) searched, or needed to, and got no path.
///
/// Written for every failed search that does not repeat the one before. A search is a repetition if
/// the cells of target and chaser, the tuning and the map nearby are unchanged. If the failure is
/// known without a search, it is reported once, when the chaser's requests begin to fail.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathFailed {
    /// The chaser: the target of the event.
    #[event_target]
    pub chaser: Entity,
    /// Its target.
    pub target: Entity,
    /// The reason.
    pub reason: PathFailure,
}

/// The reason of a [`PathFailed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFailure {
    /// The search failed, with its outcome.
    ///
    /// [`Status::Unsupported`] means that the chaser's [method](crate::Chaser::method) does not
    /// support a feature of the query or the map, which it names. A chaser with nothing to follow
    /// searches again once one interval is over and its target moved, or the map or its tuning
    /// changed.
    #[error(fmt = write_failed_search)]
    Search(Outcome),
    /// The chaser has no [`OnMap`](crate::OnMap), or the entity it names has no
    /// [`NavMap`](crate::NavMap).
    #[error("the chaser is on no map")]
    ChaserNotOnMap,
    /// The target has no [`OnMap`](crate::OnMap) or no [`CellPosition`](crate::CellPosition).
    #[error("the target is on no map")]
    TargetNotOnMap,
    /// Chaser and target are on different maps.
    #[error("chaser and target are on different maps")]
    MapsDiffer,
}

impl PathFailure {
    /// The status of the search, if there was one.
    pub const fn status(&self) -> Option<Status> {
        match self {
            Self::Search(outcome) => Some(outcome.status),
            _ => None,
        }
    }
}

fn write_failed_search(outcome: &Outcome, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match outcome.status {
        Status::Unsupported(feature) => {
            write!(f, "the method {} cannot serve {feature}", outcome.method)
        }
        status => write!(f, "{status}"),
    }
}

/// An [edit](crate::MapCommands) of a map broke the path of a chaser. The chaser decides again in
/// the same tick.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathBroken {
    /// The chaser: the target of the event.
    #[event_target]
    pub chaser: Entity,
    /// Its map.
    pub map: Entity,
    /// The first waypoint that can no longer be reached by the path.
    pub waypoint: Cell,
}

/// An [`EditMap`](crate::EditMap) failed. The map is unchanged.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditRefused {
    /// The entity of the [`EditMap`](crate::EditMap): the target of the event.
    #[event_target]
    pub map: Entity,
    /// The edit.
    pub edit: Edit,
    /// The reason.
    pub reason: EditRefusal,
}

/// The reason of an [`EditRefused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditRefusal {
    /// The entity has no [`NavMap`](crate::NavMap), or does not exist.
    #[error("the entity is no map")]
    NoMap,
    /// The map refused it, with its error.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The game set an invalid [value](ValueField). The value before stays in force.
///
/// Written once each time the value is set, or an agent comes onto a map with it, not once a tick.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueRefused {
    /// The entity with the value: the target of the event.
    #[event_target]
    pub entity: Entity,
    /// The value.
    pub field: ValueField,
    /// The reason for the refusal.
    pub reason: ValueRefusal,
}

impl fmt::Display for ValueRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {}", self.field, self.entity, self.reason)
    }
}

/// A value that may be [refused](ValueRefused).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueField {
    /// [`WorldPosition`](crate::WorldPosition) of a target: the target stays in its cell, or off
    /// the map if it never had one.
    WorldPosition,
    /// [`Chaser::repath_distance`](crate::Chaser::repath_distance): set back to the last valid
    /// value, or the default.
    RepathDistance,
    /// The least re-path distance of the chasers that share a target's fields: set back to the
    /// value of the last tick, or the default of chasers.
    AnchorRepathDistance,
    /// The [footprint](nav_grid::Rules::footprint) in the rules of a chaser with a
    /// [`Body`](crate::Body): the footprint of the body counts.
    RulesFootprint,
    /// The place where the game put a [`Body`](crate::Body): it stays there, and may be unable to
    /// leave.
    BodyPlace,
}

impl fmt::Display for ValueField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WorldPosition => "the world position",
            Self::RepathDistance => "the re-path distance",
            Self::AnchorRepathDistance => "the re-path distance of the field anchor",
            Self::RulesFootprint => "the footprint in the rules",
            Self::BodyPlace => "the place of the body",
        })
    }
}

/// The reason of a [`ValueRefused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ValueRefusal {
    /// It is not a finite number.
    #[error("it is no finite number")]
    NotFinite,
    /// It is below 0.
    #[error("it is below 0")]
    Negative,
    /// The rules name a size that is neither 1×1 nor the size of the body.
    #[error("it is {rules}, and the body covers {footprint}")]
    OtherThanBody {
        /// The footprint of the rules.
        rules: Footprint,
        /// The footprint of the body.
        footprint: Footprint,
    },
    /// The body does not fit: a cell that it covers is blocked or off the map.
    #[error("{footprint} do not fit at {},{} on floor {}", .cell.x, .cell.y, .cell.floor)]
    DoesNotFit {
        /// The upper left cell.
        cell: Cell,
        /// The footprint of the body.
        footprint: Footprint,
    },
}

impl ValueRefusal {
    /// Checks a length: what is wrong with it, if anything.
    pub(crate) fn of_length(length: f32) -> Option<Self> {
        if !length.is_finite() {
            Some(Self::NotFinite)
        } else if length < 0.0 {
            Some(Self::Negative)
        } else {
            None
        }
    }
}

/// A chaser came within reach of its target: within its stop distance, or to the beginning of a
/// link to it if its tuning [counts links](crate::Chaser::reach_through_links).
///
/// Written once per arrival. Where a target has several chasers and stays in no cell for a second,
/// a chaser that is within reach again after each of its steps counts as within reach all along. A
/// chaser alone, or of a target that stood, arrives again each time it catches up.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetReached {
    /// The chaser: the target of the event.
    #[event_target]
    pub chaser: Entity,
    /// Its target.
    pub target: Entity,
}
