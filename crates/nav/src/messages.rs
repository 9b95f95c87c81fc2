//! What happened, for the game to act on. All are written in
//! [`NavSystems::Report`](crate::NavSystems::Report), in an order that does not depend on how
//! Bevy stores agents: answers of searches by longest wait, then refusals, then arrivals by
//! [`AgentId`](crate::AgentId); values that are refused likewise, those of agents without one first.

use bevy_ecs::prelude::*;
use nav_grid::{Cell, Edit, Footprint, Outcome, Status, map::EditError};

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
///
/// Written for every search that gave nothing, unless nothing changed since the one before did: neither the
/// cell of the target, nor that of the chaser, its tuning or the map nearby. A search that is not made,
/// since its answer is known, is reported once, when the chaser's searches begin to fail.
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
    /// way. A chaser with nothing to follow asks again when its target moves, or the map or its tuning
    /// changes, and one interval is over.
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

/// A value that the game set makes no sense; what was in force before stays in force.
///
/// Once for each time that the value is set, or that an agent comes onto a map with it; not once a
/// tick.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueRefused {
    /// Whose value it is.
    pub entity: Entity,
    /// Which one.
    pub field: ValueField,
    /// What is wrong with it.
    pub reason: ValueRefusal,
}

impl std::fmt::Display for ValueRefused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            entity,
            field,
            reason,
        } = self;
        write!(f, "{field} of {entity}: {reason}")
    }
}

/// A value that may be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueField {
    /// [`WorldPosition`](crate::WorldPosition) of a target: it stays in the cell that it was in. One
    /// that never was in any is nowhere.
    WorldPosition,
    /// [`Chaser::displacement`](crate::Chaser::displacement): the last one that was good is set
    /// again, or the default.
    Displacement,
    /// [`FieldAnchor::displacement`](crate::FieldAnchor::displacement): that of the last tick is set
    /// again, or the default of chasers.
    AnchorDisplacement,
    /// The [footprint](nav_grid::Rules::footprint) in the rules of a chaser with a
    /// [`Body`](crate::Body): that of the body is in force.
    RulesFootprint,
    /// The place at which the game put a [`Body`](crate::Body): it stays there, and may be unable to
    /// leave.
    BodyPlace,
}

impl std::fmt::Display for ValueField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::WorldPosition => "the world position",
            Self::Displacement => "the displacement",
            Self::AnchorDisplacement => "the displacement of the field anchor",
            Self::RulesFootprint => "the footprint in the rules",
            Self::BodyPlace => "the place of the body",
        })
    }
}

/// Why a value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueRefusal {
    /// It is no finite number.
    NotFinite,
    /// It is below 0.
    Negative,
    /// The rules name another size than that of the body, and none that is left to it.
    OtherThanBody {
        /// What the rules say; 1×1 leaves it to the body.
        rules: Footprint,
        /// What the body covers.
        footprint: Footprint,
    },
    /// The body does not fit there: a cell that it covers is blocked or lies off the map.
    DoesNotFit {
        /// Its upper left cell.
        cell: Cell,
        /// What it covers.
        footprint: Footprint,
    },
}

impl ValueRefusal {
    /// What is wrong with a number that is to be a length.
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

impl std::fmt::Display for ValueRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => f.write_str("it is no finite number"),
            Self::Negative => f.write_str("it is below 0"),
            Self::OtherThanBody { rules, footprint } => {
                write!(f, "it is {rules}, and the body covers {footprint}")
            }
            Self::DoesNotFit { cell, footprint } => {
                let Cell { x, y, floor } = cell;
                write!(f, "{footprint} do not fit at {x},{y} on floor {floor}")
            }
        }
    }
}

/// A chaser has come within reach of its target: its stop distance, or the beginning of a link to it
/// if its tuning [says so](crate::Chaser::reach_through_links).
///
/// Once per arrival. Where a target has several chasers and is never in one cell for a second, those
/// who are within reach again after each of their steps have been so all along. A chaser alone, and one
/// whose target stood, arrives anew when it has caught up.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetReached {
    /// Who arrived.
    pub chaser: Entity,
    /// At whom.
    pub target: Entity,
}
