//! The search method: scratch memory, dispatch and slices of bounded A*.

use super::{
    expand::{AStarCheckpoint, AStarTask},
    node_map::NodeMap,
    open_list::OpenList,
};
use crate::{
    cell::Cell,
    map::{Grid, step_toward},
    path::Path,
    query::{
        Fault, GridView, Method, Outcome, PathQuery, PendingSearch, QueryEnd, Resumable,
        SliceResult, Status, Stopped, Support, Terrain, UniformView, WeightedView,
    },
    rules::Rules,
};

/// A* inside a window around the start, with a cap on expansions.
///
/// One preallocated node map serves as open and closed list; it is reset by a generation stamp
/// and never zeroed. The open list is a binary heap with lazy deletion: a cell that becomes
/// cheaper is pushed again, and outdated entries are dropped when they are popped. Closed cells
/// are not reopened. Under a consistent heuristic that loses nothing, and all admissible ones
/// here are consistent. Where all steps cost the same, the search leaves out neighbours that the
/// parent of a cell has seen at no higher cost, which only saves time.
///
/// Serves every map and query: costs, exits, floors and links, bodies and footprints. A map
/// without these does not pay for them.
///
/// The path is a cheapest one inside the window if
/// [the heuristic is admissible](crate::rules::Heuristic::is_admissible). With
/// [`Limits::UNBOUNDED`](crate::Limits::UNBOUNDED) it is the textbook search over the whole map.
///
/// Among equally cheap cells the search prefers the nearest to the goal, then the nearest to the
/// straight line from start to goal, then floor and reading order. Paths over open ground
/// therefore look as if drawn with a ruler, and walkers from different sides use different lines.
///
/// # Out of a wall
///
/// Only this method serves a start inside a wall. The path leads out by the
/// [steps](crate::Grid::steps) that are legal there, and on from the last cell of the wall by
/// whichever side is cheapest. If no way leads on, the path ends on the ground beside the wall, on
/// the side of the goal, and the status is [`Status::Partial`].
///
/// # Complexity
///
/// At most [`Limits::expansions`](crate::Limits::expansions) expansions, and no more than the
/// window has cells, each O(log n) in the cells seen. Memory: 8 bytes a cell of the largest window
/// searched, 13 KiB at radius 20, for each floor of a map with links; and 8 or 16 bytes for each
/// entry of the open list.
///
/// # Links and estimates
///
/// An estimate from distance is too high where a link is cheaper than the distance it covers, a
/// *shortcut*. Let K be the least sum, over the shortcuts inside the window, of the link's cost
/// and the estimate from its end. A path without shortcuts costs no less than the estimate from
/// distance, and a path with shortcuts costs no less than K, by its last shortcut. The lesser of
/// the two is therefore admissible. It is also consistent: both are along ordinary moves, and at
/// the start of a shortcut it is at most K, which is at most the link's cost and either the guess
/// from its end or K again. Finding K reads each shortcut once a query. Using it takes one
/// comparison a cell.
///
/// # References
///
/// Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
/// Paths", 1968.
// Decision 4: docs/decisions/0004-links-bound-the-heuristic.md
#[derive(Clone, Debug, Default)]
pub struct BoundedAStar {
    nodes: NodeMap,
    /// The open list of near searches.
    narrow: OpenList<u64>,
    /// The open list of searches that need more bits. Without memory until the first of them.
    wide: OpenList<u128>,
    /// The way out of a wall. Scratch memory.
    wall: Path,
    under_way: PendingSearch<AStarCheckpoint>,
}

search_method!(BoundedAStar, AStar, Support::ALL);

impl Resumable for BoundedAStar {
    pending_search!(AStarCheckpoint);

    fn work_at(&self, checkpoint: &AStarCheckpoint) -> u32 {
        checkpoint.counters.work()
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<AStarCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<AStarCheckpoint> {
        match query.answer_unless_closest(terrain.grid) {
            None => self.run_valid(terrain, query, checkpoint, slice, path),
            Some(Status::Invalid(QueryEnd::Start, Fault::Blocked)) => {
                self.run_out_of_wall(terrain, query, checkpoint, slice, path)
            }
            Some(status) => SliceResult::Done(Outcome::new(Method::AStar, status)),
        }
    }
}

impl BoundedAStar {
    /// Runs a slice of a query whose start is inside a wall.
    #[cold]
    fn run_out_of_wall(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<AStarCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<AStarCheckpoint> {
        let (grid, rules) = (terrain.grid, query.rules);
        if way_through_wall(grid, query.start, rules, &mut self.wall).is_none() {
            let status = Status::Invalid(QueryEnd::Start, Fault::Blocked);
            return SliceResult::Done(Outcome::new(Method::AStar, status));
        }
        let edge = self.wall.end().unwrap_or(query.start);
        let from_edge = PathQuery {
            start: edge,
            ..*query
        };
        let found = match from_edge.answer_from_wall(grid) {
            None => self.run_valid(terrain, &from_edge, checkpoint, slice, path),
            Some(status) => SliceResult::Done(Outcome::new(Method::AStar, status)),
        };
        let SliceResult::Done(outcome) = found else {
            return found;
        };
        let status = match outcome.status {
            Status::Found | Status::AlreadyThere => Status::Found,
            Status::Partial(stopped) => Status::Partial(stopped),
            Status::BudgetSpent => Status::Partial(Stopped::BudgetSpent),
            _ => Status::Partial(Stopped::Unreachable),
        };
        if path.is_empty() && !grid.fits(edge, rules.footprint) {
            let steps = grid.steps(edge, rules).into_iter();
            let exits = steps.filter_map(|way| edge.step(way));
            // Among equals the first one clockwise.
            path.extend(
                exits
                    .min_by_key(|exit| exit.squared_distance(query.goal))
                    .into_iter(),
            );
        }
        path.prepend_all(self.wall.iter().rev());
        let cost = path.walk(grid, query.start, rules).unwrap_or(outcome.cost);
        SliceResult::Done(outcome.with_status(status).with_cost(cost))
    }

    /// Runs a slice of a query that needs a search.
    fn run_valid(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<AStarCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<AStarCheckpoint> {
        if let Some(plain) = UniformView::new(terrain, query) {
            let task = AStarTask::new(terrain.grid, plain, query);
            self.run_on(&task, checkpoint, slice, path)
        } else {
            let task = AStarTask::new(terrain.grid, WeightedView::new(terrain, query), query);
            self.run_on(&task, checkpoint, slice, path)
        }
    }

    fn run_on<G: GridView>(
        &mut self,
        task: &AStarTask<'_, G>,
        checkpoint: Option<AStarCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<AStarCheckpoint> {
        // Another map can have the same version and size.
        let checkpoint = checkpoint.filter(|checkpoint| checkpoint.layout == task.layout);
        if task.layout.is_narrow() {
            task.run(&mut self.nodes, &mut self.narrow, checkpoint, slice, path)
        } else {
            task.run(&mut self.nodes, &mut self.wide, checkpoint, slice, path)
        }
    }
}

/// Lays a walker's way from inside a wall to the first cell from which steps lead onto ground, or
/// onto the ground itself where no such step is legal. `None` if no ground is left on the floor.
pub(super) fn way_through_wall(
    grid: &Grid,
    start: Cell,
    rules: Rules,
    way: &mut Path,
) -> Option<()> {
    way.clear();
    let (mut at, mut nearest) = (start, None);
    while !grid.fits(at, rules.footprint) && grid.steps_onto_ground(at, rules).is_empty() {
        // Looking for the place again at each step would take as long as the wall is wide.
        let place = nearest.or_else(|| grid.nearest_place(at, rules.footprint))?;
        let is_even = at.x.abs_diff(place.x) == at.y.abs_diff(place.y);
        nearest = (rules.metric.diagonal().is_some() || !is_even).then_some(place);
        at = at.step(step_toward(at, place, rules)?)?;
        way.append(at);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        query::{Fallback, Limits},
        rules::{Heuristic, Metric},
    };

    #[test]
    fn key_widths_agree() {
        let grid = Grid::from_fn(60, 60, |Cell { x, y, .. }| {
            (x * 7 + y * 13 + x * y) % 4 != 0
        });
        let grid = grid.unwrap();
        let cells: Vec<Cell> = grid.walkable_cells().step_by(37).collect();
        let mut search = BoundedAStar::new();
        let (mut narrow, mut wide) = (Path::new(), Path::new());
        for (&start, &goal) in cells.iter().zip(cells.iter().cycle().skip(11)) {
            for metric in Metric::ALL {
                for heuristic in Heuristic::ALL {
                    let query = PathQuery::new(start, goal)
                        .with_rules(Rules {
                            metric,
                            ..Rules::default()
                        })
                        .with_heuristic(heuristic)
                        .with_limits(Limits::window(25))
                        .with_fallback(Fallback::ClosestReached);
                    let plain = UniformView::new(Terrain::from(&grid), &query).unwrap();
                    let task = AStarTask::new(&grid, plain, &query);
                    if query.answer_unless_closest(&grid).is_some() || !task.layout.is_narrow() {
                        continue;
                    }
                    narrow.clear();
                    wide.clear();
                    let BoundedAStar {
                        nodes,
                        narrow: few_bits,
                        wide: many_bits,
                        ..
                    } = &mut search;
                    let one = task.run(nodes, few_bits, None, u32::MAX, &mut narrow);
                    let other = task.run(nodes, many_bits, None, u32::MAX, &mut wide);
                    assert_eq!(one, other, "{query:?}");
                    assert_eq!(narrow, wide, "{query:?}");
                }
            }
        }
    }
}
