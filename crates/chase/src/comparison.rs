//! Compares all search methods on one path of one map.

use nav_grid::{
    Cell, CornerRule, Grid, Limits, Method, Path, PathQuery, Rules, Size, Status, index::Regions,
    rules::Cost,
};
use nav_sim::{
    methods::{PreparedMethod, metric_name, why_not},
    percentile::Spread,
};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde::Serialize;
use std::{fmt, time::Duration};

/// Searches of each method, of which the median time counts. The first one fills the caches and
/// takes longest; with five, it is never the median. More would only take longer.
pub const SEARCHES_MAX: u32 = 5;

/// A method is not asked again once its searches took this long: nine methods on the largest maps
/// then take a minute and not five.
const PATIENCE: Duration = Duration::from_secs(1);

/// Cells drawn for the ends of a path. The two farthest apart of 16 are some three quarters of an
/// open map away from each other; with 64, every seed gives nearly the same corners.
const DRAWN: usize = 16;

/// All search methods on one path. Prints as a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The map file.
    pub map: String,
    /// The sides of the map: `width`, `height` and `floors`.
    #[serde(flatten)]
    pub size: Size,
    /// Walkable cells.
    pub walkable: u64,
    /// Start of the path, as column, row and floor.
    pub from: [u16; 3],
    /// Goal of the path.
    pub to: [u16; 3],
    /// Seed by which the ends were drawn; `None` if they were given.
    pub seed: Option<u64>,
    /// How the walker moves.
    pub rules: Rules,
    /// Most searches of a method.
    pub searches_max: u32,
    /// Results, those of Dijkstra first.
    pub methods: Vec<MethodResult>,
}

/// The result of one method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodResult {
    /// The method.
    pub method: Method,
    /// Whether there is a path to the goal.
    pub found: bool,
    /// The answer.
    pub status: Status,
    /// Why there is no path, as a clause.
    pub why: Option<String>,
    /// The method that answered in its place; the method itself in most cases.
    pub answered_by: Method,
    /// Cost of the path, in the units of the metric. `None` without a path, as for the next two.
    pub cost: Option<Cost>,
    /// How much this is above Dijkstra's cost, the least there is, in per cent.
    pub over_percent: Option<f64>,
    /// Cells that the path enters.
    pub steps: Option<usize>,
    /// Cells whose neighbours were looked at, or the method's counterpart.
    pub expanded: u32,
    /// Further work, in units that take about as long.
    pub scanned: u32,
    /// Time to prepare the map for the method, in milliseconds.
    pub prepare_ms: f64,
    /// Median time of a search, in microseconds. `None` if the method refused to search.
    pub search_us: Option<f64>,
    /// Searches of which this is the median.
    pub searches: u32,
}

impl Comparison {
    /// Asks every method for a path between two places, by walkers of some rules, within the whole
    /// map and without other limits.
    ///
    /// # Panics
    ///
    /// A road is not on the map.
    pub fn new(grid: &Grid, roads: &[Cell], (from, to): (Cell, Cell), rules: Rules) -> Self {
        let query = PathQuery::new(from, to)
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        let judge = MethodResult::measure(grid, roads, Method::Dijkstra, &query);
        let least = judge.cost;
        let others = Method::ALL
            .into_iter()
            .filter(|&method| method != Method::Dijkstra)
            .map(|method| MethodResult::measure(grid, roads, method, &query));
        let mut methods: Vec<MethodResult> = std::iter::once(judge).chain(others).collect();
        for result in &mut methods {
            result.over_percent = over_percent(result.cost, least);
        }
        Self {
            map: String::new(),
            size: grid.size(),
            walkable: grid.walkable_count(),
            from: triple(from),
            to: triple(to),
            seed: None,
            rules,
            searches_max: SEARCHES_MAX,
            methods,
        }
    }
}

fn over_percent(cost: Option<Cost>, least: Option<Cost>) -> Option<f64> {
    match (cost?, least?) {
        (cost, least) if cost == least => Some(0.0),
        (_, 0) => None,
        (cost, least) => Some(100.0 * (f64::from(cost) / f64::from(least) - 1.0)),
    }
}

const fn triple(cell: Cell) -> [u16; 3] {
    [cell.x, cell.y, cell.floor as u16]
}

impl MethodResult {
    /// Prepares a copy of the map for a method and searches a few times.
    fn measure(grid: &Grid, roads: &[Cell], method: Method, query: &PathQuery) -> Self {
        let mut prepared = PreparedMethod::new(grid, method, query.rules, roads);
        let mut path = Path::new();
        let (outcome, mut spent) = prepared.search(query, &mut path);
        let mut times = vec![1e6 * spent.as_secs_f64()];
        while times.len() < SEARCHES_MAX as usize && spent < PATIENCE {
            let (_, time) = prepared.search(query, &mut path);
            times.push(1e6 * time.as_secs_f64());
            spent += time;
        }
        let found = matches!(outcome.status, Status::Found | Status::AlreadyThere);
        let refused = matches!(outcome.status, Status::Unsupported(_));
        Self {
            method,
            found,
            status: outcome.status,
            why: why_not(method, outcome.status, grid, query),
            answered_by: outcome.method,
            cost: found.then_some(outcome.cost),
            over_percent: None,
            steps: found.then_some(path.len()),
            expanded: outcome.counters.expanded,
            scanned: outcome.counters.scanned,
            prepare_ms: 1e3 * prepared.preparation().as_secs_f64(),
            search_us: (!refused).then(|| Spread::of(&mut times).p50),
            searches: times.len() as u32,
        }
    }

    /// Returns a note about the row beyond its numbers.
    fn note(&self) -> Option<String> {
        let by = self.answered_by;
        if self.why.is_some() {
            self.why.clone()
        } else if by == self.method {
            None
        } else if self.method == Method::Trunk {
            Some(format!(
                "answered by {by}, since the roads are of no use here"
            ))
        } else {
            Some(format!("answered by {by}"))
        }
    }
}

/// Draws two places far apart, from the largest region for walkers of some rules: the two farthest
/// apart of a few that are drawn. `None` if there is no place. Both are one cell if there is only
/// that.
///
/// # Complexity
///
/// A few passes over all cells, and 4 bytes per cell.
pub fn draw_ends(grid: &Grid, rules: Rules, seed: u64) -> Option<(Cell, Cell)> {
    let regions = Regions::of(grid, rules);
    let largest = regions.largest()?;
    let places = regions.sizes()[largest as usize];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut picks: Vec<u32> = (0..DRAWN).map(|_| random.random_range(0..places)).collect();
    picks.sort_unstable();
    let cells = grid.walkable_cells();
    let region = cells.filter(|&cell| regions.label(cell) == Some(largest));
    let drawn: Vec<Cell> = (0..)
        .zip(region)
        .filter(|(number, _)| picks.binary_search(number).is_ok())
        .map(|(_, cell)| cell)
        .collect();
    let firsts = drawn.iter().enumerate();
    let pairs = firsts.flat_map(|(n, &from)| drawn[n..].iter().map(move |&to| (from, to)));
    pairs.max_by_key(|(from, to)| (from.chebyshev(*to), *from, *to))
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            map,
            size,
            walkable,
            ..
        } = self;
        let [from, to] =
            [self.from, self.to].map(|[x, y, floor]| Cell::new(x, y).on_floor(floor as u8));
        let seed = self
            .seed
            .map_or(String::new(), |seed| format!(", drawn by seed {seed}"));
        let (metric, side) = (metric_name(self.rules.metric), self.rules.footprint.side());
        let corners = match self.rules.corners {
            CornerRule::Cut => "cut",
            _ => "strict",
        };
        let radius = Limits::default().radius;
        writeln!(
            f,
            "{map}: {size} cells, {walkable} of them floor
from {from} to {to}{seed}; metric {metric}, corners {corners}, body {side}x{side}
each method may search the whole map; a chaser in a game first searches {radius} cells around

method    found      cost over %  steps  expanded  scanned prepare ms  search us"
        )?;
        for result in &self.methods {
            writeln!(f, "{result}")?;
        }
        writeln!(f)?;
        for result in &self.methods {
            if let Some(note) = result.note() {
                writeln!(f, "{}: {note}", result.method)?;
            }
        }
        writeln!(
            f,
            "over %: above Dijkstra's cost, the least there is
expanded: cells whose neighbours were looked at, or jump points, portals, blocks
scanned: other work, such as cells in a row; each takes about as long
search us: median of {SEARCHES_MAX} searches, of fewer if they take {} s",
            PATIENCE.as_secs()
        )
    }
}

/// Prints a row of the table.
impl fmt::Display for MethodResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<9} {:<5} {:>9} {:>6} {:>6} {:>9} {:>8} {:>10.3} {:>10}",
            self.method,
            if self.found { "yes" } else { "no" },
            or_dash(self.cost.map(|cost| cost.to_string())),
            or_dash(self.over_percent.map(|over| format!("{over:.2}"))),
            or_dash(self.steps.map(|steps| steps.to_string())),
            self.expanded,
            self.scanned,
            self.prepare_ms,
            or_dash(self.search_us.map(|time| format!("{time:.1}")))
        )
    }
}

/// Returns a text of the table, or the sign for none.
fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_ends_share_a_region() {
        // A pocket to the left, and the largest region to the right.
        let grid = Grid::from_fn(60, 40, |cell| cell.x != 9).unwrap();
        for seed in 0..20 {
            let (from, to) = draw_ends(&grid, Rules::default(), seed).unwrap();
            assert!(from.x > 9 && to.x > 9, "{seed}");
            assert!(from.chebyshev(to) >= 25, "{seed}: {from} {to}");
        }
        let seeds = [1, 2].map(|seed| draw_ends(&grid, Rules::default(), seed));
        assert_ne!(seeds[0], seeds[1]);
    }

    #[test]
    fn ends_on_small_maps() {
        let cell = Grid::open(1, 1).unwrap();
        let ends = draw_ends(&cell, Rules::default(), 1);
        assert_eq!(ends, Some((Cell::new(0, 0), Cell::new(0, 0))));
        let wall = Grid::from_fn(3, 3, |_| false).unwrap();
        assert_eq!(draw_ends(&wall, Rules::default(), 1), None);
    }

    #[test]
    fn shares_over_the_least() {
        assert_eq!(over_percent(Some(11), Some(10)).map(f64::round), Some(10.0));
        assert_eq!(over_percent(Some(0), Some(0)), Some(0.0));
        assert_eq!(over_percent(None, Some(3)), None);
    }
}
