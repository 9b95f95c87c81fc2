//! Searches, one file or folder a method, all of one call shape.
//!
//! A method is a struct that owns its scratch memory and borrows everything else: an immutable
//! [`Grid`](crate::Grid), a [`PathQuery`], and a [`Path`] to fill. The grid can be shared by any number of
//! threads, each with scratch of its own; a warm search does not allocate.
//!
//! ```
//! use nav_grid::{methods::BoundedAStar, Cell, Grid, Path, PathQuery, Search, Status};
//!
//! let grid = Grid::open(64, 64)?;
//! let mut astar = BoundedAStar::new();
//! let mut path = Path::new();
//! let outcome = astar.search(&grid, &PathQuery::new(Cell::new(4, 4), Cell::new(9, 6)), &mut path);
//! assert_eq!(outcome.status, Status::Found);
//! assert_eq!(outcome.cost, 5);
//! assert_eq!(path.end(), Some(Cell::new(9, 6)));
//! # Ok::<(), nav_grid::GridError>(())
//! ```

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
    /// [bodies](crate::Grid::with_bodies), and leaves the waypoints in `path`, whose former content is
    /// dropped. The path is empty unless the status is [`Status::Found`] or
    /// [`Status::Partial`].
    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome;
}

/// What a method needs of the charts, or its answer if that is not there or not needed.
pub(crate) fn index_for<'a, M: Search, C>(
    terrain: Terrain<'a>,
    query: &PathQuery,
    of_map: impl FnOnce(&'a MapIndexes) -> Option<&'a C>,
) -> Result<&'a C, Outcome> {
    if let Some(outcome) = answer_at_once::<M>(terrain, query) {
        return Err(outcome);
    }
    let index_for = terrain.charts.and_then(of_map);
    index_for.ok_or_else(|| Outcome::unsupported(M::METHOD, Feature::Preparation))
}

/// The answer of a method that needs no search, if there is one: it cannot serve the query, or
/// the query has an answer [at once](Query::answer_at_once).
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
