//! Far queries over blocks of a mosaic and along main roads: where they gain, and where they do
//! not.
//!
//! ```sh
//! cargo bench -p nav_grid --bench mosaic
//! cargo bench -p nav_grid --bench mosaic -- town
//! cargo bench -p nav_grid --bench mosaic -- --test
//! ```
//!
//! Maps whose names contain the last word are measured. Every path is walked, and every cost is
//! compared with that of A* on the whole map. A time is that of one query, the lesser of two.

use mapgen::Kind;
use nav_grid::{
    Area, Cell, CornerRule, Footprint, Grid, IndexedMap, Limits, Metric, Path, PathQuery, Rules,
    Search, Status, Terrain,
    methods::{BoundedAStar, MosaicSearch, TrunkSearch},
    rules::Cost,
};
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::time::{Duration, Instant};

const MAP_SEED: u64 = 1;
const QUERY_SEED: u64 = 2;
const QUERIES: usize = 32;
/// Columns and rows between the main roads.
const ROADS: u16 = 128;
const RULES: Rules = Rules::new(Metric::Octile, CornerRule::Strict);

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    // As a test, the maps are a quarter as wide.
    let tried = std::env::args().any(|word| word == "--test");
    println!("{QUERIES} queries a map; times in µs, lengths in straight steps");
    for (name, side, make) in MAPS {
        let side = if tried { side / 4 } else { side };
        let name = format!("{name} {side}x{side}");
        if wanted.as_ref().is_none_or(|word| name.contains(word)) {
            compare(&name, &make(side));
        }
    }
}

type Make = fn(u16) -> Grid;

const MAPS: [(&str, u16, Make); 9] = [
    ("open", 1024, |side| drawn(Kind::Open, side)),
    ("town", 1024, town),
    ("closed yard", 1024, closed_yard),
    ("rooms", 1024, |side| drawn(Kind::Rooms, side)),
    ("mixed", 1024, |side| drawn(Kind::Mixed, side)),
    ("caves", 1024, |side| drawn(Kind::Caves, side)),
    ("open", 2048, |side| drawn(Kind::Open, side)),
    ("town", 2048, town),
    ("rooms", 2048, |side| drawn(Kind::Rooms, side)),
];

fn drawn(kind: Kind, side: u16) -> Grid {
    mapgen::generate(kind, side, side, MAP_SEED).expect("a legal size")
}

/// Makes open country with houses: one in each 64×64 cells, 8 to 39 cells a side.
fn town(side: u16) -> Grid {
    let mut grid = Grid::open(side, side).expect("a legal size");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(MAP_SEED);
    for y in (0..side).step_by(64) {
        for x in (0..side).step_by(64) {
            let mut below = |end: u32| (random.next_u32() % end) as u16;
            let (width, height) = (8 + below(32), 8 + below(32));
            let first = Cell::new(x + below(24), y + below(24));
            let last = Cell::new(first.x + width - 1, first.y + height - 1);
            grid.set_walkable(Area::new(first, last), false)
                .expect("on the map");
        }
    }
    grid
}

/// Makes the same map with a wall around its middle.
fn closed_yard(side: u16) -> Grid {
    let mut grid = town(side);
    let middle = Area::new(
        Cell::new(side / 4, side / 4),
        Cell::new(side / 4 * 3, side / 4 * 3),
    );
    for cell in middle.cells() {
        if [side / 4, side / 4 * 3]
            .into_iter()
            .any(|edge| cell.x == edge || cell.y == edge)
        {
            grid.set_walkable(cell, false).expect("on the map");
        }
    }
    grid
}

fn compare(name: &str, grid: &Grid) {
    let queries = queries(grid);
    let mut map = IndexedMap::new(grid.clone());
    let ((), made) = timed(|| map.build_mosaic(Footprint::ONE));
    let mosaic = map.indexes().mosaic().expect("built just now");
    println!(
        "\n{name}: {} blocks of {} cells, made in {:.1} ms",
        mosaic.block_count(),
        grid.walkable_count(),
        made.as_secs_f64() * 1e3,
    );
    let marked = main_roads(grid);
    let (inserted, made) = timed(|| map.insert_roads(RULES, marked));
    inserted.expect("cells of the map");
    let roads = map.indexes().roads().expect("inserted just now");
    println!(
        "  {} cells of road with {} crossings, made in {:.1} ms",
        roads.cell_count(),
        roads.crossing_count(),
        made.as_secs_f64() * 1e3,
    );
    let terrain = Terrain::from(&map);
    let truth = measure(BoundedAStar::new(), terrain, &queries);
    truth.print("astar", &truth);
    let mosaic = measure(MosaicSearch::new(), terrain, &queries);
    assert_eq!(mosaic.costs, truth.costs, "cheapest paths");
    mosaic.print("mosaic", &truth);
    let trunk = measure(TrunkSearch::new(), terrain, &queries);
    for (along, cheapest) in trunk.costs.iter().zip(&truth.costs) {
        assert!(along >= cheapest && (*along == 0) == (*cheapest == 0));
    }
    trunk.print("trunk", &truth);
}

/// Returns the cells of cheapest ways between neighbours of a lattice, where there are ways.
fn main_roads(grid: &Grid) -> Vec<Cell> {
    let near = |x: u16, y: u16| {
        let (x, y) = (x.min(grid.width() - 9), y.min(grid.height() - 9));
        let around = Area::new(Cell::new(x, y), Cell::new(x + 8, y + 8)).cells();
        around.into_iter().find(|&cell| grid.is_walkable(cell))
    };
    let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
    let mut marked = Vec::new();
    for y in (ROADS / 2..grid.height()).step_by(ROADS.into()) {
        for x in (ROADS / 2..grid.width()).step_by(ROADS.into()) {
            for (right, below) in [(x + ROADS, y), (x, y + ROADS)] {
                if right >= grid.width() || below >= grid.height() {
                    continue;
                }
                if let (Some(from), Some(to)) = (near(x, y), near(right, below)) {
                    let query = PathQuery::new(from, to).with_rules(RULES);
                    let limits = Limits::window(2 * ROADS);
                    astar.search(grid, &query.with_limits(limits), &mut path);
                    marked.push(from);
                    marked.extend(path.iter());
                }
            }
        }
    }
    marked
}

/// Draws pairs of cells at least half a map apart.
fn queries(grid: &Grid) -> Vec<PathQuery> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(QUERY_SEED);
    let mut cell = || {
        let bits = random.next_u32();
        let (x, y) = (
            bits as u16 % grid.width(),
            (bits >> 16) as u16 % grid.height(),
        );
        Cell::new(x, y)
    };
    let mut queries = Vec::with_capacity(QUERIES);
    while queries.len() < QUERIES {
        let (start, goal) = (cell(), cell());
        let ends_open = grid.is_walkable(start) && grid.is_walkable(goal);
        if ends_open && start.chebyshev(goal) >= grid.width() / 2 {
            let query = PathQuery::new(start, goal).with_rules(RULES);
            queries.push(query.with_limits(Limits::UNBOUNDED));
        }
    }
    queries
}

/// The results of a set of queries.
struct Measured {
    /// The costs by query; 0 without a way.
    costs: Vec<Cost>,
    times: Vec<Duration>,
    expanded: u64,
}

fn measure(mut method: impl Search, terrain: Terrain<'_>, queries: &[PathQuery]) -> Measured {
    let mut path = Path::new();
    let mut measured = Measured {
        costs: Vec::new(),
        times: Vec::new(),
        expanded: 0,
    };
    for query in queries {
        let mut least = Duration::MAX;
        let mut answer = None;
        for _ in 0..2 {
            let (outcome, time) = timed(|| method.search(terrain, query, &mut path));
            least = least.min(time);
            assert_eq!(*answer.get_or_insert(outcome), outcome, "{query:?}");
            if outcome.status == Status::Found {
                let walked = path.walk(terrain.grid(), query.start, query.rules);
                assert_eq!(walked, Ok(outcome.cost), "{query:?}");
                assert_eq!(path.end(), Some(query.goal));
            } else {
                assert_eq!(outcome.status, Status::Unreachable, "{query:?}");
            }
        }
        let answer = answer.expect("asked twice");
        measured.costs.push(answer.cost);
        measured.expanded += u64::from(answer.counters.expanded);
        measured.times.push(least);
    }
    measured
}

impl Measured {
    fn print(&self, method: &str, truth: &Self) {
        let mut times = self.times.clone();
        times.sort_unstable();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let mean = micros(times.iter().sum()) / times.len() as f64;
        let sum = |costs: &[Cost]| costs.iter().map(|&cost| u64::from(cost)).sum::<u64>();
        println!(
            "  {method:<8} mean {mean:>9.1}  median {:>9.1}  worst {:>9.1}  expanded {:>9.0}  \
             length {:>7.1}  ratio {:.4}",
            micros(times[times.len() / 2]),
            micros(times[times.len() - 1]),
            self.expanded as f64 / self.times.len() as f64,
            sum(&self.costs) as f64
                / f64::from(Metric::Octile.straight())
                / self.costs.len() as f64,
            sum(&self.costs) as f64 / sum(&truth.costs) as f64,
        );
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a stopwatch is what a benchmark is for"
)]
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = Instant::now();
    let result = work();
    (result, before.elapsed())
}
