//! Every method, on every kind of map, under every metric and corner rule, compared with Dijkstra's
//! search.

use nav_grid::{
    Area, Cell, CornerRule, Directions, Edit, Footprint, IndexedMap, Limits, Metric, PathQuery,
    Planner, Rules, Size, Terrain,
    map::Bodies,
    rules::{BodyPolicy, Class, ClassCosts, LinkKind, LinkKinds},
};
use nav_judge::{Ground, Terms, Xorshift, cases, cells, judge_all_methods, metrics, settled};

/// The feature that a map or a walker has beside walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Costs,
    Exits,
    Links,
    Floors,
    Bodies,
    Footprints,
    Classes,
    Everything,
}

impl Kind {
    fn has(self, other: Self) -> bool {
        self == other || self == Self::Everything
    }

    fn rules(self, metric: Metric, corners: CornerRule, random: &mut Xorshift) -> Rules {
        let bodies = match random.below(3) {
            _ if !self.has(Self::Bodies) => BodyPolicy::Ignore,
            0 => BodyPolicy::AvoidNear(random.below(9) as u8),
            _ => BodyPolicy::AvoidAll,
        };
        let classes = if self.has(Self::Classes) {
            any_classes(random)
        } else {
            ClassCosts::ALL
        };
        let kind = LinkKind::new(random.below(3) as u8).unwrap();
        let links = match random.below(3) {
            0 if self.has(Self::Links) => LinkKinds::ALL.without(kind),
            _ => LinkKinds::ALL,
        };
        Rules::new(metric, corners)
            .with_footprint(self.footprint(3, random))
            .with_bodies(bodies)
            .with_classes(classes)
            .with_links(links)
    }

    fn footprint(self, most: u32, random: &mut Xorshift) -> Footprint {
        let has = self.has(Self::Footprints);
        let side = if has { 1 + random.below(most) as u8 } else { 1 };
        Footprint::new(side).unwrap()
    }
}

/// Draws one of four kinds of agents: some classes are forbidden, and for two of the kinds others
/// cost more.
fn any_classes(random: &mut Xorshift) -> ClassCosts {
    let class = |number| Class::new(number).unwrap();
    match random.below(4) {
        0 => ClassCosts::ALL.without(class(1)),
        1 => ClassCosts::ALL.without(class(2)).with(class(3), 3),
        2 => ClassCosts::ALL.with(class(0), 2).with(class(1), 15),
        _ => ClassCosts::only([class(0), class(3)]),
    }
}

const TERMS: Terms = Terms {
    portal_slack: 8,
    is_prepared: true,
};

const QUERIES_PER_MAP: u32 = 10;

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
        let is_linked = kind.has(Kind::Links) || floors > 1;
        let ground = Ground {
            size,
            seed: random.below(u32::MAX).into(),
            walls_percent: random.below(40) / u32::from(rules.footprint.side()),
            costs: kind.has(Kind::Costs),
            exits: kind.has(Kind::Exits).then_some(12),
            links: u32::from(is_linked) * (1 + random.below(12)),
            honest: random.below(2) == 0,
            classes: if kind.has(Kind::Classes) { 4 } else { 0 },
        };
        let mut grid = ground.grid();
        if random.below(2) == 0 {
            grid.prepare_footprint(rules);
            grid.prepare_jumps(rules);
        }
        let bodies = kind.has(Kind::Bodies).then(|| {
            let mut bodies = Bodies::new(size);
            for _ in 0..random.below(60) {
                let side = 1 + random.below(2) as u8;
                bodies.occupy(random.cell(size), Footprint::new(side).unwrap());
            }
            bodies
        });
        let roads = cells(size).filter(|cell| cell.x % 16 == 8 || cell.y % 16 == 8);
        let mut map = IndexedMap::new(grid);
        map.build_regions(rules);
        map.build_portals(rules);
        map.build_mosaic(rules);
        map.insert_roads(rules, roads).unwrap();
        Self { map, bodies }
    }

    /// Changes a few areas, and brings all indexes up to date.
    fn edit(&mut self, kind: Kind, random: &mut Xorshift) {
        let size = self.map.grid().size();
        for _ in 0..5 {
            let first = random.cell(size);
            let (x, y) = (
                first.x + random.below(4) as u16,
                first.y + random.below(4) as u16,
            );
            let last = Cell {
                x: x.min(size.width - 1),
                y: y.min(size.height - 1),
                ..first
            };
            let area = Area::new(first, last);
            let edit = match random.below(4) {
                0 if kind.has(Kind::Classes) => {
                    Edit::Class(area, Class::new(random.below(4) as u8).unwrap())
                }
                1 if kind.has(Kind::Costs) => Edit::Cost(area, 1 + random.below(9) as u8),
                2 if kind.has(Kind::Exits) => {
                    Edit::Exits(area, Directions(random.below(256) as u8))
                }
                _ => Edit::Walkable(area, random.below(2) == 0),
            };
            self.map.apply(&edit).unwrap();
        }
        self.map.repair();
    }

    fn terrain(&self) -> Terrain<'_> {
        let terrain = Terrain::from(&self.map);
        match &self.bodies {
            Some(bodies) => terrain.with_bodies(bodies),
            None => terrain,
        }
    }

    fn query(&self, kind: Kind, rules: Rules, random: &mut Xorshift) -> PathQuery {
        let size = self.map.grid().size();
        let (start, goal): (Cell, Cell) = (random.cell(size), random.cell(size));
        let limits = match random.below(3) {
            0 => Limits::window(5 + random.below(24) as u16),
            _ => Limits::UNBOUNDED,
        };
        let query = PathQuery::new(start, goal)
            .with_rules(rules)
            .with_limits(limits)
            .with_goal_body(kind.footprint(3, random))
            .with_last_step(random.below(4) == 0);
        settled(query, self.map.grid())
    }
}

/// Checks all metrics and corner rules on one kind of map.
fn check(kind: Kind) {
    let mut planner = Planner::new();
    for (number, metric) in (1_u64..).zip(metrics()) {
        for corners in CornerRule::ALL {
            let seed = number << 8 | (kind as u64) << 1 | u64::from(corners == CornerRule::Cut);
            println!("{kind:?}, {metric:?}, {corners:?}: seed {seed}");
            let mut random = Xorshift::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for _ in 0..cases(20, 40).div_ceil(QUERIES_PER_MAP) {
                let rules = kind.rules(metric, corners, &mut random);
                let mut map = Map::new(kind, rules, &mut random);
                for number in 0..QUERIES_PER_MAP {
                    if number == QUERIES_PER_MAP / 2 {
                        map.edit(kind, &mut random);
                    }
                    let query = map.query(kind, rules, &mut random);
                    judge_all_methods(&mut planner, map.terrain(), &query, TERMS);
                }
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
fn terrain_classes() {
    check(Kind::Classes);
}

#[test]
fn everything_at_once() {
    check(Kind::Everything);
}
