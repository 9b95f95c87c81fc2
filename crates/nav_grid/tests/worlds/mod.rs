//! Random maps with everything, and queries about them.

use nav_grid::{
    Cell, CornerRule, Directions, Footprint, Grid, Limits, Link, Metric, PathQuery, Rules, Size,
    map::Bodies,
    rules::{BodyPolicy, Heuristic},
};
use nav_judge::{Xorshift, cells};
use proptest::{collection::vec, prelude::*, sample::select};

/// What a case is made of. The map follows from it alone, so that a failure prints it whole.
#[derive(Clone, Debug)]
pub struct World {
    pub size: Size,
    seed: u64,
    walls_percent: u32,
    costs: bool,
    /// One cell in so many has exits of its own.
    exits: Option<u32>,
    links: usize,
    /// Links cost about the distance they cover, or one step.
    honest: bool,
    prepared: bool,
    /// The map that the bodies come from: now and then another one.
    bodies_size: Size,
    bodies: Vec<(Cell, Footprint)>,
}

impl World {
    pub fn grid(&self) -> Grid {
        let mut random = Xorshift::new(self.seed);
        let mut grid = Grid::build(self.size, |_| random.below(100) >= self.walls_percent)
            .expect("sides in range");
        let cells: Vec<Cell> = cells(self.size).collect();
        for &cell in &cells {
            if self.costs && grid.is_walkable(cell) && random.below(3) == 0 {
                let cost = 1 + random.below(Grid::COST_WORST.into()) as u8;
                grid.set_cost(cell, cost).expect("a cell of the map");
            }
            if self.exits.is_some_and(|rarity| random.below(rarity) == 0) {
                let exits = Directions(random.below(256) as u8);
                grid.set_exits(cell, exits).expect("a cell of the map");
            }
        }
        for _ in 0..self.links {
            let mut any = || cells[random.below(cells.len() as u32) as usize];
            let (from, to) = (any(), any());
            let cost = if self.honest {
                from.manhattan(to).max(1) as u16
            } else {
                1 + random.below(6) as u16
            };
            let link = Link::new(from, to).with_cost(cost);
            grid.set_link(link).expect("cells of the map");
        }
        if self.prepared {
            for footprint in Footprint::all() {
                grid.prepare_footprint(footprint);
                for corners in CornerRule::ALL {
                    grid.prepare_jumps(footprint, corners);
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

pub fn any_size() -> impl Strategy<Value = Size> {
    (2..=70_u16, 2..=22_u16, 1..=4_u8)
        .prop_map(|(width, height, floors)| Size::new(width, height).with_floors(floors))
}

pub fn any_world() -> impl Strategy<Value = World> {
    any_size().prop_flat_map(|size| {
        let layers = (
            any::<bool>(),
            prop_oneof![Just(None), select(&[Some(4), Some(90)][..])],
            prop_oneof![Just(0), 1..=30_usize],
            any::<bool>(),
        );
        // Few walls leave room for large bodies.
        let walls = prop_oneof![0..=3_u32, 0..=35_u32];
        let bodies_size = prop_oneof![9 => Just(size), 1 => any_size()];
        let bodies = vec((any_cell(size), any_footprint()), 0..25);
        let bodies = (any::<bool>(), bodies_size, bodies);
        (any::<u64>(), walls, layers, bodies).prop_map(
            move |(seed, walls_percent, layers, (prepared, bodies_size, bodies))| {
                let (costs, exits, links, honest) = layers;
                World {
                    size,
                    seed,
                    walls_percent,
                    costs,
                    exits,
                    links,
                    honest,
                    prepared,
                    bodies_size,
                    bodies,
                }
            },
        )
    })
}

pub const ADMISSIBLE: [Heuristic; 3] =
    [Heuristic::OpenGround, Heuristic::Chebyshev, Heuristic::Zero];

pub fn any_query(size: Size) -> impl Strategy<Value = PathQuery> {
    let policy = prop_oneof![
        Just(BodyPolicy::Ignore),
        Just(BodyPolicy::AvoidAll),
        (0..=12_u8).prop_map(BodyPolicy::AvoidNear)
    ];
    (
        (any_cell(size), any_cell(size)),
        (select(&Metric::ALL[..]), select(&CornerRule::ALL[..])),
        (any_footprint(), any_footprint()),
        policy,
        select(&ADMISSIBLE[..]),
        (prop_oneof![3..=30_u16, Just(u16::MAX)], any::<bool>()),
    )
        .prop_map(
            |(
                ends,
                (metric, corners),
                (footprint, goal_body),
                bodies,
                guess,
                (radius, last_step),
            )| {
                let (start, goal) = ends;
                let rules = Rules::new(metric, corners)
                    .with_footprint(footprint)
                    .with_bodies(bodies);
                PathQuery::new(start, goal)
                    .with_rules(rules)
                    .with_heuristic(guess)
                    .with_limits(Limits::window(radius))
                    .with_goal_body(goal_body)
                    .with_last_step(last_step)
            },
        )
}

pub fn any_case() -> impl Strategy<Value = (World, Vec<PathQuery>)> {
    any_world().prop_flat_map(|world| {
        let queries = vec(any_query(world.size), 1..6);
        (Just(world), queries)
    })
}
