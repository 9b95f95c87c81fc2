//! Requests for the cells within a cost, and their answers.

use super::{agent::AgentId, path_request::FindPathError};
use crate::NavTime;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{
    Cell, Rules,
    fields::{FieldLimits, ReachedCells},
    rules::{BodyPolicy, Cost},
};

/// A request for all cells within a cost, each with its cost and the way back: the movement range
/// of a unit, a spell that spreads.
///
/// On any entity, with [`OnMap`](crate::OnMap) for the map, as a
/// [`PathRequest`](crate::PathRequest). The plugin answers within the [budget](crate::NavBudget),
/// in this tick or a later one: it replaces the request by a [`ReachAnswer`]. Removing the request,
/// or despawning the entity, cancels it. [`NavQuery::reach`](crate::NavQuery::reach) answers at
/// once instead.
///
/// Bodies do not count, whatever [`Rules::bodies`] says. Edits of the map begin a request under way
/// again.
///
/// # Order
///
/// Path requests and requests for reach share one queue, and their part of the budget: the longest
/// wait comes first, then the least [`AgentId`], and of one entity the path.
///
/// # Complexity
///
/// O(cells in reach): up to 28 steps on open ground under a metric with equal steps some 5 ns each,
/// elsewhere 100 to 150 ns. The answer allocates 12 bytes a cell.
///
/// # Example
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::{prelude::*, requests::{ReachAnswer, ReachRequest}};
///
/// fn ask(map: Entity, mut commands: Commands) {
///     commands.spawn((OnMap(map), ReachRequest::new(Cell::new(2, 3), 6)));
/// }
///
/// fn read(answers: Query<&ReachAnswer, Added<ReachAnswer>>) {
///     for answer in &answers {
///         match &answer.result {
///             Ok(reached) => println!("{} cells", reached.cells().len()),
///             Err(error) => println!("{error}"),
///         }
///     }
/// }
/// ```
// In sparse sets, as path requests.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(storage = "SparseSet")]
#[require(AgentId)]
pub struct ReachRequest {
    /// The cell of the walker.
    pub from: Cell,
    /// How the walker moves.
    pub rules: Rules,
    /// How far the cells are: by cost, in the units of the metric, by a window, by their number.
    /// Cells are answered, and paid for, up to these limits.
    pub limits: FieldLimits,
    /// The time at which the plugin first saw the request.
    pub(crate) since: Option<NavTime>,
}

/// The answer to a [`ReachRequest`], which it replaces.
///
/// Inserted in [`NavSystems::Report`](crate::NavSystems::Report), in the order in which the
/// requests were answered: read it afterwards. It stays until the game removes it, or the next
/// answer replaces it. Saved, and no part of the digest.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(storage = "SparseSet")]
pub struct ReachAnswer {
    /// The request, as the game made it.
    pub request: ReachRequest,
    /// The cells in reach, the start among them. Errors are [`FindPathError::NoMap`], and
    /// [`FindPathError::Invalid`] if the walker cannot stand where it starts.
    pub result: Result<ReachedCells, FindPathError>,
}

impl ReachRequest {
    /// A request for the cells to which a way costs at most `cost`, by the default rules.
    pub fn new(from: Cell, cost: Cost) -> Self {
        Self {
            from,
            rules: Rules::default(),
            limits: FieldLimits {
                cost,
                ..FieldLimits::UNBOUNDED
            },
            since: None,
        }
    }

    setters! {
        /// Replaces the rules.
        with_rules(rules: Rules);
        /// Replaces the limits.
        with_limits(limits: FieldLimits);
    }

    /// The rules that count: bodies do not.
    pub(crate) const fn ground_rules(&self) -> Rules {
        self.rules.with_bodies(BodyPolicy::Ignore)
    }

    /// The answer to the request.
    pub(crate) fn answer(&self, result: Result<ReachedCells, FindPathError>) -> ReachAnswer {
        let request = Self {
            since: None,
            ..self.clone()
        };
        ReachAnswer { request, result }
    }
}
