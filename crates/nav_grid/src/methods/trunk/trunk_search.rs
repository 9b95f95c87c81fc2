//! The search method: to the road, along it, and from it to the goal, in slices.

use super::{
    road_flood::RoadFlood,
    road_route::RoadRoute,
    trunk_task::{BudgetEnd, ExpansionBudget, TrunkTask},
};
use crate::{
    cell::Cell,
    map::Grid,
    methods::astar::BoundedAStar,
    path::Path,
    query::{
        Counters, Limits, Method, Outcome, PathQuery, PendingSearch, Progress, Resumable, Search,
        SliceResult, Sliced, Status, Support, Terrain, index_for,
    },
    rules::{BodyPolicy, Cost, Estimate, Rules},
};

/// Search along marked highways: to the nearest road, along the roads, and from the road nearest
/// to the goal on to it.
///
/// Walkers keep to roads, and far queries cost little: two searches of the ground between the
/// ends and their roads, and one of the crossings between. The path is legal and usually not a
/// cheapest one. Each of its three parts is, but the path takes the first road even if it leads
/// the wrong way, and keeps to roads where a shortcut would lead across country.
///
/// [`BoundedAStar`] answers, and [`Outcome::method`](crate::Outcome::method) says so, where roads
/// are of no use. That is where the way to the road from either end costs at least half as much as
/// open ground between the ends, where no road leads from one end to the other, and where the path
/// would leave the window. So this search finds every goal that A* finds with the expansions left.
///
/// Only segments between crossings that lie wholly in the window count. Needs
/// [roads](crate::IndexedMap::insert_roads), inserted for the rules of the query. Bodies are not
/// served. [`PathQuery::heuristic`] and [`PathQuery::fallback`] matter to [`BoundedAStar`] only.
///
/// Equally near road cells are ordered by floor, then in reading order. Equally promising
/// crossings are ordered by guess, then in reading order.
///
/// # When to choose it
///
/// For walkers that should keep to roads, and for far queries on maps where cheapest paths take
/// long to find. The roads decide how much longer paths get: a lattice of roads makes far paths a
/// fifth to a third longer.
///
/// # Complexity
///
/// O(n log n) in the cells nearer than the road, and in the crossings. Memory: 8 bytes a cell
/// of the map. Only the part that searches reach is ever touched.
#[derive(Clone, Debug, Default)]
pub struct TrunkSearch {
    direct: BoundedAStar,
    flood: RoadFlood,
    route: RoadRoute,
    /// The cells from the road to the start, and from the road to the goal.
    ways: [Vec<Cell>; 2],
    under_way: PendingSearch<TrunkCheckpoint>,
}

/// The progress of a paused search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrunkCheckpoint {
    /// Without the work of [`TrunkStage::Direct`].
    counters: Counters,
    stage: TrunkStage,
}

#[derive(Clone, Copy, Debug)]
enum TrunkStage {
    /// From the start to a road.
    ToRoad,
    /// From the goal back to a road. The road of the start begins here, at this cost.
    FromRoad(Cell, Cost),
    /// Along the roads from one cell to another. The ways to both cost this together.
    Along((Cell, Cell), Cost),
    /// At the goal, along the roads from one cell to another, at this cost.
    Arrived((Cell, Cell), Cost),
    /// Without roads.
    Direct,
}

const SUPPORT: Support = Support {
    bodies: false,
    last_steps: false,
    ..Support::ALL
};

search_method!(TrunkSearch, Trunk, SUPPORT);

impl Resumable for TrunkSearch {
    pending_search!(TrunkCheckpoint);

    fn work_at(&self, checkpoint: &TrunkCheckpoint) -> u32 {
        // Before that stage, `direct` may hold a search of another query.
        let direct = match checkpoint.stage {
            TrunkStage::Direct => self.direct.work(),
            _ => 0,
        };
        checkpoint.counters.work() + direct
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<TrunkCheckpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<TrunkCheckpoint> {
        let grid = terrain.grid;
        let built = index_for::<Self, _>(terrain, query, |indexes| {
            let built = indexes.roads.as_ref();
            built.filter(|roads| roads.is_of(grid, query.rules))
        });
        let roads = match built {
            Ok(roads) => roads,
            Err(outcome) => return SliceResult::Done(outcome),
        };
        let task = TrunkTask { grid, roads, query };
        let counters = checkpoint.map_or(Counters::NONE, |checkpoint| checkpoint.counters);
        let mut budget = ExpansionBudget::new(query, counters, slice);
        if checkpoint.is_none() {
            self.flood.begin(&task, query.start, &mut budget);
        }
        let mut stage = checkpoint.map_or(TrunkStage::ToRoad, |checkpoint| checkpoint.stage);
        let answer = |status, cost, counters| {
            let outcome = Outcome::new(Method::Trunk, status).with_cost(cost);
            SliceResult::Done(outcome.with_counters(counters))
        };
        loop {
            let next = match stage {
                TrunkStage::Direct => return self.go_directly(terrain, &budget, path),
                TrunkStage::Arrived(ends, cost) => {
                    self.lay(&task, ends, path);
                    return answer(Status::Found, cost, budget.counters);
                }
                _ => self.go(&task, stage, &mut budget),
            };
            let counters = budget.counters;
            stage = match next {
                Ok(next) => next,
                Err(BudgetEnd::Limit) => return answer(Status::BudgetSpent, 0, counters),
                Err(BudgetEnd::Slice) => {
                    return SliceResult::Paused(TrunkCheckpoint { counters, stage });
                }
            }
        }
    }
}

impl TrunkSearch {
    /// Completes a stage along roads and begins the next.
    fn go(
        &mut self,
        task: &TrunkTask<'_>,
        stage: TrunkStage,
        budget: &mut ExpansionBudget,
    ) -> Result<TrunkStage, BudgetEnd> {
        let query = task.query;
        let (start, goal) = (query.start, query.goal);
        // Longer ways to and from roads are not worth taking.
        let half = Estimate::exact(query.rules.metric).between(start, goal) / 2;
        let [to_start, to_goal] = &mut self.ways;
        let next = match stage {
            TrunkStage::ToRoad => {
                let road = self
                    .flood
                    .find(task, (start, true), half, budget, to_start)?;
                road.map(|(first, cost)| {
                    self.flood.begin(task, goal, budget);
                    TrunkStage::FromRoad(first, cost)
                })
            }
            TrunkStage::FromRoad(first, cost) => {
                let road = self
                    .flood
                    .find(task, (goal, false), half, budget, to_goal)?;
                road.map(|(last, rest)| {
                    self.route.begin(task, (first, last), budget);
                    TrunkStage::Along((first, last), cost.saturating_add(rest))
                })
            }
            TrunkStage::Along(ends, rest) => {
                let route = self.route.find(task, ends.1, budget)?;
                route
                    .map(|route| route.saturating_add(rest))
                    .filter(|&whole| whole <= query.limits.cost_max())
                    .map(|whole| TrunkStage::Arrived(ends, whole))
            }
            TrunkStage::Arrived(..) | TrunkStage::Direct => Some(stage),
        };
        Ok(next.unwrap_or_else(|| {
            let expansions = budget.left();
            let limits = Limits {
                expansions,
                ..query.limits
            };
            self.direct.begin(task.grid, &query.with_limits(limits));
            TrunkStage::Direct
        }))
    }

    /// Puts the path together, back to front.
    fn lay(&self, task: &TrunkTask<'_>, ends: (Cell, Cell), path: &mut Path) {
        let [to_start, to_goal] = &self.ways;
        path.prepend_all(to_goal.iter().rev().copied());
        self.route.trace(task, ends, path);
        // Both ways lead from the road outward, and the start is no waypoint.
        path.prepend_all(to_start.iter().skip(1).copied());
        let _ = path.pop();
    }

    /// Runs a slice without roads, after the work along them.
    fn go_directly(
        &mut self,
        terrain: Terrain<'_>,
        budget: &ExpansionBudget,
        path: &mut Path,
    ) -> SliceResult<TrunkCheckpoint> {
        let counters = budget.counters;
        let slice = budget.left_in_slice();
        if (slice > 0 || budget.left() == 0)
            && let Progress::Done(mut outcome) = self.direct.resume(terrain, slice, path)
        {
            outcome.counters.add(&counters);
            return SliceResult::Done(outcome);
        }
        SliceResult::Paused(TrunkCheckpoint {
            counters,
            stage: TrunkStage::Direct,
        })
    }
}

/// The cells of roads along lines from corner to corner, for
/// [`IndexedMap::insert_roads`](crate::IndexedMap::insert_roads).
///
/// Between two corners a road takes a cheapest way.
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

/// Two corners of a line of [road](crate::index::TrunkRoads) have no way between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no road can lead from {from} to {to}: {status}; corners must have a way between them")]
#[non_exhaustive]
pub struct RoadLineError {
    /// The corner that the road reached.
    pub from: Cell,
    /// The next corner.
    pub to: Cell,
    /// The answer of a search over the whole map.
    pub status: Status,
}
