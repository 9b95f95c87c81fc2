//! A world without end, as the example of that name makes it: nothing is lost where the window
//! moves, and nobody notices.

#[global_allocator]
static METER: heap_meter::Meter = heap_meter::Meter;

#[path = "../../examples/endless/world.rs"]
mod world;

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use heap_meter::peak_during;
use nav::{
    links::OnLink,
    maps::{MapShifted, ShiftMapError, shift_map},
    nav_grid::{Area, map::Shift},
    prelude::*,
    requests::ReachRequest,
};
use nav_behaviour::{ChaseRecord, Flee, FleeFrom, Home, Interrupted, Patrol, PatrolOrder, Wander};
use nav_drawn::tape::{Tape, replay};
use nav_tests::{TestWorld, by_tier, scenes::app_with_behaviours};
use nav_trace::TracePlugin;
use std::collections::BTreeMap;
use world::{Endless, Hunter, Place, SIDE, hunt, keep_window, walk};

/// The longest time that a hunter out of reach may stand, in ticks: a second.
const STANDS_MAX: u32 = 20;

/// An endless world with some hunters around the player.
fn endless(hunters: i32) -> App {
    let mut app = app_with_behaviours();
    Endless::begin(app.world_mut()).expect("a world");
    let steps = (walk, keep_window).chain();
    app.add_systems(FixedUpdate, steps.before(NavSystems::Behave));
    for n in 0..hunters {
        hunt(app.world_mut(), (2 + n % 30 * 4, 2 + n / 30 * 4 % 120)).expect("a player");
    }
    app
}

/// What is known of a hunter.
#[derive(Clone, Copy)]
struct Seen {
    place: Place,
    stands: u32,
}

/// Looks at all hunters: none jumps, none stands in a wall, and none stands long out of reach.
/// Returns the longest stand.
fn look(app: &mut App, seen: &mut BTreeMap<Entity, Seen>) -> u32 {
    let world = app.world_mut();
    let mut hunters = world.query_filtered::<(Entity, &CellPosition, &PathCursor), With<Hunter>>();
    let endless = world.resource::<Endless>();
    let map = world.get::<NavMap>(endless.map).expect("a map");
    let mut longest = 0;
    let mut now = BTreeMap::new();
    for (hunter, at, cursor) in hunters.iter(world) {
        assert!(
            map.grid().is_walkable(at.cell),
            "{hunter} in a wall at {at:?}"
        );
        let place = endless.place(at.cell);
        let mut stands = 0;
        if let Some(before) = seen.get(&hunter) {
            let (dx, dy) = (
                place.0.abs_diff(before.place.0),
                place.1.abs_diff(before.place.1),
            );
            assert!(
                dx.max(dy) <= 1,
                "{hunter} jumped from {:?} to {place:?}",
                before.place
            );
            if dx + dy == 0 && cursor.state() != ChaseState::Reached {
                stands = before.stands + 1;
            }
        }
        longest = longest.max(stands);
        now.insert(hunter, Seen { place, stands });
    }
    *seen = now;
    longest
}

fn hunters(app: &mut App) -> usize {
    let world = app.world_mut();
    let near = world
        .query_filtered::<(), With<Hunter>>()
        .iter(world)
        .count();
    let away = world.resource::<Endless>().away.values();
    near + away.map(Vec::len).sum::<usize>()
}

#[test]
fn chase_through_chunks() {
    let (count, chunks) = by_tier((100, 30), (1_000, 1_000));
    let mut app = endless(count);
    let mut seen = BTreeMap::new();
    let mut longest = 0;
    let mut cross = |app: &mut App, chunks: u32| {
        for _ in 0..chunks * SIDE as u32 {
            // Not by the harness, for which an agent that moves with the window jumps.
            app.update();
            longest = longest.max(look(app, &mut seen));
            assert!(longest <= STANDS_MAX, "a hunter stands for {longest} ticks");
        }
    };
    // Buffers grow at first.
    cross(&mut app, 12);
    let ((), peak) = peak_during(|| cross(&mut app, chunks));
    // The map, its indexes and the digests of a tick come and go; a leak of 1 KB a tick would be 64
    // MB in the soak tier.
    assert!(peak < 4 << 20, "{peak} bytes more after {chunks} chunks");
    println!("{longest} ticks stood at most, {peak} bytes more");
    assert_eq!(hunters(&mut app), count as usize, "none is lost");
    let endless = app.world().resource::<Endless>();
    assert!(endless.moves >= chunks / 10, "{} moves", endless.moves);
    assert!(endless.shut > chunks * 3, "{} chunks shut", endless.shut);
    let world = app.world_mut();
    let mut homes = world.query::<(&CellPosition, &Home)>();
    assert!(homes.iter(world).count() >= 25);
    for (at, home) in homes.iter(world) {
        assert_eq!(at.cell, home.0, "homes move with the window");
    }
}

/// A map of 256×256 cells, of which the middle is a world of some blocks, and an agent of each kind
/// on it.
fn busy() -> (TestWorld, [Entity; 3]) {
    let grid = Grid::from_fn(320, 320, |cell| cell.x % 7 > 1 || cell.y % 5 > 1);
    let mut world = TestWorld::with_app(app_with_behaviours(), grid.expect("a map of this size"));
    let target = world.target((160, 164));
    let hunter = world.chaser((130, 129), target);
    world.insert(hunter, Body::default());
    let walker = (
        Chaser::default(),
        OnMap(world.map),
        CellPosition::new(200, 200),
    );
    let walker = world
        .world()
        .spawn((walker, GoTo(Cell::new(230, 171))))
        .id();
    world.tick(7);
    (world, [target, hunter, walker])
}

#[test]
fn chases_go_on() {
    let (mut moved, [target, hunter, walker]) = busy();
    let (mut stays, _) = busy();
    let map = moved.map;
    let by = Shift::new(1, 1);
    let path = moved.cursor(hunter).path().len();
    assert!(path > 0);
    shift_map(moved.world(), map, by).expect("all on the map");
    assert_eq!(moved.cursor(hunter).path().len(), path, "it keeps its path");
    assert_eq!(moved.get::<GoTo>(walker).0, Cell::new(166, 107));
    for tick in 0..200 {
        moved.tick(1);
        stays.tick(1);
        for agent in [target, hunter, walker] {
            let cell = by.moved(stays.cell(agent)).expect("a cell");
            assert_eq!(moved.cell(agent), cell, "{agent} after {tick} ticks");
        }
    }
    assert!(moved.is_beside(hunter, target));
}

/// A body on a ladder, and a body that waits for the ladder, go on as on a map that stays.
#[test]
fn climbers_go_on() {
    let climb = || {
        let mut grid = Grid::open(320, 320).expect("a map of this size");
        let cliff = Area::new(Cell::new(160, 0), Cell::new(163, 319));
        grid.set_walkable(cliff, false).expect("a part of it");
        let ladder = Link::new(Cell::new(159, 160), Cell::new(164, 160));
        let ladder = ladder.with_millis(3000).with_capacity(1);
        grid.set_link(ladder).expect("cells of the map");
        let mut world = TestWorld::with_app(app_with_behaviours(), grid);
        let target = world.target((175, 160));
        let climbers = [(155, 160), (154, 160)].map(|at| world.chaser(at, target));
        world.insert(climbers, Body::default());
        world.tick_until(|world| world.world().query::<&OnLink>().iter(world.world()).count() > 0);
        (world, climbers, target)
    };
    let (mut moved, climbers, target) = climb();
    let (mut stays, ..) = climb();
    let map = moved.map;
    let by = Shift::new(1, 1);
    shift_map(moved.world(), map, by).expect("all on the map");
    for tick in 0..300 {
        moved.tick(1);
        stays.tick(1);
        for agent in climbers {
            let cell = by.moved(stays.cell(agent)).expect("a cell");
            assert_eq!(moved.cell(agent), cell, "{agent} after {tick} ticks");
        }
    }
    moved.assert_beside(climbers, target);
}

/// A walk that waits for the end of a flight goes on to the same place in the world.
#[test]
fn interrupted_walks_move() {
    let (mut world, [.., walker]) = busy();
    let map = world.map;
    let bomb = Cell::new(203, 203);
    let flight = Flee::from_cell(bomb).for_period(Period::from_millis(60_000));
    world.insert(walker, flight);
    world.tick(1);
    assert_eq!(
        world.get::<Interrupted>(walker).walk(),
        Some(Cell::new(230, 171))
    );
    shift_map(world.world(), map, Shift::new(1, 1)).expect("all on the map");
    assert_eq!(
        world.get::<Interrupted>(walker).walk(),
        Some(Cell::new(166, 107))
    );
    let from = FleeFrom::Cell(Cell::new(139, 139));
    assert_eq!(world.get::<Flee>(walker).from, from);
}

#[test]
fn behaviours_and_requests_move() {
    let (mut world, [target, hunter, walker]) = busy();
    let map = world.map;
    let [home, stop] = [(140, 150), (190, 150)].map(Cell::from);
    world.insert(walker, Home(home));
    world.insert(walker, Patrol::new(PatrolOrder::Loop, [stop]));
    let mut wander = Wander::new(4);
    wander.around = Some(home);
    world.insert(walker, wander);
    let began_at = Some(home);
    world.insert(
        hunter,
        ChaseRecord {
            began_at,
            ..ChaseRecord::default()
        },
    );
    world.insert(
        target,
        PathRequest::new(home, stop).or_to([Cell::new(3, 3)]),
    );
    world.insert(walker, ReachRequest::new(home, 3));
    world.world().init_resource::<Told>();
    world
        .world()
        .add_observer(|shifted: On<MapShifted>, mut told: ResMut<Told>| told.0 = shifted.by);
    let by = Shift::new(1, -1);
    shift_map(world.world(), map, by).expect("all on the map");
    let [home, stop] = [(76, 214), (126, 214)].map(Cell::from);
    assert_eq!(world.get::<Home>(walker).0, home);
    assert_eq!(
        world
            .get::<Patrol>(walker)
            .next_stop()
            .map(|stop| stop.cell),
        Some(stop)
    );
    assert_eq!(world.get::<Wander>(walker).around, Some(home));
    assert_eq!(world.get::<ChaseRecord>(hunter).began_at, Some(home));
    let request = world.get::<PathRequest>(target).clone();
    assert_eq!((request.from, request.to), (home, stop));
    let size = world.grid().size();
    assert!(
        !size.contains(request.others[0]),
        "off the window, off the map"
    );
    assert_eq!(world.get::<ReachRequest>(walker).from, home);
    assert_eq!(world.world().resource::<Told>().0, by);
    // The world stays where it is.
    let frame = world.nav_map().frame().clone();
    let origin = frame.world((0, 0)).map(f64::to_bits);
    assert_eq!(origin, [64.0, 0.0, -64.0].map(f64::to_bits));
}

/// The last move that an observer was told.
#[derive(Resource, Default)]
struct Told(Shift);

#[test]
fn refused_moves_change_nothing() {
    let (mut world, [_, _, walker]) = busy();
    let map = world.map;
    let (before, cell) = (world.digest(), world.cell(walker));
    // The chase would leave the map, and the end of the walk; the walker itself would not.
    let outside = shift_map(world.world(), map, Shift::new(0, 3));
    assert!(
        matches!(outside, Err(ShiftMapError::Outside { agents: 3 })),
        "{outside:?}"
    );
    assert_eq!((world.digest(), world.cell(walker)), (before, cell));
    let gone = world.world().spawn_empty().id();
    let no_map = shift_map(world.world(), gone, Shift::new(1, 0));
    assert_eq!(no_map, Err(ShiftMapError::NoMap));
}

#[test]
fn traces_replay_moves() {
    let mut app = app_with_behaviours();
    app.add_plugins(TracePlugin::default());
    let grid = Grid::from_fn(320, 320, |cell| cell.x % 7 > 1 || cell.y % 5 > 1);
    let mut world = TestWorld::with_app(app, grid.expect("a map of this size"));
    let map = world.map;
    let target = world.target((160, 164));
    for n in 0..9 {
        world.chaser((130 + n, 129), target);
    }
    let tape = Tape::start(&mut world.app);
    for tick in 0..120 {
        world.tick(1);
        if tick % 40 == 11 {
            let columns = if tick > 60 { -1 } else { 1 };
            shift_map(world.world(), map, Shift::new(columns, 0)).expect("all on the map");
        }
    }
    let (trace, _) = tape.finish(&mut world.app);
    if let Err(difference) = replay(&trace) {
        panic!("{difference}");
    }
}
