//! Paths over the whole map: first in a window around the start, if what it shows must hold beyond
//! it, too.

use crate::{NavMap, PathRequest, Want};
use nav_grid::{
    Limits, Method, Outcome, Path, PathQuery, Planner, Search, Status,
    methods::Sweep,
    query::{Counters, Fallback, Fault, QueryEnd},
};

/// Radius of the window in which near requests are answered first: the largest one whose work has a
/// known bound. Measured beside a crowd of 10,000, with goals within 12 cells: 8 % of the requests
/// need more than a window of radius 20, by portals, which take twenty times the work of a window.
const NEAR: u16 = Sweep::SUPPORT.radius_max;

impl PathRequest {
    /// Whether the window around the start may be enough.
    pub(super) fn is_near(&self) -> bool {
        !self.is_far && self.from.chebyshev(self.to) <= NEAR
    }

    /// The query of the request where it looks first, or next.
    pub(super) fn query(&self) -> PathQuery {
        let query = PathQuery::new(self.from, self.to).with_rules(self.ground_rules());
        if self.is_near() {
            // A path that only leads nearer may be bettered beyond the window.
            query.with_limits(Limits::window(NEAR))
        } else {
            // Jump points are too few to come near by: on open ground there are none.
            let fallback = match self.fallback {
                Fallback::None => Fallback::None,
                _ => Fallback::NearestReachable,
            };
            query.with_limits(Limits::UNBOUNDED).with_fallback(fallback)
        }
    }

    /// Whether an answer holds for the whole map.
    ///
    /// Without links, a path that leaves the window takes a step for each cell to its border and
    /// beyond, and at least as many back, less the distance of the ends. A path that costs no more
    /// than these steps is a cheapest one.
    pub(super) fn is_settled(&self, outcome: &Outcome, map: &NavMap) -> bool {
        let (grid, away) = (map.grid(), self.from.chebyshev(self.to));
        match outcome.status {
            _ if !self.is_near() => true,
            Status::AlreadyThere | Status::Invalid(_, Fault::OutsideMap) => true,
            Status::Invalid(QueryEnd::Goal, _) => self.fallback == Fallback::None,
            Status::Found if self.want == Want::Reachability => true,
            Status::Found if grid.links().is_empty() => {
                let around = 2 * u32::from(NEAR + 1) - u32::from(away);
                outcome.cost <= around * self.rules.metric.straight()
            }
            _ => false,
        }
    }

    /// The answer to a request for reachability by the regions of the map, if they tell.
    pub(super) fn known_reachability(&self, map: &NavMap) -> Option<Outcome> {
        let grid = map.grid();
        // Where no step leads one way only, all of a region can be reached from each of its cells.
        if self.want != Want::Reachability || grid.has_exits() || !grid.links().is_empty() {
            return None;
        }
        let regions = map.indexed().ready_regions(self.ground_rules())?;
        let (from, to) = (regions.label(self.from)?, regions.label(self.to)?);
        let status = match from == to {
            true => Status::Found,
            false if self.fallback == Fallback::None => Status::Unreachable,
            false => return None,
        };
        Some(Outcome::new(Method::Auto, status))
    }

    /// Answers at once, whatever it costs, and fills the path.
    pub(crate) fn answer_at_once(
        mut self,
        map: &NavMap,
        planner: &mut Planner,
        path: &mut Path,
    ) -> Outcome {
        path.clear();
        if let Some(outcome) = self.known_reachability(map) {
            return outcome;
        }
        let near = planner.search(map.indexed(), &self.query(), path);
        if self.is_settled(&near, map) {
            return near;
        }
        self.is_far = true;
        let whole = planner.search(map.indexed(), &self.query(), path);
        let mut counters: Counters = near.counters;
        counters.add(&whole.counters);
        whole.with_counters(counters)
    }
}
