//! The search methods by name: what each needs prepared, how to run it alone, and why it gives no
//! path.
//!
//! ```
//! use nav_sim::methods::{PreparedMethod, why_not};
//! use nav_grid::{Grid, Limits, Method, Path, PathQuery};
//!
//! let grid = Grid::open(64, 64)?;
//! let query = PathQuery::new((3, 3).into(), (60, 50).into()).with_limits(Limits::UNBOUNDED);
//! let mut sweep = PreparedMethod::new(&grid, Method::Sweep, query.rules, &[]);
//! let (outcome, _) = sweep.search(&query, &mut Path::new());
//! let why = why_not(Method::Sweep, outcome.status, &grid, &query);
//! let expected = "it searches at most 28 cells around the start";
//! assert!(why.is_some_and(|why| why.starts_with(expected)));
//! # Ok::<(), nav_grid::GridError>(())
//! ```

use crate::clock::Stopwatch;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nav_grid::{
    Cell, Footprint, Grid, IndexedMap, Method, Metric, Outcome, Path, PathQuery, Planner, Rules,
    Status,
    index::BuiltIndexes,
    query::{Fault, Feature, QueryEnd, Stopped},
};
use std::time::Duration;

/// Returns a parser of options that name a search method.
pub fn method_names() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

/// Returns the indexes that a method needs for walkers of some rules. Without `roads`
/// [`Method::Trunk`] gets none, and refuses all queries.
///
/// [`Method::Auto`] gets what a game's map prepares for its chasers: regions and portals.
pub fn needs(method: Method, rules: Rules, roads: &[Cell]) -> BuiltIndexes {
    let mut needs = BuiltIndexes::default();
    if rules.footprint != Footprint::ONE {
        needs.footprints.push(rules);
    }
    match method {
        Method::Auto => {
            needs.regions.push(rules);
            needs.portals.push(rules);
        }
        Method::Jps => needs.jumps.push(rules),
        Method::Portal => needs.portals.push(rules),
        Method::Mosaic => needs.mosaic = Some(rules),
        Method::Trunk if !roads.is_empty() => needs.roads = Some((rules, roads.to_vec())),
        _ => {}
    }
    needs
}

/// Builds what a method [needs] on a map without indexes.
///
/// # Panics
///
/// A road is not on the map.
pub fn prepare(map: &mut IndexedMap, method: Method, rules: Rules, roads: &[Cell]) {
    map.build(&needs(method, rules, roads))
        .expect("main roads are on their map");
}

/// A method with its scratch memory, and a copy of a map prepared for it.
#[derive(Clone, Debug)]
pub struct PreparedMethod {
    method: Method,
    map: IndexedMap,
    planner: Planner,
    preparation: Duration,
}

impl PreparedMethod {
    /// Prepares a map for a method.
    ///
    /// # Panics
    ///
    /// A road is not on the map.
    pub fn new(grid: &Grid, method: Method, rules: Rules, roads: &[Cell]) -> Self {
        let mut map = IndexedMap::new(grid.clone());
        let stopwatch = Stopwatch::start();
        prepare(&mut map, method, rules, roads);
        Self {
            method,
            map,
            planner: Planner::new(),
            preparation: stopwatch.elapsed(),
        }
    }

    /// The time that it took to prepare the map, without the copy.
    pub const fn preparation(&self) -> Duration {
        self.preparation
    }

    /// Answers a query, and returns the time that it took.
    pub fn search(&mut self, query: &PathQuery, path: &mut Path) -> (Outcome, Duration) {
        let stopwatch = Stopwatch::start();
        let outcome = self.planner.ask(self.method, &self.map, query, path);
        (outcome, stopwatch.elapsed())
    }
}

/// Returns in a clause why a method gave no path to the goal; `None` if it gave one.
pub fn why_not(method: Method, status: Status, grid: &Grid, query: &PathQuery) -> Option<String> {
    let radius = query.limits.radius;
    let in_wall = |end| query.fault(grid, end) == Some(Fault::Blocked);
    Some(match status {
        Status::Found | Status::AlreadyThere => return None,
        Status::Unreachable | Status::Partial(Stopped::Unreachable) if in_wall(QueryEnd::Goal) => {
            let start = if in_wall(QueryEnd::Start) {
                ", as is the start"
            } else {
                ""
            };
            format!("the goal is inside a wall{start}")
        }
        Status::Unreachable | Status::Partial(Stopped::Unreachable) if radius >= reach(grid) => {
            "no path leads there".into()
        }
        Status::Unreachable | Status::Partial(Stopped::Unreachable) => {
            format!("no path leads there within {radius} columns and rows of the start")
        }
        Status::TooFar => {
            format!("the goal is more than {radius} columns or rows from the start")
        }
        // The line gives up at the first obstacle, since there may be a way around it.
        Status::BudgetSpent if method == Method::Line => "the straight way is not free".into(),
        Status::BudgetSpent | Status::Partial(Stopped::BudgetSpent) => spent(query),
        Status::Unsupported(feature) => refusal(method, feature, grid, query.rules),
        other => other.to_string(),
    })
}

/// The radius of a window that holds the whole map wherever the start is.
fn reach(grid: &Grid) -> u16 {
    grid.width().max(grid.height()) - 1
}

fn spent(query: &PathQuery) -> String {
    let limits = query.limits;
    if limits.expansions < u32::MAX {
        format!("its limit of expansions, {}, is spent", limits.expansions)
    } else {
        format!("the path costs more than the limit, {}", limits.cost)
    }
}

/// Returns in a clause why a method refuses a query: the unsupported feature, and where the map has
/// it.
fn refusal(method: Method, feature: Feature, grid: &Grid, rules: Rules) -> String {
    let support = Planner::support(method);
    match feature {
        Feature::Costs => "it cannot count step costs, and this map has some".into(),
        Feature::Exits => {
            "it cannot keep to exits (cells that some steps may not leave), and this map has some"
                .into()
        }
        Feature::Links => "it cannot take links, and this map has some".into(),
        Feature::Footprint => {
            let side = rules.footprint.side();
            format!("it cannot move a body larger than a cell, and this one has {side}x{side}")
        }
        Feature::Metric(metric) => format!(
            "it cannot count by the metric {}, only by those with diagonal steps",
            metric_name(metric)
        ),
        Feature::CornerCutting => "it cannot cut corners".into(),
        Feature::Window if support.radius_max < reach(grid) => format!(
            "it searches at most {} cells around the start, and this map has {}x{}",
            support.radius_max,
            grid.width(),
            grid.height()
        ),
        Feature::Window => "it searches the whole map or nothing".into(),
        Feature::Preparation if method == Method::Trunk => {
            "it walks by main roads, and this map has none".into()
        }
        other => format!("it cannot serve {other}"),
    }
}

/// Returns the name of a metric on command lines, or its step costs.
pub fn metric_name(metric: Metric) -> String {
    let name = match metric {
        Metric::Unit => "unit",
        Metric::FourWay => "fourway",
        Metric::Grid => "grid",
        Metric::TwoThree => "twothree",
        Metric::Octile => "octile",
        _ => return format!("{}/{}", metric.straight(), metric.diagonal().unwrap_or(0)),
    };
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::{CornerRule, Limits};

    #[test]
    fn prepared_methods_on_open_ground() {
        let grid = Grid::open(20, 20).unwrap();
        let roads = [Cell::new(0, 0), Cell::new(1, 0)];
        for side in [1, 2] {
            let footprint = Footprint::new(side).unwrap();
            let rules = Rules::new(Metric::Unit, CornerRule::Cut).with_footprint(footprint);
            let query = PathQuery::new(Cell::new(0, 5), Cell::new(15, 5))
                .with_rules(rules)
                .with_limits(Limits::UNBOUNDED);
            for method in Method::ALL {
                let mut prepared = PreparedMethod::new(&grid, method, rules, &roads);
                let (outcome, _) = prepared.search(&query, &mut Path::new());
                let why = why_not(method, outcome.status, &grid, &query);
                assert_eq!(why, None, "{method} {side}");
            }
        }
    }

    #[test]
    fn reasons_name_the_end_in_a_wall() {
        let grid = Grid::from_fn(20, 20, |cell| cell.y != 5).unwrap();
        for (start, why) in [
            (4, "the goal is inside a wall"),
            (5, "the goal is inside a wall, as is the start"),
        ] {
            let query = PathQuery::new(Cell::new(2, start), Cell::new(15, 5));
            for status in [Status::Unreachable, Status::Partial(Stopped::Unreachable)] {
                let said = why_not(Method::Auto, status, &grid, &query);
                assert_eq!(said.as_deref(), Some(why));
            }
        }
    }

    #[test]
    fn refusals_name_the_rule() {
        let grid = Grid::open(64, 48).unwrap();
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(9, 9));
        let why =
            |method, feature| why_not(method, Status::Unsupported(feature), &grid, &query).unwrap();
        assert_eq!(
            why(Method::Sweep, Feature::Window),
            "it searches at most 28 cells around the start, and this map has 64x48"
        );
        assert_eq!(
            why(Method::Jps, Feature::Metric(Metric::FourWay)),
            "it cannot count by the metric fourway, only by those with diagonal steps"
        );
        assert_eq!(
            why(Method::Trunk, Feature::Preparation),
            "it walks by main roads, and this map has none"
        );
    }
}
