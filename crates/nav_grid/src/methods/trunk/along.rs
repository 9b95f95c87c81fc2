//! Road cells along lines from corner to corner.

use crate::{
    cell::Cell,
    map::Grid,
    methods::astar::BoundedAStar,
    path::Path,
    query::{Limits, PathQuery, Search, Status},
    rules::{BodyPolicy, Rules},
};

/// The cells of roads along lines from corner to corner, for
/// [`IndexedMap::insert_roads`](crate::IndexedMap::insert_roads): between two corners a road takes
/// a cheapest way.
///
/// # Errors
///
/// [`RoadLineError`] at the first two corners without a way between them.
///
/// # Complexity
///
/// An A* search over the whole map for each piece of a line.
pub fn road_cells_along<L: IntoIterator<Item = Cell>>(
    grid: &Grid,
    rules: Rules,
    lines: impl IntoIterator<Item = L>,
) -> Result<Vec<Cell>, RoadLineError> {
    let rules = rules.with_bodies(BodyPolicy::Ignore);
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    let mut marked = Vec::new();
    for line in lines {
        let mut before = None;
        for to in line {
            let from = before.replace(to).unwrap_or(to);
            let query = PathQuery::new(from, to)
                .with_rules(rules)
                .with_limits(Limits::UNBOUNDED);
            let status = astar.search(grid, &query, &mut path).status;
            if !matches!(status, Status::Found | Status::AlreadyThere) {
                return Err(RoadLineError { from, to, status });
            }
            marked.push(to);
            marked.extend(path.iter());
        }
    }
    Ok(marked)
}

/// Two corners of a line of road have no way between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead from {from} to {to}: {status}; corners must have a way between them")]
#[non_exhaustive]
pub struct RoadLineError {
    /// The corner that the road came to.
    pub from: Cell,
    /// The next one.
    pub to: Cell,
    /// What a search over the whole map answered.
    pub status: Status,
}
