//! Every method, on every kind of map, under every metric and corner rule, is held to Dijkstra.
//!
//! `NAV_GRID_QUERIES` is how many queries each combination gets; 40 by default, of which a debug
//! build does some hundred thousand searches.

use nav_grid::{
    Area, Cell, CornerRule, Directions, Footprint, Grid, IndexedMap, Limits, Link, Metric,
    PathQuery, Planner, Rules, Size, Terrain, map::Bodies, rules::BodyPolicy,
};
use nav_judge::{Terms, Xorshift, cells, judge_all_methods, settled};

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

const TERMS: Terms = Terms {
    portal_slack: 8,
    is_prepared: true,
};

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
                    judge_all_methods(&mut planner, map.terrain(), &query, TERMS);
                }
                left = left.saturating_sub(QUERIES_PER_MAP);
            }
        }
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
