//! The trait that all search methods implement.

use super::{
    feature::Feature,
    method::Method,
    outcome::{Counters, Outcome, Status},
    path_query::PathQuery,
    support::Support,
    terrain::Terrain,
};
use crate::{index::MapIndexes, path::Path};

/// A search method together with its scratch memory.
pub trait Search {
    /// Which method it is.
    const METHOD: Method;
    /// What it can serve. It answers any other query with
    /// [`Status::Unsupported`].
    const SUPPORT: Support;

    /// Answers `query` on a [`Grid`](crate::Grid), with or without
    /// [bodies](crate::Terrain::with_bodies), and leaves the waypoints in `path`, whose former
    /// content is dropped. The path is empty unless the status is [`Status::Found`] or
    /// [`Status::Partial`].
    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome;
}

/// A method that can skip the check for an [answer at once](PathQuery::answer_at_once), for a
/// caller that has made it already: near queries are so short that it counts.
pub(crate) trait SearchValid: Search {
    /// Answers a query that has no answer at once and that the method
    /// [can serve](Search::SUPPORT). The path comes empty.
    fn search_valid(&mut self, terrain: Terrain<'_>, query: &PathQuery, path: &mut Path)
    -> Outcome;

    /// Answers a query that has no answer at once. The path comes empty.
    fn search_if_served(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        match Self::SUPPORT.lacks(terrain, query) {
            Some(feature) => Outcome::unsupported(Self::METHOD, feature),
            None => self.search_valid(terrain, query, path),
        }
    }
}

/// The index that a method needs, or its answer if that is not there or not needed.
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

/// The answer of a method that needs no search, if there is one: it cannot serve the query, or
/// the query has an answer [at once](crate::PathQuery::answer_at_once).
pub(crate) fn answer_at_once<M: Search>(
    terrain: Terrain<'_>,
    query: &PathQuery,
) -> Option<Outcome> {
    let lacks = M::SUPPORT.lacks(terrain, query).map(Status::Unsupported);
    let status = lacks.or_else(|| query.answer_at_once(terrain.grid))?;
    Some(Outcome::without_path(
        M::METHOD,
        status,
        Counters::default(),
    ))
}

/// The same of a method that comes
/// [as near as it can](crate::PathQuery::answer_unless_closest) to any goal.
pub(crate) fn answer_unless_closest<M: Search>(
    terrain: Terrain<'_>,
    query: &PathQuery,
) -> Option<Outcome> {
    answer_at_once::<M>(terrain, query).filter(|outcome| !query.wants_closest_to(outcome.status))
}
