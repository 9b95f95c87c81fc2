//! The maps, queries and true answers of the benchmark.

use mapgen::Kind;
use nav_grid::{
    Cell, Grid, Limits, Outcome, Path, PathQuery, Search, Status, methods::Dijkstra, rules::Cost,
};
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The side of every map.
const SIDE: u16 = 512;
const MAP_SEED: u64 = 1;
const QUERY_SEED: u64 = 2;

/// Queries of one set.
pub const QUERIES: usize = 512;
/// Columns or rows between the ends of a query, whichever is more.
pub const DISTANCES: std::ops::RangeInclusive<u16> = 5..=20;

/// The radius of the window of [`PathQuery::new`].
pub const RADIUS: u16 = 20;

/// A map and the pairs of ends that are searched on it.
pub struct Workload {
    pub name: String,
    pub grid: Grid,
    pub ends: Vec<(Cell, Cell)>,
}

impl Workload {
    /// Makes one for every map.
    pub fn all() -> Vec<Self> {
        let clutter = [10, 20, 35].map(|percent| Kind::Clutter { percent });
        [&[Kind::Open], &clutter[..], &[Kind::Rooms, Kind::Caves]]
            .concat()
            .into_iter()
            .map(Self::new)
            .collect()
    }

    fn new(kind: Kind) -> Self {
        let grid = mapgen::generate(kind, SIDE, SIDE, MAP_SEED).expect("the size is legal");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(QUERY_SEED);
        let mut cell = || {
            let bits = random.next_u32();
            Cell::new(bits as u16 % SIDE, (bits >> 16) as u16 % SIDE)
        };
        let mut ends = Vec::with_capacity(QUERIES);
        while ends.len() < QUERIES {
            // Any start, and any cell around it that is neither too near nor too far: three goals
            // in four lie more than 10 cells away.
            let (start, goal) = (cell(), cell());
            let goal = Cell::new(
                (start.x + goal.x % 41).wrapping_sub(20),
                (start.y + goal.y % 41).wrapping_sub(20),
            );
            if DISTANCES.contains(&start.chebyshev(goal))
                && grid.is_walkable(start)
                && grid.is_walkable(goal)
            {
                ends.push((start, goal));
            }
        }
        let name = match kind {
            Kind::Clutter { percent } => format!("clutter{percent}"),
            _ => kind.name().to_owned(),
        };
        Self { name, grid, ends }
    }

    /// Makes the queries of `ask` between the ends, with the answers of Dijkstra's search in the
    /// same windows without a cap.
    pub fn ask(&self, ask: impl Fn(Cell, Cell) -> PathQuery) -> QuerySet<'_> {
        let mut dijkstra = Dijkstra::new();
        let mut path = Path::new();
        let (queries, truths) = self
            .ends
            .iter()
            .map(|&(start, goal)| {
                let query = ask(start, goal);
                let uncapped = query.with_limits(Limits::window(query.limits.radius));
                (query, dijkstra.search(&self.grid, &uncapped, &mut path))
            })
            .unzip();
        QuerySet {
            workload: self,
            queries,
            truths,
            cheapest: true,
        }
    }
}

/// Queries on one map, and their true answers.
#[derive(Clone)]
pub struct QuerySet<'a> {
    pub workload: &'a Workload,
    pub queries: Vec<PathQuery>,
    truths: Vec<Outcome>,
    /// Whether an answer must be a cheapest path.
    cheapest: bool,
}

impl QuerySet<'_> {
    /// Answers every query once, compares each answer with the truth, and adds up the work.
    pub fn judge(&self, mut answer: impl FnMut(&Grid, &PathQuery, &mut Path) -> Outcome) -> Total {
        let grid = &self.workload.grid;
        let mut total = Total::default();
        let mut path = Path::new();
        for (query, truth) in self.queries.iter().zip(&self.truths) {
            let outcome = answer(grid, query, &mut path);
            match outcome.status {
                Status::Found => {
                    let walked = path.walk(grid, query.start, query.rules);
                    assert_eq!(walked, Ok(outcome.cost), "{query:?}");
                    assert_eq!(path.end(), Some(query.goal));
                    assert_eq!(truth.status, Status::Found, "{query:?}");
                    if !self.cheapest {
                        assert!(outcome.cost >= truth.cost, "{query:?}");
                    } else if query.heuristic.is_admissible(query.rules.metric) {
                        assert_eq!(outcome.cost, truth.cost, "{query:?}");
                    } else {
                        // The bound of the one such pair here, see `Heuristic::Manhattan`.
                        assert!(outcome.cost <= 2 * truth.cost, "{query:?}");
                    }
                }
                Status::BudgetSpent => {
                    assert_eq!(outcome.counters.expanded, query.limits.expansions);
                }
                status => assert_eq!(status, truth.status, "{query:?}"),
            }
            total.add(&outcome);
        }
        total
    }

    /// Keeps the queries whose goals can be reached by shortest paths that cannot leave the window.
    /// A path that goes `r` columns or rows away from the start, to a goal `d` away, has a length
    /// of at least `r + (r - d)`.
    pub fn inside(self) -> Self {
        let is_inside = |(query, truth): &(PathQuery, Outcome)| {
            let length = query.rules.metric.length(truth.cost);
            let distance = f64::from(query.start.chebyshev(query.goal));
            truth.status == Status::Found && length + distance < 2.0 * f64::from(RADIUS) + 2.0
        };
        let (queries, truths) = self
            .queries
            .into_iter()
            .zip(self.truths)
            .filter(is_inside)
            .unzip();
        Self {
            queries,
            truths,
            ..self
        }
    }

    /// Returns the same queries for methods that promise a path, not a cheapest one.
    pub fn for_any_path(&self) -> Self {
        Self {
            cheapest: false,
            ..self.clone()
        }
    }

    /// Returns the share of goals that can be reached inside the window.
    pub fn reachable(&self) -> f64 {
        let found = self.truths.iter().filter(|truth| truth.status.has_path());
        found.count() as f64 / self.truths.len() as f64
    }
}

/// The sum of the answers to a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub found: u32,
    pub cost: Cost,
    pub expanded: u32,
    pub pushed: u32,
}

impl Total {
    pub fn add(&mut self, outcome: &Outcome) {
        self.found += u32::from(outcome.status == Status::Found);
        self.cost += outcome.cost;
        self.expanded += outcome.counters.expanded;
        self.pushed += outcome.counters.pushed;
    }
}
