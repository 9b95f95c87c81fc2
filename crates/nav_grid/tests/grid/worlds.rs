//! Random maps with everything, and queries about them.

use nav_grid::{
    Area, Cell, CornerRule, Directions, Edit, Footprint, Grid, Limits, Link, PathQuery, Rules,
    Size,
    map::Bodies,
    rules::{BodyPolicy, Heuristic, LinkKind, LinkKinds},
};
use nav_judge::{Ground, Xorshift, cases, cells, metrics};
use proptest::{collection::vec, prelude::*, sample::select};

/// Returns the number of cases that the tests of a block draw, by tier. A failed case becomes a
/// test, not a seed file.
pub fn tries(default: u32, soak: u32) -> ProptestConfig {
    ProptestConfig {
        cases: cases(default, soak),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A map and the bodies on it.
#[derive(Clone, Debug)]
pub struct World {
    pub ground: Ground,
    /// Whether the map has the data that searches by jumps and large bodies look up.
    pub prepared: bool,
    /// The map that the bodies come from: now and then another one.
    pub bodies_size: Size,
    pub bodies: Vec<(Cell, Footprint)>,
}

impl World {
    pub fn size(&self) -> Size {
        self.ground.size
    }

    pub fn grid(&self) -> Grid {
        let mut grid = self.ground.grid();
        if self.prepared {
            for footprint in Footprint::all() {
                grid.prepare_footprint(footprint);
                for corners in CornerRule::ALL {
                    let rules =
                        Rules::new(nav_grid::Metric::Unit, corners).with_footprint(footprint);
                    grid.prepare_jumps(rules);
                }
            }
        }
        grid
    }

    pub fn bodies(&self) -> Bodies {
        let mut bodies = Bodies::new(self.bodies_size);
        for &(cell, footprint) in &self.bodies {
            bodies.occupy(cell, footprint);
        }
        bodies
    }
}

pub fn any_cell(size: Size) -> impl Strategy<Value = Cell> {
    (0..size.width, 0..size.height, 0..size.floors).prop_map(|(x, y, floor)| Cell { x, y, floor })
}

pub fn any_footprint() -> impl Strategy<Value = Footprint> {
    let side = prop_oneof![4 => Just(1), 3 => Just(2), 2 => Just(3), 1 => 4..=8_u8];
    side.prop_map(|side| Footprint::new(side).expect("1 to 8"))
}

/// All kinds of links for half of all walkers. By their other rules, so that a case is the same
/// whatever kinds there are.
fn kinds_for(rules: Rules) -> LinkKinds {
    let kind = |number| LinkKind::new(number).expect("0 to 15");
    let number = u32::from(rules.footprint.side()) + rules.metric.straight();
    match number + u32::from(rules.corners == CornerRule::Cut) {
        number if number % 4 == 1 => LinkKinds::ALL.without(kind(0)),
        number if number % 4 == 3 => LinkKinds::NONE.with(kind(1)),
        _ => LinkKinds::ALL,
    }
}

/// A metric, a corner rule, a footprint and kinds of links.
pub fn any_rules() -> impl Strategy<Value = Rules> {
    let parts = (
        select(metrics()),
        select(&CornerRule::ALL[..]),
        any_footprint(),
    );
    parts.prop_map(|(metric, corners, footprint)| {
        let rules = Rules::new(metric, corners).with_footprint(footprint);
        rules.with_links(kinds_for(rules))
    })
}

fn any_size() -> impl Strategy<Value = Size> {
    (2..=70_u16, 2..=22_u16, 1..=4_u8)
        .prop_map(|(width, height, floors)| Size::new(width, height).with_floors(floors))
}

fn any_world() -> impl Strategy<Value = World> {
    any_size().prop_flat_map(|size| {
        let layers = (
            any::<bool>(),
            prop_oneof![Just(None), select(&[Some(4), Some(90)][..])],
            prop_oneof![Just(0), 1..=30_u32],
            any::<bool>(),
        );
        // Few walls leave room for large bodies.
        let walls = prop_oneof![0..=3_u32, 0..=35_u32];
        let ground = (any::<u64>(), walls, layers).prop_map(
            move |(seed, walls_percent, (costs, exits, links, honest))| Ground {
                size,
                seed,
                walls_percent,
                costs,
                exits,
                links,
                honest,
                classes: 0,
            },
        );
        let bodies_size = prop_oneof![9 => Just(size), 1 => any_size()];
        let bodies = vec((any_cell(size), any_footprint()), 0..25);
        (ground, any::<bool>(), bodies_size, bodies).prop_map(
            |(ground, prepared, bodies_size, bodies)| World {
                ground,
                prepared,
                bodies_size,
                bodies,
            },
        )
    })
}

const ADMISSIBLE: [Heuristic; 3] = [Heuristic::OpenGround, Heuristic::Chebyshev, Heuristic::Zero];

pub fn any_query(size: Size) -> impl Strategy<Value = PathQuery> {
    let policy = prop_oneof![
        Just(BodyPolicy::Ignore),
        Just(BodyPolicy::AvoidAll),
        (0..=12_u8).prop_map(BodyPolicy::AvoidNear)
    ];
    (
        (any_cell(size), any_cell(size)),
        (any_rules(), policy),
        any_footprint(),
        select(&ADMISSIBLE[..]),
        (prop_oneof![3..=30_u16, Just(u16::MAX)], any::<bool>()),
    )
        .prop_map(
            |((start, goal), (rules, bodies), goal_body, guess, (radius, last_step))| {
                PathQuery::new(start, goal)
                    .with_rules(rules.with_bodies(bodies))
                    .with_heuristic(guess)
                    .with_limits(Limits::window(radius))
                    .with_goal_body(goal_body)
                    .with_last_step(last_step)
            },
        )
}

/// A world, and some queries about it.
pub fn any_case() -> impl Strategy<Value = (World, Vec<PathQuery>)> {
    any_world().prop_flat_map(|world| {
        let queries = vec(any_query(world.size()), 1..6);
        (Just(world), queries)
    })
}

/// A world, and one query about it.
pub fn any_question() -> impl Strategy<Value = (World, PathQuery)> {
    any_case().prop_map(|(world, queries)| (world, queries[0]))
}

/// Draws a change of a map: of an area, of a cell or of a link.
pub fn random_edit(grid: &Grid, seed: u64) -> Edit {
    let mut random = Xorshift::new(seed);
    let cells: Vec<Cell> = cells(grid.size()).collect();
    let (first, second) = (random.one_of(&cells), random.one_of(&cells));
    let near = Cell {
        x: (first.x + 3).min(grid.width() - 1),
        y: (first.y + 3).min(grid.height() - 1),
        ..first
    };
    let area = Area::new(first, if random.below(2) == 0 { near } else { second });
    match random.below(6) {
        0 => Edit::Walkable(Area::new(first, near), false),
        1 => Edit::Walkable(area, true),
        2 => Edit::Cost(area, random.below(65) as u8),
        3 => Edit::Exits(area, Directions(random.below(256) as u8)),
        4 => Edit::Link(Link::new(first, second).with_cost(1 + random.below(40) as u16)),
        _ => {
            let links = grid.links();
            let link = links.get(random.below(links.len().max(1) as u32) as usize);
            let link = link.copied().unwrap_or(Link::new(first, second));
            Edit::Unlink {
                from: link.from,
                to: link.to,
            }
        }
    }
}
