//! Bodies that keep apart.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use nav::{
    Body, BodyKind, CellPosition, Chaser, Chasing, Crowding, MoveTimer, NavMap, NavPlugin,
    NavSystems, NavTime, OnMap,
};
use nav_grid::{Cell, Footprint};
use nav_testing::Scene;
use nav_tests::{TestWorld, apart::Bodies, sample};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

#[test]
fn queue_walks_as_one() {
    let mut bodies = Bodies::new(&["........................................"]);
    let target = bodies.world.target((20, 0));
    let queue: Vec<Entity> = (0..5).map(|x| bodies.solid((x, 0), target)).collect();
    bodies.tick(25);
    // Five steps each: a body in front has moved on before the next one's turn.
    let places: Vec<u16> = queue.iter().map(|&a| bodies.world.cell(a).x).collect();
    assert_eq!(places, [5, 6, 7, 8, 9]);
}

/// The agent that the game moves in the middle of the next tick.
#[derive(Resource, Default)]
struct Teleport(Option<(Entity, Cell)>);

#[test]
fn body_moved_within_a_tick() {
    let teleport = |mut next: ResMut<Teleport>, mut places: Query<&mut CellPosition>| {
        if let Some((agent, to)) = next.0.take()
            && let Ok(mut place) = places.get_mut(agent)
        {
            *place = CellPosition::at(to);
        }
    };
    let mut app = nav_tests::app();
    app.init_resource::<Teleport>();
    app.add_plugins(NavPlugin::default());
    app.add_systems(
        FixedUpdate,
        teleport.after(NavSystems::Search).before(NavSystems::Step),
    );
    app.update();
    let row = nav_tests::draw(&["........................"]);
    let map = OnMap(app.world_mut().spawn(NavMap::new(row)).id());
    let target = app.world_mut().spawn((CellPosition::new(23, 0), map)).id();
    let [front, behind] = [5, 4].map(|x| {
        let place = (CellPosition::new(x, 0), map, Body::default());
        let chaser = (Chaser::default(), Chasing(target), place);
        app.world_mut().spawn(chaser).id()
    });
    let x = |app: &App, agent| app.world().get::<CellPosition>(agent).unwrap().cell.x;
    // Both in the ticks between two steps, and in the tick of a step.
    for _ in 0..6 {
        let to = Cell::new(x(&app, front) + 2, 0);
        app.world_mut().resource_mut::<Teleport>().0 = Some((front, to));
        app.update();
        assert_eq!(x(&app, front), to.x, "it steps when it is put down there");
        assert!(x(&app, behind) < to.x);
    }
    for _ in 0..100 {
        app.update();
        assert_ne!(x(&app, front), x(&app, behind));
    }
    assert_eq!((x(&app, front), x(&app, behind)), (22, 21));
}

#[test]
fn soft_bodies_pass_through() {
    let mut bodies = TestWorld::new(&["..........", "#########."]);
    let guard = (CellPosition::new(4, 0), OnMap(bodies.map), Body::default());
    bodies.world().spawn(guard);
    let target = bodies.target((9, 1));
    let kinds = [BodyKind::Solid, BodyKind::Soft].map(|kind| {
        let chaser = bodies.chaser((usize::from(kind == BodyKind::Soft) as u16, 0), target);
        let body = Body {
            kind,
            ..Body::default()
        };
        bodies.world().entity_mut(chaser).insert(body);
        chaser
    });
    bodies.seconds(10);
    assert!(
        bodies.cell(kinds[0]).x < 4,
        "solid: {}",
        bodies.cell(kinds[0])
    );
    assert!(bodies.is_beside(kinds[1], target));
}

/// Draws two rooms and a corridor of one cell between them, with a crossing of side pockets in the
/// middle.
fn corridor() -> Vec<String> {
    let (rooms, corridor) = (14_usize, 25_usize);
    (0..11)
        .map(|y: usize| {
            (0..2 * rooms + corridor)
                .map(|x| {
                    let in_room = x < rooms || x >= rooms + corridor;
                    let in_pocket = (x == rooms + corridor / 2) && y.abs_diff(5) <= 3;
                    if in_room || y == 5 || in_pocket {
                        '.'
                    } else {
                        '#'
                    }
                })
                .collect()
        })
        .collect()
}

/// Sends two crowds of fifty past each other in a corridor below some rows of wall. Returns the
/// ticks that they took.
fn pass_each_other_below(rows: u16) -> u64 {
    let corridor = corridor();
    let width = corridor[0].len();
    let wall = std::iter::repeat_n("#".repeat(width), rows.into());
    let map: Vec<String> = wall.chain(corridor).collect();
    let map: Vec<&str> = map.iter().map(String::as_str).collect();
    let mut bodies = Bodies::new(&map);
    let chaser = Chaser {
        stop_distance: 8,
        limits: nav_grid::Limits::window(60),
        ..Chaser::default()
    };
    let width = width as u16;
    let right = bodies.world.target((width - 1, rows + 5));
    let left = bodies.world.target((0, rows + 5));
    for n in 0..50 {
        let (x, y) = (n % 5, rows + n / 5);
        bodies.spawn(chaser, Body::default(), (8 + x, y), right);
        bodies.spawn(chaser, Body::default(), (width - 9 - x, y), left);
    }
    bodies.tick_until_all_reached(6000)
}

#[test]
fn crowds_pass_in_corridor() {
    let ticks = pass_each_other_below(0);
    println!("through after {ticks} ticks");
}

#[test]
fn crowds_pass_across_strips() {
    // Cells are handed out by strips of 32 rows: with these rows, two strips meet in the crossing,
    // in the corridor itself, and beside it.
    for rows in sample([26, 27, 24, 28], 2) {
        let ticks = pass_each_other_below(rows);
        println!("below {rows} rows: through after {ticks} ticks");
    }
}

#[test]
fn jam_keeps_step_times() {
    let mut bodies = Bodies::on(TestWorld::open(60, 20));
    let target = bodies.world.target((24, 10));
    let ms = 1_000_000;
    let beats: Vec<u64> = (0..100).map(|n| (n / 20 + 1) * 50 * ms).collect();
    for (n, &beat) in (0..).zip(&beats) {
        let agent = bodies.solid((n % 10, n / 10), target);
        bodies.world.get_mut::<MoveTimer>(agent).next_step = NavTime(beat);
    }
    for tick in 0..600 {
        if tick % 100 == 0 {
            bodies.world.put(target, (24 + tick / 20, 10));
        }
        bodies.tick(1);
        for (&agent, beat) in bodies.agents.iter().zip(&beats) {
            let next = bodies.world.get::<MoveTimer>(agent).next_step.0;
            assert_eq!(
                next % (250 * ms),
                beat % (250 * ms),
                "{agent} at tick {tick}"
            );
        }
    }
    assert!(bodies.world.diagnostics().total.steps > 2000);
}

#[test]
fn closed_ring_sleeps() {
    let mut bodies = Bodies::on(TestWorld::open(60, 60));
    let target = bodies.world.target((30, 30));
    let mut ground = (0..30).flat_map(|y| (0..30).map(move |x| (15 + x, 15 + y)));
    let cells: Vec<(u16, u16)> = ground
        .by_ref()
        .filter(|&(x, y): &(u16, u16)| x.abs_diff(30).max(y.abs_diff(30)) > 6)
        .take(200)
        .collect();
    for at in cells {
        bodies.solid(at, target);
    }
    bodies.tick(600);
    let before = bodies.world.diagnostics().total;
    bodies.tick(200);
    let after = bodies.world.diagnostics().total;
    assert_eq!(after.steps - before.steps, 0, "nobody moves");
    assert_eq!(after.searches() - before.searches(), 0, "nobody searches");
    assert_eq!(after.fields - before.fields, 0, "no new field is made");
    // A body of the ring leaves, and another takes its place.
    let inner = bodies
        .agents
        .iter()
        .position(|&agent| bodies.world.cell(agent).chebyshev(Cell::new(30, 30)) == 1)
        .expect("somebody is there");
    let inner = bodies.agents.remove(inner);
    bodies.world.world().despawn(inner);
    bodies.tick(60);
    let beside = |&&agent: &&Entity| bodies.world.cell(agent).chebyshev(Cell::new(30, 30)) == 1;
    assert_eq!(bodies.agents.iter().filter(beside).count(), 8);
}

#[test]
fn mixed_crowd_keeps_apart() {
    let seed = 11;
    println!("seed {seed}");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let grid = mapgen::generate(mapgen::Kind::Rooms, 64, 64, seed).expect("a map of this size");
    let (mut bodies, targets) = Bodies::scattered(&grid, 331, &[1], &mut random);
    bodies.wander(&targets, &mut random, 600);
    let waits = |&agent: &Entity| bodies.world.get::<Crowding>(agent).waits > 0;
    assert!(bodies.agents.iter().any(waits), "somebody was in the way");
    assert!(bodies.world.diagnostics().total.steps > 1000);
}

/// A large body stands on its target, with one way off it: past a chaser within reach, and a body
/// that stays.
#[test]
fn useless_push_is_not_made() {
    let mut scene = Scene::new(&[
        "#######", //
        "#L.C.T#", "#..0..#", "#######",
    ]);
    scene.insert('L', Body::solid(Footprint::new(2).unwrap()));
    scene.insert(['C', '0'], Body::default());
    scene.tune('C', |chaser| chaser.stop_distance = 2);
    scene.put('T', 'L');
    let place = scene.cell('C');
    for _ in 0..30 * 20 {
        scene.tick(1);
        scene.assert_at('C', place);
    }
    // With both cells free, the large body leaves.
    let free = scene.agent('0');
    scene.world().despawn(free);
    scene.seconds(5);
    scene.assert_beside('L', 'T');
}
