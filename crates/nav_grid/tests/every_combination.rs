//! Every method, on every kind of map, under every metric and corner rule, is held to Dijkstra.
//!
//! `NAV_GRID_QUERIES` is how many queries each combination gets; 40 by default, of which a debug
//! build does some hundred thousand searches.

#[path = "worlds/judge.rs"]
mod judge;

use judge::{Xorshift, cells, settled, walk};
use nav_grid::{
    Area, Cell, CornerRule, Directions, Footprint, Grid, IndexedMap, Limits, Link, Method, Metric,
    Outcome, Path, PathQuery, Planner, Rules, Search, Size, Status, Terrain, map::Bodies,
    methods::Dijkstra, query::Feature, rules::BodyPolicy,
};

/// What a map or a walker has beyond walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Costs,
    Exits,
    Links,
    Floors,
    Bodies,
    Footprints,
    Everything,
}

impl Kind {
    fn has(self, other: Self) -> bool {
        self == other || self == Self::Everything
    }
}

const QUERIES_PER_MAP: usize = 20;

/// Queries for each combination.
fn queries() -> usize {
    let wanted = std::env::var("NAV_GRID_QUERIES").ok();
    wanted.map_or(40, |text| text.parse().expect("a number of queries"))
}

struct Map {
    map: IndexedMap,
    bodies: Option<Bodies>,
}

impl Map {
    fn new(kind: Kind, rules: Rules, random: &mut Xorshift) -> Self {
        let floors = if kind.has(Kind::Floors) {
            1 + random.below(3) as u8
        } else {
            1
        };
        let (width, height) = (20 + random.below(50) as u16, 10 + random.below(50) as u16);
        let size = Size::new(width, height).with_floors(floors);
        let walls = random.below(40) / u32::from(rules.footprint.side());
        let mut grid = Grid::build(size, |_| random.below(100) >= walls).unwrap();
        let all: Vec<Cell> = cells(size).collect();
        for &cell in &all {
            if kind.has(Kind::Costs) && random.below(4) == 0 && grid.is_walkable(cell) {
                grid.set_cost(cell, 1 + random.below(9) as u8).unwrap();
            }
            if kind.has(Kind::Exits) && random.below(12) == 0 {
                grid.set_exits(cell, Directions(random.below(256) as u8))
                    .unwrap();
            }
        }
        let links = if kind.has(Kind::Links) || floors > 1 {
            1 + random.below(12)
        } else {
            0
        };
        for _ in 0..links {
            let mut any = || all[random.below(all.len() as u32) as usize];
            let link = Link::new(any(), any());
            grid.set_link(link.with_cost(1 + random.below(30) as u16))
                .unwrap();
        }
        if random.below(2) == 0 {
            grid.prepare_footprint(rules.footprint);
            grid.prepare_jumps(rules.footprint, rules.corners);
        }
        let bodies = kind.has(Kind::Bodies).then(|| {
            let mut bodies = Bodies::new(size);
            for _ in 0..random.below(60) {
                let cell = all[random.below(all.len() as u32) as usize];
                bodies.occupy(cell, Footprint::new(1 + random.below(2) as u8).unwrap());
            }
            bodies
        });
        let roads = all
            .iter()
            .copied()
            .filter(|cell| cell.x % 16 == 8 || cell.y % 16 == 8);
        let mut map = IndexedMap::new(grid);
        map.build_regions(rules);
        map.build_portals(rules);
        map.build_mosaic(rules.footprint);
        map.insert_roads(rules, roads).unwrap();
        Self { map, bodies }
    }

    fn terrain(&self) -> Terrain<'_> {
        let terrain = Terrain::from(&self.map);
        match &self.bodies {
            Some(bodies) => terrain.with_bodies(bodies),
            None => terrain,
        }
    }

    fn query(&self, rules: Rules, random: &mut Xorshift) -> PathQuery {
        let size = self.map.grid().size();
        let all = Area::new(Cell::new(0, 0), Cell::new(size.width - 1, size.height - 1));
        let mut any = || {
            let number = random.below(u32::from(size.width) * u32::from(size.height));
            let floor = random.below(size.floors.into()) as u8;
            all.cells().nth(number as usize).unwrap().on_floor(floor)
        };
        let (start, goal) = (any(), any());
        let limits = match random.below(3) {
            0 => Limits::window(5 + random.below(24) as u16),
            _ => Limits::UNBOUNDED,
        };
        let query = PathQuery::new(start, goal)
            .with_rules(rules)
            .with_limits(limits);
        settled(query, self.map.grid())
    }
}

/// All metrics and corner rules on one kind of map.
fn check(kind: Kind) {
    let mut planner = Planner::new();
    for (number, metric) in (1_u64..).zip(Metric::ALL) {
        for corners in CornerRule::ALL {
            let seed = number << 8 | (kind as u64) << 1 | u64::from(corners == CornerRule::Cut);
            println!("{kind:?}, {metric:?}, {corners:?}: seed {seed}");
            let mut random = Xorshift::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut left = queries();
            while left > 0 {
                let side = if kind.has(Kind::Footprints) {
                    1 + random.below(3) as u8
                } else {
                    1
                };
                let policy = match random.below(3) {
                    0 => BodyPolicy::AvoidNear(random.below(9) as u8),
                    _ => BodyPolicy::AvoidAll,
                };
                let rules = Rules::new(metric, corners)
                    .with_footprint(Footprint::new(side).unwrap())
                    .with_bodies(if kind.has(Kind::Bodies) {
                        policy
                    } else {
                        BodyPolicy::Ignore
                    });
                let map = Map::new(kind, rules, &mut random);
                for _ in 0..left.min(QUERIES_PER_MAP) {
                    let query = map.query(rules, &mut random);
                    judge(&mut planner, map.terrain(), &query);
                }
                left = left.saturating_sub(QUERIES_PER_MAP);
            }
        }
    }
}

fn judge(planner: &mut Planner, terrain: Terrain<'_>, query: &PathQuery) {
    let mut path = Path::new();
    let truth = Dijkstra::new().search(terrain, query, &mut path);
    for method in Method::ALL {
        let answer = planner.ask(method, terrain, query, &mut path);
        let told = || format!("{method} answered {answer:?}, not {truth:?}, to {query:?}");
        if let Status::Unsupported(feature) = answer.status {
            assert!(has(feature, terrain, query), "{}", told());
            continue;
        }
        if method == Method::Line && answer.status == Status::BudgetSpent {
            continue;
        }
        assert_eq!(answer.status, truth.status, "{}", told());
        if answer.status == Status::Found {
            assert_eq!(path.end(), Some(query.goal), "{}", told());
            assert_eq!(walk(terrain, query, &path), Ok(answer.cost), "{}", told());
        }
        assert!(is_cheap_enough(answer, truth, query), "{}", told());
    }
}

/// Whether a path costs what its method promises.
fn is_cheap_enough(answer: Outcome, truth: Outcome, query: &PathQuery) -> bool {
    match answer.method {
        // Twice the least at worst, with a few steps of slack on short ways.
        Method::Portal => {
            let slack = 8 * query.rules.metric.straight();
            (truth.cost..=2 * truth.cost + slack).contains(&answer.cost)
        }
        // Walkers go where roads lead.
        Method::Trunk => answer.cost >= truth.cost,
        _ => answer.cost == truth.cost,
    }
}

/// Whether a refused query has what it was refused for.
fn has(feature: Feature, terrain: Terrain<'_>, query: &PathQuery) -> bool {
    let grid = terrain.grid();
    match feature {
        Feature::Costs => grid.has_costs(),
        Feature::Exits => grid.has_exits(),
        Feature::Links => !grid.links().is_empty(),
        Feature::Bodies => terrain.bodies().is_some() && query.rules.bodies != BodyPolicy::Ignore,
        Feature::Metric(metric) => metric == query.rules.metric,
        Feature::Window => query.limits.radius > 28 || query.limits.radius < 70,
        _ => false,
    }
}

#[test]
fn plain_maps() {
    check(Kind::Plain);
}

#[test]
fn step_costs() {
    check(Kind::Costs);
}

#[test]
fn exits() {
    check(Kind::Exits);
}

#[test]
fn links() {
    check(Kind::Links);
}

#[test]
fn floors() {
    check(Kind::Floors);
}

#[test]
fn bodies() {
    check(Kind::Bodies);
}

#[test]
fn large_bodies() {
    check(Kind::Footprints);
}

#[test]
fn everything_at_once() {
    check(Kind::Everything);
}
