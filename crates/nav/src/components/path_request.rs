//! Requests for paths over the whole map, and their answers.

use super::{agent::AgentId, spot::Spot};
use crate::NavTime;
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::{
    Cell, Limits, Method, Outcome, Path, Rules, Status,
    query::{Fallback, Fault, Feature, QueryEnd},
    rules::{BodyPolicy, Heuristic},
};
use std::fmt;

/// A request for a path over the whole map, for click-to-move, tooltips, plans and spawn checks.
///
/// On any entity: one of its own, or an NPC. [`OnMap`](crate::OnMap) of the same entity names the
/// map. The plugin answers within the [budget](crate::NavBudget), in this tick or a later one: it
/// replaces the request by a [`PathAnswer`]. Removing the request, or despawning the entity,
/// cancels it. [`NavQuery`](crate::NavQuery) answers at once instead.
///
/// Bodies do not count, whatever [`Rules::bodies`] says. Edits of the map begin a search under way
/// again.
///
/// # Which path
///
/// A cheapest one where one lies nearby: within a window of radius 28 around the start, if no way
/// around the window can be cheaper. Elsewhere by the [portals](crate::NavMap#preparation) of the
/// map, which it prepares for the rules of requests as for those of chasers. Such a path may be a
/// few percent longer than need be. [`Outcome::method`] of the answer says which it is. Without
/// portals a cheapest path, with more work.
///
/// # Limits
///
/// [`limits`](Self::limits) bound the path and its search; by default nothing but the map does.
/// Within a limit on cost the answer is exact: where the path over portals is dearer, a search cell
/// by cell has the last word. With a [fallback](Self::fallback) a goal beyond the limit is
/// approached: the path leads as near as the limit allows, as far as a unit may walk in a turn.
///
/// A [method](Self::method) that is asked for by name answers alone, over the whole map or the
/// window of [`Limits::radius`], and in slices, whatever it costs.
///
/// # Several goals
///
/// With [`others`](Self::others), up to some hundreds, the nearest goal by way wins, and among
/// equals the first: [`Route::goal`] says which. One search answers,
/// [`NearestGoal`](nav_grid::methods::NearestGoal), cell by cell: exact on every map. Measured on
/// drawn maps with fifty goals, it takes 1.1 to 2 times the work of [`Method::AStar`] to the
/// nearest alone, 1.4 times on average. [`Method::Auto`] to a single goal takes less where a window
/// of 28 cells or the portals of the map are enough. Goals off the map, in walls or cut off do not
/// count while there are others. The [fallback](Self::fallback) and the [method](Self::method) do
/// not count.
///
/// # Near the goal
///
/// With a [`spot`](Self::spot) the path leads to the cheapest place from which the goal is near
/// enough: to see it, or to walk the rest. One search answers, cell by cell, that looks at a place
/// when it comes to it: [`NearestGoal`](nav_grid::methods::NearestGoal). In sight the goal may be
/// on ground that the walker may not enter. The goals besides the first, the fallback and the
/// method do not count.
///
/// # Order
///
/// Requests and chasers have half of the search budget each, and what the other half leaves.
/// So neither keeps the other waiting, however many there are. Among requests the longest wait
/// comes first, then the least [`AgentId`]: near ones in half of their share, and all others, one
/// after the other, in the rest. Writing the fields of a waiting request keeps its turn; inserting
/// another one takes a new turn.
///
/// By the default budget, a tick answers some 500 requests within a screen, or 50 across a map of
/// 512×512 cells.
///
/// # Example
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::prelude::*;
///
/// fn ask(map: Entity, mut commands: Commands) {
///     let request = PathRequest::new(Cell::new(2, 3), Cell::new(14, 3));
///     commands.spawn((OnMap(map), request));
/// }
///
/// fn read(answers: Query<&PathAnswer, Added<PathAnswer>>) {
///     for answer in &answers {
///         match &answer.result {
///             Ok(route) => println!("{} steps", route.steps),
///             Err(error) => println!("{error}"),
///         }
///     }
/// }
/// ```
// In sparse sets, so that an NPC that asks stays in its table: tables of chasers are walked in
// order.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(storage = "SparseSet")]
#[require(AgentId)]
pub struct PathRequest {
    /// The cell of the walker.
    pub from: Cell,
    /// The cell to reach.
    pub to: Cell,
    /// Further goals: any of them will do. None by default. See [several
    /// goals](Self#several-goals).
    pub others: Vec<Cell>,
    /// How near to the goal the path leads; `None`, the default, for the goal itself. See
    /// [near the goal](Self#near-the-goal).
    pub spot: Option<Spot>,
    /// How the walker moves.
    pub rules: Rules,
    /// Where the path leads if the cell is out of reach. By default nowhere. Otherwise to the
    /// nearest cell within reach: a search of the whole map comes to all of them, so
    /// [`Fallback::ClosestReached`] is [`Fallback::NearestReachable`], unless a
    /// [method](Self::method) is asked for by name.
    pub fallback: Fallback,
    /// The limits of the path and of its search. [`Limits::UNBOUNDED`] by default: a request is
    /// about the whole map, and the budget bounds its work in a tick.
    pub limits: Limits,
    /// How a best-first search estimates the remaining cost. [`Heuristic::OpenGround`] by default,
    /// as for chasers.
    pub heuristic: Heuristic,
    /// The method that answers. [`Method::Auto`] by default, the quickest that serves the map. It
    /// does not count [`Limits::expansions`].
    pub method: Method,
    /// The parts that the answer must hold.
    pub want: Want,
    /// The time at which the plugin first saw the request.
    pub(crate) since: Option<NavTime>,
    /// Where it is searched for next.
    pub(crate) stage: SearchStage,
}

/// Where a [`PathRequest`] is searched for next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum SearchStage {
    /// In a window around the start, if that may be enough; otherwise over the whole map.
    #[default]
    Window,
    /// Over the whole map, by the quickest method.
    Map,
    /// Over the whole map, cell by cell: the path over portals was dearer than the limit.
    Cells,
}

/// The question of a [`PathRequest`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub enum Want {
    /// The path with its cost and number of steps.
    #[default]
    Path,
    /// The cost and the number of steps.
    Cost,
    /// Whether there is a path. Known without a search on maps whose regions are ready, and which
    /// have neither exits nor links. The route has neither cost nor steps.
    Reachability,
}

/// The answer to a [`PathRequest`], which it replaces.
///
/// Inserted in [`NavSystems::Report`](crate::NavSystems::Report), in the order in which the
/// requests were answered: read it afterwards. Observers of `Insert<PathAnswer>` run in this order.
/// It stays until the game removes it, or the next answer replaces it. Saved, and no part of the
/// digest.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[component(storage = "SparseSet")]
pub struct PathAnswer {
    /// The request, as the game made it.
    pub request: PathRequest,
    /// The route, or the reason why there is none.
    pub result: Result<Route, FindPathError>,
}

/// A path with its cost and length, the answer to a [`PathRequest`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Route {
    /// The cells after the start. Empty unless [wanted](Want::Path).
    pub path: Path,
    /// The number of these cells: steps and links.
    pub steps: u32,
    /// The status, the cost and the work of the search.
    pub outcome: Outcome,
    /// The goal that it leads to, or toward: 0 is [`PathRequest::to`], 1 the first of
    /// [`PathRequest::others`].
    pub goal: u32,
}

impl Route {
    /// Whether it leads to the cell of the request. Otherwise it leads nearer, by the
    /// [fallback](PathRequest::fallback).
    pub const fn reaches(&self) -> bool {
        !matches!(self.outcome.status, Status::Partial(_))
    }
}

/// The reason why a [`PathRequest`] or a [`NavQuery`](crate::NavQuery) has no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FindPathError {
    /// The request has no [`OnMap`](crate::OnMap), or the entity has no
    /// [`NavMap`](crate::NavMap).
    #[error("there is no map")]
    NoMap,
    /// An end is off the map, or the body of the walker does not fit at the goal.
    #[error(fmt = write_invalid)]
    Invalid(QueryEnd, Fault),
    /// No path leads there: within the window of the request, and by its method.
    #[error("the goal is unreachable")]
    Unreachable,
    /// The path costs more than [`Limits::cost`] of the request, or than
    /// [`COST_MAX`](nav_grid::rules::COST_MAX).
    #[error("the path is too dear")]
    TooDear,
    /// The goal lies outside the window of [`Limits::radius`] around the start.
    #[error("the goal is outside the window")]
    TooFar,
    /// The method that was asked for came to [`Limits::expansions`] of the request first.
    #[error("the search came to its limit on expansions")]
    TooManyExpansions,
    /// The method that was asked for cannot serve the map or the request.
    #[error("the method cannot serve {0}")]
    Unsupported(Feature),
}

fn write_invalid(end: &QueryEnd, fault: &Fault, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", Status::Invalid(*end, *fault))
}

impl PathRequest {
    /// A request for the path between two cells, by the default rules.
    pub fn new(from: Cell, to: Cell) -> Self {
        Self {
            from,
            to,
            others: Vec::new(),
            spot: None,
            rules: Rules::default(),
            fallback: Fallback::default(),
            limits: Limits::UNBOUNDED,
            heuristic: Heuristic::default(),
            method: Method::default(),
            want: Want::default(),
            since: None,
            stage: SearchStage::default(),
        }
    }

    setters! {
        /// Replaces the rules.
        with_rules(rules: Rules);
        /// Replaces the fallback.
        with_fallback(fallback: Fallback);
        /// Replaces the limits.
        with_limits(limits: Limits);
        /// Replaces the heuristic.
        with_heuristic(heuristic: Heuristic);
        /// Replaces the method.
        with_method(method: Method);
        /// Replaces what the answer holds.
        wanting(want: Want);
        /// Replaces how near to the goal the path leads.
        with_spot(spot: Option<Spot>);
    }

    /// Adds [further goals](Self#several-goals).
    #[must_use]
    pub fn or_to(mut self, goals: impl IntoIterator<Item = Cell>) -> Self {
        self.others.extend(goals);
        self
    }

    /// Lets the path end where the goal is [seen](crate::Reach::Sight), at most `distance` columns
    /// or rows away. See [near the goal](Self#near-the-goal).
    #[must_use]
    pub fn within_sight(self, distance: u16) -> Self {
        self.with_spot(Some(Spot::within_sight(distance)))
    }

    /// Lets the path end where at most `distance` [legal steps](crate::Reach::Steps) lead to the
    /// goal. See [near the goal](Self#near-the-goal).
    #[must_use]
    pub fn within_steps(self, distance: u16) -> Self {
        self.with_spot(Some(Spot::within_steps(distance)))
    }

    /// All goals, in their order.
    pub fn goals(&self) -> impl Iterator<Item = Cell> + '_ {
        std::iter::once(self.to).chain(self.others.iter().copied())
    }

    /// The rules that count: bodies do not.
    pub(crate) const fn ground_rules(&self) -> Rules {
        self.rules.with_bodies(BodyPolicy::Ignore)
    }

    /// The request as the game made it.
    pub(crate) fn as_made(&self) -> Self {
        Self {
            since: None,
            stage: SearchStage::Window,
            ..self.clone()
        }
    }

    /// The answer to the request.
    pub(crate) fn answer(&self, result: Result<Route, FindPathError>) -> PathAnswer {
        let request = self.as_made();
        PathAnswer { request, result }
    }

    /// Returns the result by the outcome of the search, its path, and the goal that this leads to.
    pub(crate) fn result(
        &self,
        outcome: Outcome,
        path: &Path,
        goal: u32,
    ) -> Result<Route, FindPathError> {
        match outcome.status {
            Status::Found | Status::Partial(_) | Status::AlreadyThere => {}
            Status::Invalid(end, fault) => return Err(FindPathError::Invalid(end, fault)),
            // The line is not free; no way around it was looked for.
            Status::BudgetSpent if outcome.method == Method::Line => {
                return Err(FindPathError::Unreachable);
            }
            Status::BudgetSpent if self.is_out_of_expansions(&outcome) => {
                return Err(FindPathError::TooManyExpansions);
            }
            Status::BudgetSpent => return Err(FindPathError::TooDear),
            Status::TooFar => return Err(FindPathError::TooFar),
            Status::Unsupported(feature) => return Err(FindPathError::Unsupported(feature)),
            _ => return Err(FindPathError::Unreachable),
        }
        let (path, steps, outcome) = match self.want {
            Want::Path => (path.clone(), path.len(), outcome),
            Want::Cost => (Path::new(), path.len(), outcome),
            Want::Reachability => (Path::new(), 0, outcome.with_cost(0)),
        };
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        Ok(Route {
            path,
            steps,
            outcome,
            goal,
        })
    }

    /// Whether the limit on expansions ended the search: [`Method::Auto`] has none.
    fn is_out_of_expansions(&self, outcome: &Outcome) -> bool {
        // With several goals, or near a goal, the method does not count.
        let is_plain = self.others.is_empty() && self.spot.is_none();
        let counts = self.method != Method::Auto && is_plain;
        counts && outcome.counters.expanded >= self.limits.expansions
    }
}
