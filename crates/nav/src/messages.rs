//! What happened, for the game to act on. All are written in
//! [`NavSystems::Report`](crate::NavSystems::Report), in an order that does not depend on how
//! Bevy stores agents: answers of searches by longest wait, then refusals, then arrivals by
//! [`AgentId`](crate::AgentId).

use bevy_ecs::prelude::*;
use nav_grid::{Cell, Edit, Outcome, Status, map::EditError};

/// A chaser has a new path. [`Outcome::status`] says whether it leads to the target or only
/// nearer.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathFound {
    /// Who searched.
    pub chaser: Entity,
    /// Whom it chases.
    pub target: Entity,
    /// Status, cost and counters of the search.
    pub outcome: Outcome,
}

/// A chaser searched, or wanted to, and has nothing new to follow.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathFailed {
    /// Who searched.
    pub chaser: Entity,
    /// Whom it chases.
    pub target: Entity,
    /// Why there is no path.
    pub reason: PathFailure,
}

/// Why a chaser got no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathFailure {
    /// The search says. [`Status::Unsupported`] comes from a [method](crate::Chaser::method)
    /// that cannot serve the chaser's query on this map; the feature in it says what is in the
    /// way. The chaser asks again after one interval.
    Search(Outcome),
    /// The chaser has no [`OnMap`](crate::OnMap), or the entity it names has no
    /// [`NavMap`](crate::NavMap).
    ChaserNotOnMap,
    /// The target has no [`OnMap`](crate::OnMap) or no [`CellPosition`](crate::CellPosition).
    TargetNotOnMap,
    /// Chaser and target are on different maps.
    MapsDiffer,
}

impl PathFailure {
    /// The search's status, where there was a search.
    pub const fn status(&self) -> Option<Status> {
        match self {
            Self::Search(outcome) => Some(outcome.status),
            _ => None,
        }
    }
}

impl std::fmt::Display for PathFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Search(outcome) => match outcome.status {
                Status::Unsupported(feature) => {
                    write!(f, "the method {} cannot serve {feature}", outcome.method)
                }
                status => status.fmt(f),
            },
            Self::ChaserNotOnMap => f.write_str("the chaser is on no map"),
            Self::TargetNotOnMap => f.write_str("the target is on no map"),
            Self::MapsDiffer => f.write_str("chaser and target are on different maps"),
        }
    }
}

/// An edit of a map has broken the path of a chaser, which decides anew in the same tick.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathBroken {
    /// Whose path it was.
    pub chaser: Entity,
    /// The map.
    pub map: Entity,
    /// The first waypoint that can no longer be walked to.
    pub waypoint: Cell,
}

/// An [`EditMap`](crate::EditMap) could not be carried out; the map is as it was.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditRefused {
    /// The entity that was to be edited.
    pub map: Entity,
    /// What was asked for.
    pub edit: Edit,
    /// Why it was not done.
    pub reason: EditRefusal,
}

/// Why an edit was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditRefusal {
    /// The entity has no [`NavMap`](crate::NavMap), or does not exist.
    NoMap,
    /// The map says.
    Edit(EditError),
}

impl std::fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMap => f.write_str("the entity is no map"),
            Self::Edit(error) => error.fmt(f),
        }
    }
}

/// A chaser has come within its stop distance of the target, where it was not in the tick
/// before.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetReached {
    /// Who arrived.
    pub chaser: Entity,
    /// At whom.
    pub target: Entity,
}
