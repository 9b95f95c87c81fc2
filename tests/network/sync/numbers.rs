//! Places that are no numbers, and packets that a reader refuses.

use super::scene::{Watched, app_with_sync};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use nav::{
    Body, CellPosition, Chaser, Chasing, GoTo, MoveTimer, NavMap, OnMap, Pace, WorldPosition,
    transform::{NavTransformPlugin, TransformToCell},
};
use nav_drawn::{Draw, number_in};
use nav_grid::{Cell, Frame, Grid, map::Axes};
use nav_protocol::{Packet, Update};
use nav_sync::{SyncId, Watcher};
use nav_tests::{TestWorld, by_tier};

const NO_NUMBERS: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Asserts that readers take a packet, in both forms.
fn assert_taken(packet: &Packet, context: &str) {
    let json = packet.to_json().unwrap();
    let read = Packet::from_json(json.as_bytes());
    assert_eq!(read.as_ref().ok(), Some(packet), "{context}: {read:?}");
    let read = Packet::from_postcard(&packet.to_postcard().unwrap());
    assert_eq!(read.as_ref().ok(), Some(packet), "{context}: {read:?}");
}

/// Runs ticks and returns the places of an agent in their updates.
fn places(watched: &mut Watched, ticks: u32, agent: Entity) -> Vec<[f32; 3]> {
    let given = watched.world.app.world().get::<SyncId>(agent).copied();
    let SyncId(id) = SyncId::of(agent, given);
    let mut places = Vec::new();
    for _ in 0..ticks {
        for packet in watched.tick() {
            assert_taken(&packet, "a packet");
            for update in &packet.updates {
                match update {
                    Update::Appear(appear) if appear.id == id => places.push(appear.at),
                    Update::Place(place) if place.id == id => places.push(place.at),
                    Update::Correct(correct) if correct.id == id => places.push(correct.at),
                    Update::Path(path) if path.id == id => places.extend(&path.nav_path),
                    _ => {}
                }
            }
        }
    }
    places
}

/// The writer of a place that is no number.
#[derive(Clone, Copy, Debug)]
enum Who {
    PlayerByWorldPosition,
    PlayerByTransform,
    Chaser,
    Idle,
}

#[test]
fn last_finite_place() {
    use Who::{Chaser as NpcWho, Idle, PlayerByTransform, PlayerByWorldPosition};
    for who in [PlayerByWorldPosition, PlayerByTransform, NpcWho, Idle] {
        for (axis, wrong) in nav_tests::pairs(0..3, NO_NUMBERS) {
            for is_seen_before in [true, false] {
                let context = format!("{who:?}, axis {axis}, {wrong}, seen {is_seen_before}");
                let mut app = app_with_sync();
                app.add_plugins(NavTransformPlugin::default());
                let mut watched = Watched::in_app(app, Grid::open(60, 20).unwrap(), (10, 10));
                watched.world.judges_steps = false;
                let map = OnMap(watched.world.map);
                let good = [12.25, 0.0, 12.0];
                let world = watched.world.world();
                let target = world.spawn((map, CellPosition::new(30, 8))).id();
                let place = (map, WorldPosition(good));
                let agent = match who {
                    PlayerByWorldPosition => world.spawn((place, SyncId(7))).id(),
                    PlayerByTransform => {
                        let at = Transform::from_xyz(12.25, 0.0, 12.0);
                        world.spawn((place, TransformToCell, at, SyncId(7))).id()
                    }
                    NpcWho => {
                        let chase = (Chaser::default(), Chasing(target));
                        world.spawn((place, CellPosition::new(12, 12), chase)).id()
                    }
                    Idle => {
                        let npc = (Chaser::default(), CellPosition::new(12, 12));
                        world.spawn((place, npc)).id()
                    }
                };
                let mut bad = good;
                bad[axis] = wrong;
                let write = |watched: &mut Watched| {
                    let mut agent = watched.world.world().entity_mut(agent);
                    if let Some(mut transform) = agent.get_mut::<Transform>() {
                        let [x, y, z] = bad.map(|part| part as f32);
                        transform.translation = Transform::from_xyz(x, y, z).translation;
                    }
                    *agent.get_mut::<WorldPosition>().unwrap() = WorldPosition(bad);
                };
                if is_seen_before {
                    watched.ticks(4);
                } else {
                    // Out of the view: it is seen for the first time with the wrong place.
                    let watcher = watched.watcher;
                    watched.world.world().entity_mut(watcher).remove::<OnMap>();
                    watched.ticks(4);
                    watched.world.world().entity_mut(watcher).insert(map);
                }
                write(&mut watched);
                let sent = places(&mut watched, 20, agent);
                let is_finite = |at: &[f32; 3]| at.iter().all(|part| part.is_finite());
                assert!(sent.iter().all(is_finite), "{context}: {sent:?}");
                if is_seen_before && matches!(who, PlayerByWorldPosition | PlayerByTransform) {
                    // A new watcher gets the last place, as others did.
                    let watcher = (Watcher::default(), map, CellPosition::new(10, 10));
                    watched.watcher = watched.world.world().spawn(watcher).id();
                    let sent = places(&mut watched, 5, agent);
                    assert_eq!(sent.first(), Some(&[12.25, 0.0, 12.0]), "{context}");
                }
            }
        }
    }
}

/// Draws a coordinate: near the map, far away, beyond 32 bits, or no number.
fn coordinate(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => draw.one_of(&NO_NUMBERS),
        1 => draw.one_of(&[1e300, -1e300, f64::MAX, f64::MIN, 1e39, -1e-300]),
        2 => draw.below(1_000_000) as f64 * 1e9,
        _ => draw.below(6000) as f64 / 100.0 - 3.0,
    }
}

/// Draws the frame of a map: cells of a size between those that 32 bits cannot tell from 0 and from
/// infinity.
fn frame(draw: &mut Draw) -> Frame {
    let size = draw.one_of(&[1.0, 0.01, 250.0, 1e-60, 1e60, 1e37]);
    let axes = draw.one_of(&[Axes::Y_UP, Axes::Z_UP]);
    let origin = draw.one_of(&[[0.0; 3], [-1e5 * size, 0.0, 1e6 * size]]);
    Frame::new(origin, size, axes).unwrap()
}

/// The protocol takes every packet of a drawn game. `NAV_WORLDS` sets the number of games.
#[test]
fn drawn_packets() {
    for seed in 0..number_in("NAV_WORLDS").unwrap_or(by_tier(12, 200)) {
        let mut draw = Draw::new(seed);
        let mut app = app_with_sync();
        app.add_plugins(NavTransformPlugin::default());
        let grid = mapgen::generate(mapgen::Kind::Caves, 60, 40, seed).unwrap();
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let mut world = TestWorld::with_app(app, grid.clone());
        let framed = NavMap::with_frame(grid, frame(&mut draw));
        let map = world.map;
        world.world().entity_mut(map).insert(framed);
        world.judges_steps = false;
        let mut watched = Watched::around(world, draw.one_of(&ground));
        watched.settings().steps = draw.one_of(&[0, 1, 24, 250, u16::MAX]);
        watched.settings().history = draw.below(3);
        let mut players = Vec::new();
        for n in 0..4 {
            let place = (OnMap(map), CellPosition::at(draw.one_of(&ground)));
            let world = watched.world.world();
            players.push(world.spawn((place, SyncId(n))).id());
        }
        let mut agents = players.clone();
        for _ in 0..40 {
            let place = (OnMap(map), CellPosition::at(draw.one_of(&ground)));
            let chaser = Chaser {
                pace: draw.one_of(&[Pace::Even, Pace::ByCost]),
                stop_distance: draw.one_of(&[1, 4, u16::MAX]),
                ..Chaser::default()
            };
            let period = nav::Period::from_micros(draw.one_of(&[0, 1, 250_000, 70_000, u32::MAX]));
            let timer = MoveTimer::default().with_chasing(period);
            let player = draw.one_of(&players);
            let world = watched.world.world();
            let mut npc = world.spawn((place, chaser, timer, Chasing(player)));
            if draw.percent(30) {
                npc.insert(Body::default());
            }
            if draw.percent(30) {
                npc.insert(WorldPosition::default());
            }
            agents.push(npc.id());
        }
        for tick in 0..60 {
            for _ in 0..3 {
                let agent = draw.one_of(&agents);
                let at = [(); 3].map(|()| coordinate(&mut draw));
                let cell = draw.one_of(&ground);
                let mut agent = watched.world.world().entity_mut(agent);
                match draw.below(5) {
                    0 => drop(agent.insert(CellPosition::at(cell))),
                    1 => drop(agent.insert(GoTo(cell))),
                    2 => {
                        let [x, y, z] = at.map(|part| part as f32);
                        agent.insert((TransformToCell, Transform::from_xyz(x, y, z)));
                    }
                    _ => drop(agent.insert(WorldPosition(at))),
                }
            }
            for packet in watched.tick() {
                assert_taken(&packet, &format!("seed {seed}, tick {tick}"));
            }
        }
    }
}
