//! Roads along lines from corner to corner.

use crate::{
    cell::Cell,
    index::TrunkRoads,
    map::Grid,
    methods::astar::BoundedAStar,
    path::Path,
    query::{Limits, PathQuery, Search, Status},
    rules::{BodyPolicy, Rules},
};

impl TrunkRoads {
    /// Roads along lines from corner to corner; between two corners they take a cheapest way.
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first two corners without a way between them.
    ///
    /// # Complexity
    ///
    /// A search over the whole map for each piece of a line.
    pub fn along<L: IntoIterator<Item = Cell>>(
        grid: &Grid,
        rules: Rules,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<Self, RoadError> {
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
                    return Err(RoadError { from, to, status });
                }
                marked.push(to);
                marked.extend(path.iter());
            }
        }
        Ok(Self::new(grid, rules, marked))
    }
}

/// Two corners of a line of road have no way between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead from {from} to {to}: {status}; corners must have a way between them")]
pub struct RoadError {
    /// The corner that the road came to.
    pub from: Cell,
    /// The next one.
    pub to: Cell,
    /// What a search over the whole map answered.
    pub status: Status,
}
