//! The search method.

use super::{
    flood::{Flood, Sense, Shore},
    route::{Found, Route},
    task::{Budget, Task},
};
use crate::{
    BoundedAStar, COST_MAX, Cell, Counters, Feature, Limits, Method, Metric, Outcome, Path, Query,
    Search, Status, Support, Terrain, rules::Estimate, search::answer_at_once,
};

/// To the nearest road, along the roads, and from the road nearest to the goal on to it.
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
/// Roads count as far as whole stretches between crossings are in the window. Needs
/// [`Charts::trunk`](crate::Charts::trunk), made for the rules of the query. Bodies are not
/// served. [`Query::heuristic`] and [`Query::fallback`] matter to [`BoundedAStar`] alone.
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
    flood: Flood,
    route: Route,
    /// From the road to the start, and from the road to the goal.
    ways: [Vec<Cell>; 2],
}

impl TrunkSearch {
    /// A search without memory yet; it takes what the first queries need and keeps it.
    pub fn new() -> Self {
        Self::default()
    }

    fn along_roads(&mut self, task: &Task<'_>, budget: &mut Budget, path: &mut Path) -> Found {
        let Query {
            start, goal, rules, ..
        } = *task.query;
        // Ways to and from roads that cross each other are too long for this.
        let half = Estimate::exact(rules.metric).between(start, goal) / 2;
        let [to_start, to_goal] = &mut self.ways;
        let from = (start, Sense::Ahead);
        let (first, cost) = match self.flood.find(task, from, half, budget, to_start) {
            Shore::Road(cell, cost) => (cell, cost),
            Shore::None => return Found::None,
            Shore::BudgetSpent => return Found::BudgetSpent,
        };
        let from = (goal, Sense::Back);
        let (last, rest) = match self.flood.find(task, from, half, budget, to_goal) {
            Shore::Road(cell, cost) => (cell, cost),
            Shore::None => return Found::None,
            Shore::BudgetSpent => return Found::BudgetSpent,
        };
        for &cell in to_goal.iter().rev() {
            path.prepend(cell);
        }
        let route = match self.route.find(task, (first, last), budget, path) {
            Found::Route(route) => route,
            other => return other,
        };
        // Both lead from the road outward, and the start is no waypoint.
        for &cell in to_start.iter().skip(1) {
            path.prepend(cell);
        }
        let _ = path.pop();
        match cost
            .checked_add(rest)
            .and_then(|ends| ends.checked_add(route))
        {
            Some(whole) if whole <= COST_MAX => Found::Route(whole),
            _ => Found::None,
        }
    }
}

impl Search for TrunkSearch {
    const METHOD: Method = Method::Trunk;
    const SUPPORT: Support = Support {
        costs: true,
        exits: true,
        links: true,
        bodies: false,
        footprints: true,
        metrics: &Metric::ALL,
        corner_cutting: true,
        radius_max: u16::MAX,
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &Query,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        let grid = terrain.grid;
        path.clear();
        if let Some(outcome) = answer_at_once::<Self>(terrain, query) {
            return outcome;
        }
        let roads = terrain.charts.and_then(|charts| charts.trunk.as_ref());
        let Some(roads) = roads.filter(|roads| roads.is_of(grid, query.rules)) else {
            return Outcome::unsupported(Self::METHOD, Feature::Preparation);
        };
        let task = Task { grid, roads, query };
        let mut budget = Budget {
            counters: Counters::default(),
            expansions: query.limits.expansions,
        };
        match self.along_roads(&task, &mut budget, path) {
            Found::Route(cost) => Outcome {
                status: Status::Found,
                cost,
                counters: budget.counters,
                method: Self::METHOD,
            },
            Found::BudgetSpent => {
                path.clear();
                Outcome::without_path(Self::METHOD, Status::BudgetSpent, budget.counters)
            }
            Found::None => {
                path.clear();
                let left = query.limits.expansions - budget.counters.expanded;
                let limits = Limits {
                    expansions: left,
                    ..query.limits
                };
                let mut outcome = self
                    .direct
                    .search(terrain, &query.with_limits(limits), path);
                outcome.counters.add(&budget.counters);
                outcome
            }
        }
    }
}
