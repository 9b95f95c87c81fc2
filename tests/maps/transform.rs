//! Bevy's `Transform` of chasers and players.

#![expect(
    clippy::float_cmp,
    reason = "who is shown at a place is shown exactly there"
)]

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::Transform;
use nav::{
    Body, CellPosition, Chaser, MoveTimer, NavMap, NavPlugin, OnMap, Period, WorldPosition,
    transform::{CellToTransform, NavTransformPlugin, TransformToCell},
    values::ValueField,
};
use nav_grid::{
    Cell, Footprint, Frame, Grid, Link, Size,
    map::{Axes, FloorHeights},
};
use nav_tests::TestWorld;
use std::time::Duration;

fn app() -> App {
    let mut app = nav_tests::app();
    app.add_plugins((NavPlugin::default(), NavTransformPlugin::default()));
    app
}

/// Two floors of 24×8 cells of half a unit, 3.2 units a storey, with stairs and a teleporter.
fn world() -> TestWorld {
    let mut grid = Grid::build(Size::new(24, 8).with_floors(2), |_| true).unwrap();
    let stairs = Link::new(Cell::new(10, 4), Cell::new(11, 4).on_floor(1));
    grid.set_link(stairs).unwrap();
    let teleporter = Link::new(Cell::new(4, 0), Cell::new(20, 7));
    grid.set_link(teleporter).unwrap();
    let frame = Frame::new([-5.0, 1.0, 5.0], 0.5, Axes::Y_UP).unwrap();
    let frame = frame.with_heights(FloorHeights::Storeys(3.2)).unwrap();
    let mut world = TestWorld::with_app(app(), Grid::open(1, 1).unwrap());
    world.map = world.world().spawn(NavMap::with_frame(grid, frame)).id();
    world
}

/// Makes a corridor, so that all steps have the same length.
fn corridor() -> TestWorld {
    TestWorld::with_app(app(), Grid::open(24, 1).unwrap())
}

/// Shows `frames` frames for each tick from now on.
fn frames_per_tick(world: &mut TestWorld, frames: u64) {
    let frame = Duration::from_micros(1_000_000 / nav_tests::TICK_RATE / frames);
    let time = TimeUpdateStrategy::ManualDuration(frame);
    world.world().insert_resource(time);
}

fn shown(world: &TestWorld, agent: Entity) -> [f32; 3] {
    world.get::<Transform>(agent).translation.to_array()
}

/// Returns the centre of a cell as shown.
fn centre(world: &TestWorld, cell: Cell) -> [f32; 3] {
    let frame = world.get::<NavMap>(world.map).frame();
    frame.world_of(cell).map(|at| at as f32)
}

fn distance(from: [f32; 3], to: [f32; 3]) -> f32 {
    let square = |axis: usize| (to[axis] - from[axis]).powi(2);
    (square(0) + square(1) + square(2)).sqrt()
}

fn show(world: &mut TestWorld, chaser: Entity, settings: CellToTransform) {
    world.world().entity_mut(chaser).insert(settings);
}

#[test]
fn not_smooth() {
    let mut world = world();
    let target = world.target(Cell::new(14, 4).on_floor(1));
    let chaser = world.chaser((3, 4), target);
    let settings = CellToTransform {
        smooth: false,
        ..CellToTransform::default()
    };
    show(&mut world, chaser, settings);
    for _ in 0..100 {
        world.tick(1);
        let cell = world.cell(chaser);
        assert_eq!(shown(&world, chaser), centre(&world, cell));
    }
    assert!(world.is_beside(chaser, target));
}

#[test]
fn smooth_walk() {
    // The last period is no multiple of a tick: steps come after two ticks or three.
    for (period, paces) in [(250, 0.99..1.01), (100, 0.99..1.01), (120, 0.79..1.21)] {
        let mut world = corridor();
        let target = world.target((22, 0));
        let chaser = world.chaser((2, 0), target);
        show(&mut world, chaser, CellToTransform::default());
        world.get_mut::<MoveTimer>(chaser).chasing = Period::from_millis(period);
        frames_per_tick(&mut world, 5);
        world.tick(50);
        let mut before = shown(&world, chaser);
        let mut steps = Vec::new();
        // As long as it is on its way.
        while world.cell(chaser).x < 20 {
            world.tick(1);
            let at = shown(&world, chaser);
            steps.push(distance(before, at));
            before = at;
        }
        // A frame of 10 ms.
        let even = 10.0 / period as f32;
        for step in steps {
            let share = step / even;
            assert!(
                paces.contains(&share),
                "{period} ms: {share} of an even step"
            );
        }
    }
}

#[test]
fn walk_between_two_cells() {
    let mut world = corridor();
    let target = world.target((20, 0));
    let chaser = world.chaser((3, 0), target);
    show(&mut world, chaser, CellToTransform::default());
    // From then on it has been shown.
    world.tick(1);
    // Frames and ticks coincide: each is shown at the moment of its tick.
    let mut from = world.cell(chaser);
    for _ in 0..10 {
        world.tick_until(|world| world.cell(chaser) != from);
        let (old, to) = (centre(&world, from), centre(&world, world.cell(chaser)));
        assert_eq!(shown(&world, chaser), old, "it sets off");
        world.tick(nav_tests::STEP_TICKS - 1);
        let part = distance(old, shown(&world, chaser)) / distance(old, to);
        assert!((part - 0.8).abs() < 1e-4, "{part}");
        from = world.cell(chaser);
    }
    world.seconds(2);
    assert_eq!(shown(&world, chaser), centre(&world, world.cell(chaser)));
}

/// Returns the place halfway between the centres of two cells.
fn between(world: &TestWorld, first: Cell, last: Cell) -> [f32; 3] {
    let (first, last) = (centre(world, first), centre(world, last));
    std::array::from_fn(|axis| f32::midpoint(first[axis], last[axis]))
}

#[test]
fn large_body_at_its_centre() {
    for side in [1, 2, 3, 8] {
        let mut world = world();
        let body = Body::solid(Footprint::new(side).unwrap());
        let on_map = OnMap(world.map);
        let upstairs = Cell::new(1, 0).on_floor(1);
        let agent = (
            body,
            CellToTransform::default(),
            CellPosition::at(upstairs),
            on_map,
        );
        let agent = world.world().spawn(agent).id();
        world.tick(1);
        let far = u16::from(side);
        let last = Cell::new(far, far - 1).on_floor(1);
        assert_eq!(
            shown(&world, agent),
            between(&world, upstairs, last),
            "side {side}"
        );
    }
}

#[test]
fn teleport_is_a_jump() {
    let mut world = world();
    let target = world.target((21, 5));
    let chaser = world.chaser((2, 1), target);
    show(&mut world, chaser, CellToTransform::default());
    frames_per_tick(&mut world, 4);
    let mut before = None;
    world.tick(20);
    let mut jumps = 0;
    for _ in 0..800 {
        let at = shown(&world, chaser);
        if let Some(before) = before {
            let step = distance(before, at);
            assert!(!(0.2..7.0).contains(&step), "{before:?} {at:?}");
            jumps += u32::from(step > 1.0);
        }
        before = Some(at);
        world.tick(1);
    }
    assert_eq!(jumps, 1, "by the teleporter");
    assert!(world.is_beside(chaser, target));
    // The game moves it elsewhere.
    world.put(chaser, (2, 2));
    world.tick(4);
    let part = distance(shown(&world, chaser), centre(&world, Cell::new(2, 2)));
    assert!(part < 0.8, "{part}");
}

#[test]
fn stairs_are_walked_up() {
    let mut world = world();
    let target = world.target(Cell::new(14, 4).on_floor(1));
    let chaser = world.chaser((8, 4), target);
    show(&mut world, chaser, CellToTransform::default());
    world.tick_until(|world| world.cell(chaser).floor == 1);
    world.tick(2);
    let height = shown(&world, chaser)[1];
    assert!((1.5..4.0).contains(&height), "{height}");
    world.seconds(3);
    assert!((shown(&world, chaser)[1] - 4.2).abs() < 1e-5);
}

#[test]
fn facing() {
    let mut world = world();
    let target = world.target((3, 1));
    let chaser = world.chaser((3, 6), target);
    let settings = CellToTransform {
        faces: true,
        ..CellToTransform::default()
    };
    show(&mut world, chaser, settings);
    world.seconds(4);
    // Rows run toward −z, so up the map is +z.
    let forward = world.get::<Transform>(chaser).forward();
    assert!((forward.z - 1.0).abs() < 1e-5, "{forward:?}");
    let other = world.chaser((8, 1), target);
    show(&mut world, other, CellToTransform::default());
    world.seconds(4);
    let rotation = world.get::<Transform>(other).rotation;
    assert_eq!(
        rotation,
        Transform::IDENTITY.rotation,
        "it was not asked to"
    );
}

#[test]
fn facing_from_above() {
    let mut world = TestWorld::with_app(app(), Grid::open(1, 1).unwrap());
    let frame = Frame::new([0.0; 3], 1.0, Axes::Z_UP).unwrap();
    let map = NavMap::with_frame(Grid::open(20, 20).unwrap(), frame);
    world.map = world.world().spawn(map).id();
    let target = world.target((15, 5));
    let chaser = world.chaser((5, 5), target);
    let settings = CellToTransform {
        faces: true,
        ..CellToTransform::default()
    };
    show(&mut world, chaser, settings);
    world.seconds(2);
    let transform = world.get::<Transform>(chaser);
    let (ahead, out) = (transform.local_y(), transform.local_z());
    assert!((ahead.x - 1.0).abs() < 1e-5 && (out.z - 1.0).abs() < 1e-5);
}

#[test]
fn player_moved_by_transform() {
    let mut world = world();
    let on_map = OnMap(world.map);
    // Upstairs, a little into the ground.
    let place = Transform::from_xyz(2.1, 4.19, 3.1);
    let player = (TransformToCell, place, on_map);
    let player = world.world().spawn(player).id();
    let chaser = world.chaser((3, 4), player);
    world.tick(1);
    assert_eq!(world.cell(player), Cell::new(14, 4).on_floor(1));
    world.seconds(6);
    assert!(world.is_beside(chaser, player));
    // Step by step, less than a cell each.
    for _ in 0..30 {
        world.get_mut::<Transform>(player).translation.z -= 0.05;
        world.tick(1);
    }
    assert_eq!(world.cell(player), Cell::new(14, 7).on_floor(1));
    let transform = *world.get::<Transform>(player);
    world.seconds(3);
    assert!(world.is_beside(chaser, player));
    assert_eq!(
        *world.get::<Transform>(player),
        transform,
        "it is the game's"
    );
}

#[test]
fn only_marked_players_are_read() {
    let mut world = world();
    let target = world.target((5, 5));
    world.chaser((9, 5), target);
    let place = Transform::from_xyz(2.0, 1.0, 3.0);
    world.world().entity_mut(target).insert(place);
    world.tick(2);
    assert_eq!(world.cell(target), Cell::new(5, 5));
    world.world().entity_mut(target).insert(TransformToCell);
    world.tick(1);
    assert_eq!(world.cell(target), Cell::new(14, 4));
}

#[test]
fn transform_that_is_no_number() {
    let mut world = world();
    let place = Transform::from_xyz(2.0, 1.0, 3.0);
    let player = (TransformToCell, place, OnMap(world.map));
    let player = world.world().spawn(player).id();
    world.chaser((9, 5), player);
    world.tick(2);
    world.get_mut::<Transform>(player).translation.x = f32::NAN;
    world.tick(2);
    assert_eq!(world.cell(player), Cell::new(14, 4));
    let [(_, refused)] = &world.values[..] else {
        panic!("one refusal: {:?}", world.values);
    };
    assert_eq!(
        (refused.entity, refused.field),
        (player, ValueField::WorldPosition)
    );
}

#[test]
fn showing_changes_no_chase() {
    let run = |shows: bool| {
        let mut world = world();
        let target = world.target((20, 2));
        let chasers = [(1, 1), (2, 5), (6, 7)].map(|at| world.chaser(at, target));
        if shows {
            for chaser in chasers {
                show(&mut world, chaser, CellToTransform::default());
            }
        }
        let mut digests = Vec::new();
        for tick in 0..120 {
            if tick == 40 {
                world.put(target, (3, 3));
            }
            world.tick(1);
            digests.push(world.digest());
        }
        digests
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn standing_agents_are_unchanged() {
    #[derive(Resource, Default)]
    struct Moved(usize);
    let mut app = app();
    app.init_resource::<Moved>().add_systems(
        bevy_app::PostUpdate,
        |agents: Query<(), Changed<Transform>>, mut moved: ResMut<Moved>| {
            moved.0 += agents.iter().count();
        },
    );
    let mut world = TestWorld::with_app(app, Grid::open(20, 20).unwrap());
    let target = world.target((9, 9));
    let chaser = world.chaser((3, 9), target);
    show(&mut world, chaser, CellToTransform::default());
    world.seconds(5);
    let moved = world.app.world().resource::<Moved>().0;
    assert!(moved > 10, "it walked");
    world.seconds(5);
    assert_eq!(world.app.world().resource::<Moved>().0, moved);
}

#[test]
fn agent_on_another_map() {
    let mut world = world();
    let target = world.target((9, 4));
    let chaser = world.chaser((3, 4), target);
    show(&mut world, chaser, CellToTransform::default());
    world.tick(1);
    let other = NavMap::new(Grid::open(24, 8).unwrap());
    let other = world.world().spawn(other).id();
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(OnMap(other));
    }
    world.tick(1);
    let cell = world.cell(chaser);
    let at = [f32::from(cell.x), 0.0, f32::from(cell.y)];
    assert!(distance(shown(&world, chaser), at) <= 1.0);
}

/// In a schedule without a fixed clock, the time of a frame is that of its tick.
#[test]
fn navigation_in_update() {
    let mut app = nav_tests::app();
    app.add_plugins((
        NavPlugin::new(bevy_app::Update),
        NavTransformPlugin::new(bevy_app::Update),
    ));
    let mut world = TestWorld::with_app(app, Grid::open(20, 20).unwrap());
    let target = world.target((15, 4));
    let chaser = (Chaser::default(), CellToTransform::default());
    let place = (
        CellPosition::new(3, 4),
        OnMap(world.map),
        nav::Chasing(target),
    );
    let chaser = world.world().spawn((chaser, place)).id();
    world.tick(7);
    let x = shown(&world, chaser)[0];
    let cell = f32::from(world.cell(chaser).x);
    assert!(x > 3.0 && x < cell, "{x} {cell}");
    world.seconds(5);
    assert_eq!(shown(&world, chaser), [14.0, 0.0, 4.0]);
    assert!(world.app.world().get::<WorldPosition>(chaser).is_none());
}
