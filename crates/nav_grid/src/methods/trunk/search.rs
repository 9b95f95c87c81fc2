//! The search method: to the road, along it, and from it to the goal, in slices.

use super::{
    flood::{MoveSense, RoadFlood},
    route::RoadRoute,
    task::{BudgetEnd, ExpansionBudget, TrunkTask},
};
use crate::{
    cell::Cell,
    methods::astar::BoundedAStar,
    path::Path,
    query::{
        Counters, Limits, Method, Outcome, PathQuery, PendingSearch, Progress, Resumable, Search,
        SliceResult, Sliced, Status, Support, Terrain, index_for,
    },
    rules::{Cost, Estimate},
};

/// Search along marked highways: to the nearest road, along the roads, and from the road nearest
/// to the goal on to it.
///
/// Walkers go where roads are meant to be walked, and far queries cost little: two searches of
/// the ground between the ends and their roads, and one of the crossings between. The path is
/// legal and usually not a cheapest one: each of its three parts is, but walkers take to the
/// first road even if it lies the wrong way, and keep to roads where a shortcut would lead
/// across country.
///
/// [`BoundedAStar`] answers, and [`Outcome::method`] says so, where roads are of no use: where
/// the way to the road from either end costs half of what open ground between the ends would or
/// more, where no road leads from one to the other, and where the path would leave the window.
/// So a goal is found wherever that search finds it, with the expansions that are left to it.
///
/// Roads count as far as whole segments between crossings are in the window. Needs
/// [roads](crate::IndexedMap::insert_roads), inserted for the rules of the query. Bodies are not
/// served. [`PathQuery::heuristic`] and [`PathQuery::fallback`] matter to [`BoundedAStar`] alone.
///
/// Among equally near road cells the one with the lower cost so far comes first, then floor and
/// reading order; among crossings of equal promise the one with the lower guess, then the one
/// that comes first in reading order.
///
/// # When to choose it
///
/// For walkers that should be seen on roads, and for far queries on maps where cheapest paths
/// take long to find. How much longer paths get is up to the roads: a lattice of them makes far
/// paths a fifth to a third longer.
///
/// # Complexity
///
/// O(n log n) in the cells nearer than the road, and in the crossings. Memory: 8 bytes a cell
/// of the map, of which only the part is ever touched that searches come to.
#[derive(Clone, Debug, Default)]
pub struct TrunkSearch {
    direct: BoundedAStar,
    flood: RoadFlood,
    route: RoadRoute,
    /// From the road to the start, and from the road to the goal.
    ways: [Vec<Cell>; 2],
    under_way: PendingSearch<TrunkCheckpoint>,
}

/// Where a search was paused.
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
    /// From the goal back to a road; the start's lies here, at this cost.
    FromRoad(Cell, Cost),
    /// Along the roads from one cell to another; the cost of the ways to both together.
    Along((Cell, Cell), Cost),
    /// There, along the roads from one cell to another, at this cost.
    Arrived((Cell, Cell), Cost),
    /// Without roads.
    Direct,
}

impl TrunkSearch {
    /// A search without memory yet; it takes what the first queries need and keeps it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for TrunkSearch {
    const METHOD: Method = Method::Trunk;
    const SUPPORT: Support = Support {
        bodies: false,
        last_steps: false,
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.run_through(terrain, query, path)
    }
}

impl Resumable for TrunkSearch {
    type Checkpoint = TrunkCheckpoint;

    fn pending(&self) -> &PendingSearch<TrunkCheckpoint> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<TrunkCheckpoint> {
        &mut self.under_way
    }

    fn work_at(&self, checkpoint: &TrunkCheckpoint) -> u32 {
        // Before that stage a search may be left over from another query.
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
        let roads = index_for::<TrunkSearch, _>(terrain, query, |indexes| {
            let roads = indexes.roads.as_ref();
            roads.filter(|roads| roads.is_of(grid, query.rules))
        });
        let roads = match roads {
            Ok(roads) => roads,
            Err(outcome) => return SliceResult::Done(outcome),
        };
        let task = TrunkTask { grid, roads, query };
        let answer = |status, cost, counters| Outcome {
            status,
            cost,
            counters,
            method: Method::Trunk,
        };
        let counters = checkpoint.map_or(Counters::default(), |checkpoint| checkpoint.counters);
        let mut budget = ExpansionBudget::new(query, counters, slice);
        let mut stage = if let Some(checkpoint) = checkpoint {
            checkpoint.stage
        } else {
            self.flood.begin(&task, query.start, &mut budget);
            TrunkStage::ToRoad
        };
        loop {
            let next = match stage {
                TrunkStage::Direct => return self.go_directly(terrain, &budget, path),
                TrunkStage::Arrived(ends, cost) => {
                    self.lay(&task, ends, path);
                    return SliceResult::Done(answer(Status::Found, cost, budget.counters));
                }
                _ => self.go(&task, stage, &mut budget),
            };
            match next {
                Ok(TrunkStage::Direct) => {
                    let limits = Limits {
                        expansions: budget.left(),
                        ..query.limits
                    };
                    self.direct.begin(terrain, &query.with_limits(limits));
                    stage = TrunkStage::Direct;
                }
                Ok(next) => stage = next,
                Err(BudgetEnd::Limit) => {
                    return SliceResult::Done(answer(Status::BudgetSpent, 0, budget.counters));
                }
                Err(BudgetEnd::Slice) => {
                    let counters = budget.counters;
                    return SliceResult::Paused(TrunkCheckpoint { counters, stage });
                }
            }
        }
    }
}

impl TrunkSearch {
    /// Goes through a stage along roads, and returns the next.
    fn go(
        &mut self,
        task: &TrunkTask<'_>,
        stage: TrunkStage,
        budget: &mut ExpansionBudget,
    ) -> Result<TrunkStage, BudgetEnd> {
        let PathQuery {
            start,
            goal,
            rules,
            limits,
            ..
        } = *task.query;
        // Ways to and from roads that cross each other are too long for this.
        let half = Estimate::exact(rules.metric).between(start, goal) / 2;
        let [to_start, to_goal] = &mut self.ways;
        let next = match stage {
            TrunkStage::ToRoad => {
                let from = (start, MoveSense::Ahead);
                let road = self.flood.find(task, from, half, budget, to_start)?;
                road.map(|(first, cost)| {
                    self.flood.begin(task, goal, budget);
                    TrunkStage::FromRoad(first, cost)
                })
            }
            TrunkStage::FromRoad(first, cost) => {
                let from = (goal, MoveSense::Back);
                let road = self.flood.find(task, from, half, budget, to_goal)?;
                road.map(|(last, rest)| {
                    self.route.begin(task, (first, last), budget);
                    TrunkStage::Along((first, last), cost.saturating_add(rest))
                })
            }
            TrunkStage::Along(ends, rest) => {
                let route = self.route.find(task, ends.1, budget)?;
                let whole = route.map(|route| route.saturating_add(rest));
                let whole = whole.filter(|&whole| whole <= limits.cost_max());
                whole.map(|whole| TrunkStage::Arrived(ends, whole))
            }
            TrunkStage::Arrived(..) | TrunkStage::Direct => Some(stage),
        };
        Ok(next.unwrap_or(TrunkStage::Direct))
    }

    /// Puts the path together, back to front.
    fn lay(&self, task: &TrunkTask<'_>, ends: (Cell, Cell), path: &mut Path) {
        let [to_start, to_goal] = &self.ways;
        for &cell in to_goal.iter().rev() {
            path.prepend(cell);
        }
        self.route.trace(task, ends, path);
        // Both lead from the road outward, and the start is no waypoint.
        for &cell in to_start.iter().skip(1) {
            path.prepend(cell);
        }
        let _ = path.pop();
    }

    /// A slice without roads, after the work that was done along them.
    fn go_directly(
        &mut self,
        terrain: Terrain<'_>,
        budget: &ExpansionBudget,
        path: &mut Path,
    ) -> SliceResult<TrunkCheckpoint> {
        let counters = budget.counters;
        let checkpoint = TrunkCheckpoint {
            counters,
            stage: TrunkStage::Direct,
        };
        let slice = budget.left_in_slice();
        if slice == 0 && budget.left() > 0 {
            return SliceResult::Paused(checkpoint);
        }
        let Progress::Done(mut outcome) = self.direct.resume(terrain, slice, path) else {
            return SliceResult::Paused(checkpoint);
        };
        outcome.counters.add(&counters);
        SliceResult::Done(outcome)
    }
}
