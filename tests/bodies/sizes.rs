//! Chasers and bodies larger than a cell.

use super::scene::{could_be, not_in_reach, tuned, work_of};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition, ChaseState, Chaser, NavMap, OnMap};
use nav_grid::{Cell, Footprint, Grid, Limits, Method, Rules, rules::BodyPolicy};
use nav_tests::{TestWorld, apart::Bodies, by_tier, sample};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

/// A wall with a gap of one cell at row 1 and one of two at rows 6 and 7.
const GAPS: [&str; 9] = [
    "......#......",
    ".............",
    "......#......",
    "......#......",
    "......#......",
    "......#......",
    ".............",
    ".............",
    "......#......",
];

fn side(side: u8) -> Footprint {
    Footprint::new(side).expect("1 to 8")
}

fn of_size(size: u8) -> Chaser {
    Chaser {
        rules: Rules::default().with_footprint(side(size)),
        limits: Limits::window(20),
        ..Chaser::default()
    }
}

/// A chaser of two by two cells.
fn large() -> (Chaser, Body) {
    (of_size(2), Body::solid(side(2)))
}

fn crossing(world: &TestWorld, chaser: Entity) -> Option<u16> {
    let mut path = world.cursor(chaser).path().iter();
    path.find(|cell| cell.x == 6).map(|cell| cell.y)
}

#[test]
fn wide_gap() {
    for (size, row) in [(1, 1), (2, 6)] {
        for others in [0, 1] {
            let mut world = TestWorld::new(&GAPS);
            let target = world.target((11, 1));
            let chaser = world.chaser_with(of_size(size), (1, 1), target);
            for _ in 0..others {
                world.chaser_with(of_size(3 - size), (1, 1), target);
            }
            world.tick_until(|world| world.cell(chaser).x == 6);
            assert_eq!(
                world.cell(chaser).y,
                row,
                "{size}x{size} with {others} others"
            );
            world.seconds(8);
            assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
            assert!(world.cell(chaser).x > 6);
        }
    }
}

#[test]
fn body_sets_the_footprint() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let chaser = world.chaser_with(of_size(1), (1, 1), target);
    world
        .world()
        .entity_mut(chaser)
        .insert(Body::solid(side(2)));
    world.tick(1);
    assert_eq!(world.get::<Chaser>(chaser).rules.footprint, side(2));
    assert_eq!(crossing(&world, chaser), Some(6));
    world.seconds(8);
    assert_eq!(world.cursor(chaser).state(), ChaseState::Reached);
    // It grows too large for the gap, and is tuned again.
    world.put(chaser, (1, 6));
    *world.get_mut::<Body>(chaser) = Body::solid(side(3));
    world.get_mut::<Chaser>(chaser).stop_distance = 2;
    world.seconds(8);
    assert_eq!(world.get::<Chaser>(chaser).rules.footprint, side(3));
    assert!(world.cell(chaser).x < 6, "{}", world.cell(chaser));
}

#[test]
fn too_large_for_any_gap() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let huge = world.chaser_with(of_size(3), (1, 1), target);
    world.seconds(6);
    assert!(world.cell(huge).x <= 3);
    assert!(world.arrivals(huge).is_empty());
}

#[test]
fn gap_that_narrows() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 6));
    let large = world.chaser_with(of_size(2), (1, 6), target);
    world.tick(1);
    // Only the body's lower half covers this cell; the waypoints keep to row 6.
    world.edit((6, 7), false);
    world.tick(1);
    assert_eq!(world.broken.len(), 1);
    world.seconds(4);
    assert!(world.cell(large).x < 5);
}

#[test]
fn map_prepares_for_sizes() {
    let mut world = TestWorld::new(&GAPS);
    let target = world.target((11, 1));
    let two = side(2);
    let prepared = |world: &TestWorld| world.get::<NavMap>(world.map).grid().is_prepared(two);
    assert!(!prepared(&world));
    let large = world.chaser_with(of_size(1), (1, 1), target);
    world.tick(1);
    assert!(!prepared(&world));
    world.get_mut::<Chaser>(large).rules.footprint = two;
    // The map is prepared before its next step at the latest.
    world.tick(nav_tests::STEP_TICKS);
    assert!(prepared(&world));
}

#[test]
fn target_in_a_niche() {
    let mut world = TestWorld::new(&[
        "#########",
        "####.####",
        ".........",
        ".........",
        ".........",
    ]);
    let target = world.target((4, 1));
    let large = world.chaser_with(of_size(3), (0, 2), target);
    world.seconds(4);
    assert_eq!(world.cursor(large).state(), ChaseState::Reached);
    let body = side(3).area(world.cell(large));
    assert!(body.cells().any(|cell| cell == Cell::new(4, 2)));
}

#[test]
fn stop_beside_from_all_sides() {
    for size in 2..=5 {
        for start in [
            (0, 0),
            (10, 0),
            (20, 0),
            (0, 12),
            (22, 12),
            (0, 22),
            (11, 22),
        ] {
            let mut world = TestWorld::open(28, 28);
            let target = world.target((13, 13));
            let large = world.chaser_with(of_size(size), start, target);
            world.seconds(8);
            let area = side(size).area(world.cell(large));
            let ring = area
                .cells()
                .map(|cell| cell.chebyshev(Cell::new(13, 13)))
                .min();
            assert_eq!(ring, Some(1), "side {size} from {start:?}");
        }
    }
}

#[test]
fn large_and_small_keep_apart() {
    let mut bodies = Bodies::on(TestWorld::open(30, 30));
    let target = bodies.world.target((25, 15));
    let (large, body) = large();
    for n in 0..6 {
        bodies.spawn(large, body, (n % 2 * 3, 4 + n * 3), target);
    }
    for n in 0..6 {
        bodies.solid((9, 4 + n * 3), target);
    }
    bodies.tick(300);
}

#[test]
fn round_an_idle_body() {
    let mut bodies = Bodies::on(TestWorld::open(24, 12));
    let guard = (
        CellPosition::new(10, 6),
        OnMap(bodies.world.map),
        Body::default(),
    );
    bodies.world.world().spawn(guard);
    let target = bodies.world.target((18, 6));
    let (chaser, body) = large();
    // Enough of them to share a field.
    for n in 0..4 {
        bodies.spawn(chaser, body, (n / 2 * 3, 5 + n % 2 * 2), target);
    }
    bodies.tick_until_all_reached(300);
}

/// Two rows with a niche below.
const NICHE: [&str; 4] = [
    "..................",
    "..................",
    "#########..#######",
    "#########..#######",
];

#[test]
fn small_makes_room() {
    let mut bodies = Bodies::new(&NICHE);
    let (left, right) = (bodies.world.target((8, 0)), bodies.world.target((17, 0)));
    let small = bodies.solid((8, 1), left);
    bodies.tick(10);
    assert_eq!(bodies.world.cursor(small).state(), ChaseState::Reached);
    let (chaser, body) = large();
    let large = bodies.spawn(chaser, body, (0, 0), right);
    let far = |bodies: &Bodies| bodies.world.cell(large).x < 15;
    bodies.tick_while(600, far);
    assert!(!far(&bodies), "{}", bodies.world.cell(large));
}

#[test]
fn large_makes_room() {
    let mut bodies = Bodies::new(&NICHE);
    let (left, right) = (bodies.world.target((11, 0)), bodies.world.target((17, 0)));
    let (chaser, body) = large();
    let large = bodies.spawn(chaser, body, (7, 0), left);
    bodies.tick(10);
    assert_eq!(bodies.world.cursor(large).state(), ChaseState::Reached);
    let small = [0, 1, 2].map(|x| bodies.solid((x, 0), right));
    let far = |bodies: &Bodies| {
        let far = |&&agent: &&Entity| bodies.world.cell(agent).x < 12;
        small.iter().filter(far).count()
    };
    bodies.tick_while(600, |bodies| far(bodies) > 0);
    assert_eq!(far(&bodies), 0);
}

#[test]
fn crowd_of_all_sizes() {
    for seed in 1..=by_tier(1, 3) {
        println!("seed {seed}");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let grid =
            mapgen::generate(mapgen::Kind::Caves, 80, 110, seed).expect("a map of this size");
        let (mut bodies, targets) = Bodies::scattered(&grid, 531, &[1, 1, 2, 1, 3], &mut random);
        bodies.wander(&targets, &mut random, 500);
        let walls = bodies.cells().into_keys();
        let mut walls = walls.filter(|&(_, y, x)| !grid.is_walkable(Cell::new(x, y)));
        assert_eq!(walls.next(), None);
        assert!(bodies.world.diagnostics().total.steps > 1000);
    }
}

#[test]
fn four_find_four_sides() {
    let mut out = Vec::new();
    for size in [2, 3, 5] {
        let footprint = side(size);
        let starts: [[(u16, u16); 4]; 3] = [
            [(13, 14), (13, 20), (13, 26), (13, 38)],
            [(14, 29), (20, 29), (14, 36), (20, 36)],
            [(14, 14), (44, 14), (14, 44), (44, 44)],
        ];
        let starts = starts.into_iter().zip([false, false, true]);
        for (start, from_all_sides) in sample(starts, 2) {
            let mut bodies = Bodies::on(TestWorld::open(64, 64));
            let target = bodies.world.target((32, 32));
            let mut pack: Vec<Entity> = Vec::new();
            for at in start {
                pack.push(bodies.spawn(Chaser::default(), Body::solid(footprint), at, target));
            }
            bodies.tick(800);
            let far = |npc: &&Entity| !bodies.world.is_within_reach(**npc, target);
            for &npc in pack.iter().filter(far) {
                let at = bodies.world.cell(npc);
                // From all sides every chaser finds room. From one side, the front ones may stand
                // apart and leave gaps.
                match could_be(&bodies, npc, target) {
                    Some(place) => out.push(format!("side {size}: {at} could be at {place}")),
                    None if from_all_sides => out.push(format!("side {size}: {at}")),
                    None => {}
                }
            }
            let (steps, _) = work_of(&mut bodies, 30);
            if steps > 0 {
                out.push(format!("side {size} from {start:?}: {steps} steps"));
            }
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
}

#[test]
fn share_a_ring() {
    // A 3×3 on each of two sides leaves room for small bodies on the others.
    let mut bodies = Bodies::on(TestWorld::open(64, 64));
    let target = bodies.world.target((32, 32));
    let three = Body::solid(side(3));
    let mut pack = Vec::new();
    for n in 0..2 {
        pack.push(bodies.spawn(Chaser::default(), three, (18, 26 + 6 * n), target));
        pack.push(bodies.solid((24, 28 + 4 * n), target));
    }
    bodies.tick(800);
    let far = not_in_reach(&bodies.world, &pack, target);
    assert!(far.is_empty(), "{far:?}");
}

#[test]
fn body_larger_than_its_rules() {
    let three = Body::solid(side(3));
    let open = Grid::open(41, 21).unwrap();
    let narrow = Grid::from_fn(41, 21, |cell| cell.x != 20 || cell.y == 10).unwrap();
    for (name, grid) in [("open", open), ("narrow", narrow)] {
        for count in [1, 4] {
            let mut bodies = Bodies::on(TestWorld::on(grid.clone()));
            let target = bodies.world.target((28, 10));
            let pack: Vec<Entity> = (0..count)
                .map(|n| bodies.spawn(Chaser::default(), three, (12, 1 + n * 4), target))
                .collect();
            bodies.tick(800);
            let cells: Vec<_> = pack
                .iter()
                .map(|&npc| bodies.world.cell(npc).to_string())
                .collect();
            println!("{name}: {cells:?}");
            for chaser in pack {
                let near = bodies.world.is_within_reach(chaser, target);
                let said = !bodies.world.failures(chaser).is_empty();
                let partial = bodies.world.found.iter().any(|(_, found)| {
                    let status = found.outcome.status;
                    found.chaser == chaser && status != nav_grid::Status::Found
                });
                let at = bodies.world.cell(chaser);
                assert!(
                    near || said || partial,
                    "{name}: {chaser} stands at {at}, silently"
                );
            }
        }
    }
}

#[test]
fn body_in_a_wall() {
    // Its anchor is on open ground, but other cells of it are not.
    let grid = Grid::from_fn(41, 21, |cell| cell.y != 11 && cell.y != 12).unwrap();
    let three = Body::solid(side(3));
    let mut world = TestWorld::on(grid);
    let target = world.target((28, 5));
    let chaser = world.chaser(Cell::new(10, 10), target);
    world.world().entity_mut(chaser).insert(three);
    world.seconds(10);
    assert!(!world.failures(chaser).is_empty() || world.is_within_reach(chaser, target));
}

#[test]
fn too_large_for_the_door() {
    // Doors of one cell on all sides of the player's room.
    let centre = Cell::new(40, 40);
    let grid = Grid::from_fn(80, 80, |cell| {
        cell.chebyshev(centre) != 6 || cell.x == centre.x || cell.y == centre.y
    });
    let grid = grid.unwrap();
    let mut out = Vec::new();
    for method in [Method::Auto, Method::Portal] {
        for size in [2, 3] {
            let mut chaser = tuned(method, BodyPolicy::Ignore);
            let footprint = side(size);
            chaser.rules.footprint = footprint;
            chaser.limits.radius = 80;
            for n in (0..24).step_by(by_tier(24, 5)) {
                let mut bodies = Bodies::on(TestWorld::on(grid.clone()));
                if method == Method::Portal {
                    let map = bodies.world.map;
                    let mut map = bodies.world.get_mut::<NavMap>(map);
                    map.build_portals(chaser.rules);
                }
                let target = bodies.world.target((37 + n % 7, 37 + n / 4));
                let at = (20 + n * 7 % 41, if n % 2 == 0 { 20 + n } else { 60 - n });
                bodies.spawn(chaser, Body::solid(footprint), at, target);
                bodies.tick(1_000);
                let (steps, searches) = work_of(&mut bodies, 60);
                if steps > 0 || searches > 1 {
                    out.push(format!(
                        "{method:?}, side {size} from {at:?}: {steps} steps, {searches} searches"
                    ));
                }
            }
        }
    }
    assert!(out.is_empty(), "{}", out.join("\n"));
}
