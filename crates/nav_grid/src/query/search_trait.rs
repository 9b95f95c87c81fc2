//! The trait that all search methods implement, and the features that a method serves.

use super::{
    method::{Feature, Method},
    outcome::{Counters, Outcome, Status},
    path_query::PathQuery,
    terrain::Terrain,
};
use crate::{
    index::MapIndexes,
    path::Path,
    rules::{BodyPolicy, CornerRule, Footprint, Metric},
};

/// A search method together with its scratch memory, as in the [example](crate#example).
pub trait Search {
    /// The name of the method.
    const METHOD: Method;
    /// The features that the method serves. It answers other queries with
    /// [`Status::Unsupported`].
    const SUPPORT: Support;

    /// Answers `query` on a [`Grid`](crate::Grid), with or without
    /// [bodies](crate::Terrain::with_bodies), and replaces the content of `path` with the
    /// waypoints. The path is empty unless the status is [`Status::Found`] or [`Status::Partial`].
    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome;
}

/// The index that a method needs, or the method's answer without it: the query has an answer at
/// once, or the index is missing.
pub(crate) fn index_for<'a, M: Search, C>(
    terrain: Terrain<'a>,
    query: &PathQuery,
    of_map: impl FnOnce(&'a MapIndexes) -> Option<&'a C>,
) -> Result<&'a C, Outcome> {
    if let Some(outcome) = answer_at_once::<M>(terrain, query) {
        return Err(outcome);
    }
    let index = terrain.indexes.and_then(of_map);
    index.ok_or_else(|| Outcome::unsupported(M::METHOD, Feature::Preparation))
}

/// The answer of a method that needs no search, if there is one: the method does not serve the
/// query, or the query has an answer [at once](crate::PathQuery::answer_at_once).
pub(crate) fn answer_at_once<M: Search>(
    terrain: Terrain<'_>,
    query: &PathQuery,
) -> Option<Outcome> {
    let lacks = M::SUPPORT.lacks(terrain, query).map(Status::Unsupported);
    let status = lacks.or_else(|| query.answer_at_once(terrain.grid))?;
    Some(Outcome::without_path(M::METHOD, status, Counters::NONE))
}

/// The same for a method that [comes near](crate::PathQuery::answer_unless_closest) to any goal.
pub(crate) fn answer_unless_closest<M: Search>(
    terrain: Terrain<'_>,
    query: &PathQuery,
) -> Option<Outcome> {
    answer_at_once::<M>(terrain, query).filter(|outcome| !query.wants_closest_to(outcome.status))
}

/// The features that a [method](super::Method) serves.
///
/// A method refuses what it cannot serve, and only the planner tries another one. So a caller who
/// named a method learns that it was not used, instead of paying for a slower one unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each stands for a feature of its own"
)]
pub struct Support {
    /// Maps with step costs.
    pub costs: bool,
    /// Maps with exits.
    pub exits: bool,
    /// Maps with links.
    pub links: bool,
    /// Paths that [may not end with a link](PathQuery::ends_with_step), if a link ends at the goal.
    pub last_steps: bool,
    /// Walkers that bodies may block.
    pub bodies: bool,
    /// Walkers larger than a cell.
    pub footprints: bool,
    /// Walkers without diagonal steps.
    pub four_way: bool,
    /// Walkers that cut corners.
    pub corner_cutting: bool,
    /// The largest window, as [`Limits::radius`](crate::Limits::radius).
    pub radius_max: u16,
}

impl Support {
    /// Everything.
    pub const ALL: Self = Self {
        costs: true,
        exits: true,
        links: true,
        last_steps: true,
        bodies: true,
        footprints: true,
        four_way: true,
        corner_cutting: true,
        radius_max: u16::MAX,
    };

    /// The first feature of a query that is not served, or `None`. A window is never larger than
    /// the map.
    #[doc(hidden)]
    pub fn lacks(&self, terrain: Terrain<'_>, query: &PathQuery) -> Option<Feature> {
        let rules = query.rules;
        let grid = terrain.grid.for_rules(rules);
        let crowded = terrain.bodies.is_some() && rules.bodies != BodyPolicy::Ignore;
        let radius = query.limits.radius.min(grid.radius_max());
        let needs_last_step = query.ends_with_step && !grid.links_to(query.goal).is_empty();
        let lacks = [
            (!self.costs && grid.has_costs(), Feature::Costs),
            (!self.exits && grid.has_exits(), Feature::Exits),
            (!self.links && !grid.links().is_empty(), Feature::Links),
            (!self.last_steps && needs_last_step, Feature::Links),
            (!self.bodies && crowded, Feature::Bodies),
            (
                !self.footprints && rules.footprint != Footprint::ONE,
                Feature::Footprint,
            ),
            (
                !self.four_way && rules.metric == Metric::FourWay,
                Feature::Metric(rules.metric),
            ),
            (
                !self.corner_cutting && rules.corners == CornerRule::Cut,
                Feature::CornerCutting,
            ),
            (radius > self.radius_max, Feature::Window),
        ];
        let mut lacks = lacks.into_iter();
        lacks.find_map(|(lacks, feature)| lacks.then_some(feature))
    }
}
