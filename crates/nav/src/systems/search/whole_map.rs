//! Paths over the whole map: first in a window around the start, if what it shows must hold beyond
//! it, too.

use super::sought::{Sought, begin_spot};
use crate::{NavMap, PathRequest, Want, components::SearchStage};
use nav_grid::{
    Cell, Limits, Method, Outcome, Path, PathQuery, Planner, Search, Status,
    methods::{NearestGoal, Sweep},
    query::{Counters, Fallback, Fault, QueryEnd},
    rules::COST_MAX,
};

/// Radius of the window in which near requests are answered first: the largest one whose work has a
/// known bound. Measured beside a crowd of 10,000, with goals within 12 cells: 8 % of the requests
/// need more than a window of radius 20, by portals, which take twenty times the work of a window.
pub(super) const NEAR: u16 = Sweep::SUPPORT.radius_max;

impl PathRequest {
    /// Whether the window around the start may be enough.
    pub(super) fn is_near(&self) -> bool {
        let is_first = self.stage == SearchStage::Window && self.method == Method::Auto;
        let is_plain = Sought::by(self) == Sought::Goal;
        is_first && is_plain && self.from.chebyshev(self.to) <= NEAR
    }

    /// The method by which the request is answered where it looks first, or next.
    pub(super) const fn next_method(&self) -> Method {
        match self.stage {
            SearchStage::Cells => Method::AStar,
            _ => self.method,
        }
    }

    /// The query of the request where it looks first, or next.
    pub(super) fn query(&self) -> PathQuery {
        let query = PathQuery::new(self.from, self.to)
            .with_rules(self.ground_rules())
            .with_heuristic(self.heuristic);
        if self.is_near() {
            // A path that only leads nearer may be bettered beyond the window.
            let radius = self.limits.radius.min(NEAR);
            return query.with_limits(Limits::window(radius).with_cost(self.limits.cost));
        }
        // Jump points are too few to come near by: on open ground there are none.
        let fallback = match self.fallback {
            Fallback::ClosestReached if self.method == Method::Auto => Fallback::NearestReachable,
            fallback => fallback,
        };
        let mut limits = self.limits;
        if self.method == Method::Auto || Sought::by(self) != Sought::Goal {
            limits.expansions = u32::MAX;
        }
        query.with_limits(limits).with_fallback(fallback)
    }

    /// Whether an answer holds for the whole map. Otherwise the request [looks
    /// further](Self::look_further).
    pub(super) fn is_settled(&self, outcome: &Outcome, map: &NavMap) -> bool {
        if self.is_near() {
            return self.is_settled_nearby(outcome, map);
        }
        // A path over portals may be dearer than need be.
        let is_by_portals = self.stage < SearchStage::Cells && outcome.method == Method::Portal;
        let may_be_cheaper = is_by_portals && self.method == Method::Auto;
        !(may_be_cheaper && outcome.status == Status::BudgetSpent)
    }

    /// Whether an answer of the window around the start holds for all the ground that counts.
    ///
    /// Without links, a path that leaves the window takes a step for each cell to its border and
    /// beyond, and at least as many back, less the distance of the ends. A path that costs no more
    /// than these steps is a cheapest one. If the limit on cost allows no more, none leaves the
    /// window.
    fn is_settled_nearby(&self, outcome: &Outcome, map: &NavMap) -> bool {
        let (grid, away) = (map.grid(), self.from.chebyshev(self.to));
        let takes_nothing_less = self.fallback == Fallback::None;
        let around = 2 * u32::from(NEAR + 1) - u32::from(away);
        let cost_around = around * self.rules.metric.straight();
        match outcome.status {
            Status::AlreadyThere | Status::Invalid(_, Fault::OutsideMap) => true,
            Status::Invalid(QueryEnd::Goal, _) => takes_nothing_less,
            Status::Found if self.want == Want::Reachability => true,
            _ if self.limits.radius <= NEAR => {
                takes_nothing_less || outcome.status == Status::Found
            }
            _ if !grid.links().is_empty() => false,
            Status::Found => outcome.cost <= cost_around,
            Status::BudgetSpent => takes_nothing_less && self.limits.cost < cost_around,
            _ => false,
        }
    }

    /// Looks where the next answer comes from, after an answer that does not
    /// [hold](Self::is_settled).
    pub(super) fn look_further(&mut self) {
        self.stage = match self.stage {
            SearchStage::Window if self.is_near() => SearchStage::Map,
            _ => SearchStage::Cells,
        };
    }

    /// The answer to a request for reachability by the regions of the map, if they tell.
    pub(super) fn known_reachability(&self, map: &NavMap) -> Option<Outcome> {
        let grid = map.grid();
        // Where no step leads one way only, all of a region can be reached from each of its cells.
        let is_symmetric = !grid.has_exits() && grid.links().is_empty();
        let is_plain = Sought::by(self) == Sought::Goal;
        if self.want != Want::Reachability || !is_plain || !is_symmetric {
            return None;
        }
        let regions = map.indexes().ready_regions(self.ground_rules())?;
        let (from, to) = (regions.label(self.from)?, regions.label(self.to)?);
        // Regions do not tell how far a way leads.
        let is_unbounded = self.limits.radius == u16::MAX && self.limits.cost >= COST_MAX;
        let status = match from == to {
            true if is_unbounded => Status::Found,
            false if self.fallback == Fallback::None => Status::Unreachable,
            _ => return None,
        };
        Some(Outcome::new(Method::Auto, status))
    }

    /// Answers at once, whatever it costs, and fills the path. Also returns the goal that it leads
    /// to.
    pub(crate) fn answer_at_once(
        &mut self,
        map: &NavMap,
        (planner, nearest): (&mut Planner, &mut NearestGoal),
        path: &mut Path,
    ) -> (Outcome, u32) {
        path.clear();
        if let Some(outcome) = self.known_reachability(map) {
            return (outcome, 0);
        }
        match Sought::by(self) {
            Sought::AnyOf => {
                let goals: Vec<Cell> = self.goals().collect();
                let outcome = nearest.search(map.indexed(), &self.query(), &goals, path);
                return (outcome, nearest.winner().map_or(0, |goal| goal as u32));
            }
            Sought::Spot(spot) => {
                let terrain = map.indexed().into();
                begin_spot(nearest, (terrain, &self.query()), spot, &mut Vec::new());
                return (nearest.finish(terrain, path), 0);
            }
            _ => {}
        }
        let mut counters = Counters::NONE;
        loop {
            let outcome = planner.ask(self.next_method(), map.indexed(), &self.query(), path);
            counters.add(&outcome.counters);
            if self.is_settled(&outcome, map) {
                return (outcome.with_counters(counters), 0);
            }
            self.look_further();
        }
    }
}
