//! The paths in packets: when they are sent, and what they contain.

use super::scene::{Watched, appeared, corrections_of, id_of, paths_of};
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, Chasing, MoveTimer, Pace, Period};
use nav_grid::{Cell, Grid};
use nav_protocol::{PathAhead, Update};
use nav_sync::Watcher;

/// Makes a watcher in the middle of a world drawn in rows.
fn drawn(rows: &[&str]) -> Watched {
    let grid = nav_tests::draw(rows);
    Watched::on(grid, (5, 3))
}

/// Returns the updates about a chaser in view, and its cell at each tick.
fn follow(watched: &mut Watched, chaser: Entity, ticks: u32) -> (Vec<Update>, Vec<(u32, Cell)>) {
    let (mut updates, mut cells) = (Vec::new(), Vec::new());
    watched.settings().heartbeat = 1;
    for _ in 0..ticks {
        updates.extend(watched.ticks(1));
        cells.push((watched.last_tick(), watched.world.cell(chaser)));
    }
    (updates, cells)
}

/// Checks that a path states the place of a chaser at each of its points and in the ticks between.
fn assert_true(path: &PathAhead, cells: &[(u32, Cell)]) {
    for (at, after) in path.nav_path.iter().zip(&path.arrivals) {
        let tick = path.tick + after;
        let Some(&(_, cell)) = cells.iter().find(|&&(of, _)| of == tick) else {
            continue;
        };
        let is_there = [cell.x, cell.y].map(f32::from) == [at[0], at[2]];
        assert!(
            is_there,
            "in {cell} at tick {tick}, and not at {at:?}: {path:?}"
        );
    }
}

#[test]
fn lone_chaser_is_sent_once() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((26, 10));
    let chaser = watched.world.chaser((10, 10), target);
    let (updates, cells) = follow(&mut watched, chaser, 120);
    let paths = paths_of(&updates, chaser);
    assert_eq!(paths.len(), 1, "{paths:?}");
    assert_true(&paths[0], &cells);
    assert_eq!(paths[0].nav_path.len(), 2, "straight on");
    assert!((paths[0].speed - 4.0).abs() < 1e-6);
    assert_eq!(paths[0].chases, Some(id_of(target)));
    let last = paths[0].nav_path.last().unwrap();
    let cell = watched.world.cell(chaser);
    assert_eq!([f32::from(cell.x), f32::from(cell.y)], [last[0], last[2]]);
    assert_eq!(corrections_of(&updates, chaser).len(), 0);
    assert_eq!(watched.counts().waits, 0);
}

#[test]
fn field_followers_are_sent_once() {
    let mut watched = Watched::open(60, 40, (10, 10));
    let target = watched.world.target((25, 14));
    let chasers: Vec<Entity> = (0..6)
        .map(|n| watched.world.chaser((6, 6 + n), target))
        .collect();
    let mut updates = Vec::new();
    let mut places: Vec<Vec<(u32, Cell)>> = vec![Vec::new(); chasers.len()];
    watched.settings().heartbeat = 1;
    for _ in 0..160 {
        updates.extend(watched.ticks(1));
        let tick = watched.last_tick();
        for (&chaser, places) in chasers.iter().zip(&mut places) {
            places.push((tick, watched.world.cell(chaser)));
        }
    }
    for (&chaser, cells) in chasers.iter().zip(&places) {
        let guidance = watched.world.cursor(chaser).path().is_empty();
        assert!(guidance, "{chaser} has no path of its own");
        let paths = paths_of(&updates, chaser);
        assert_eq!(paths.len(), 1, "{paths:?}");
        assert_true(&paths[0], cells);
    }
    assert_eq!(watched.counts().waits, 0);
}

#[test]
fn moving_target_sends_little() {
    let mut watched = Watched::open(60, 40, (30, 20));
    let target = watched.world.target((30, 20));
    let chaser = watched.world.chaser((45, 20), target);
    watched.ticks(10);
    let mut updates = Vec::new();
    // It walks about a block, a step each 0.4 s.
    for step in 0..60_u16 {
        let (dx, dy) = [(0, 1), (1, 0), (0, -1), (-1, 0)][usize::from(step / 4 % 4)];
        let cell = watched.world.cell(target);
        let to = (
            cell.x.wrapping_add_signed(dx),
            cell.y.wrapping_add_signed(dy),
        );
        watched.world.put(target, to);
        updates.extend(watched.ticks(8));
    }
    let paths = paths_of(&updates, chaser);
    // In 24 seconds, no more than two a second.
    assert!((3..=48).contains(&paths.len()), "{} paths", paths.len());
}

#[test]
fn turning_chaser_sent_at_once() {
    let mut watched = Watched::open(60, 40, (30, 20));
    let target = watched.world.target((20, 20));
    let chaser = watched.world.chaser((40, 20), target);
    watched.ticks(30);
    watched.world.put(target, (55, 20));
    let before = watched.world.cell(chaser).x;
    for _ in 0..40 {
        let updates = watched.ticks(1);
        if watched.world.cell(chaser).x > before.min(39) {
            return;
        }
        let turned = paths_of(&updates, chaser)
            .iter()
            .any(|path| path.nav_path.last().unwrap()[0] > path.nav_path[0][0]);
        if turned {
            return;
        }
    }
    panic!("it never turned");
}

#[test]
fn waiting_body_stops_at_client() {
    let mut watched = drawn(&["##############", "#............#", "##############"]);
    let target = watched.world.target((12, 1));
    let first = watched.world.chaser((5, 1), target);
    let second = watched.world.chaser((2, 1), target);
    for body in [first, second] {
        watched
            .world
            .world()
            .entity_mut(body)
            .insert(Body::default());
    }
    // The first is slow: the second comes up behind it and waits.
    let slow = MoveTimer {
        chasing: Period::from_millis(1000),
        ..MoveTimer::default()
    };
    watched.world.world().entity_mut(first).insert(slow);
    watched.ticks(20);
    let mut waited = 0;
    for _ in 0..100 {
        let before = watched.world.cell(second);
        let updates = watched.ticks(1);
        let tick = watched.last_tick();
        for correct in corrections_of(&updates, second) {
            assert_eq!(correct.tick, tick, "in the tick of the wait");
            assert_eq!(watched.world.cell(second), before);
            assert_eq!(correct.at, [f32::from(before.x), 0.0, f32::from(before.y)]);
            waited += 1;
        }
    }
    assert!(waited > 2, "{waited}");
    assert!(watched.counts().waits >= waited);
}

#[test]
fn knock_back_sent_at_once() {
    let mut watched = Watched::open(60, 40, (30, 20));
    let target = watched.world.target((20, 20));
    let chaser = watched.world.chaser((45, 20), target);
    watched.ticks(20);
    watched.world.judges_steps = false;
    watched.world.put(chaser, (48, 25));
    let updates = watched.ticks(1);
    let jumps = paths_of(&updates, chaser);
    let corrects = corrections_of(&updates, chaser);
    let jumped = jumps.iter().any(|path| path.jumps.first() == Some(&0))
        || corrects.iter().any(|correct| correct.jump);
    assert!(jumped, "{updates:?}");
}

#[test]
fn ended_chase_stops_at_client() {
    let mut watched = Watched::open(60, 40, (30, 20));
    let target = watched.world.target((20, 20));
    let chaser = watched.world.chaser((45, 20), target);
    watched.ticks(20);
    watched.world.world().entity_mut(chaser).remove::<Chasing>();
    let updates = watched.ticks(6);
    let corrects = corrections_of(&updates, chaser);
    let cell = watched.world.cell(chaser);
    assert_eq!(corrects.len(), 1, "{updates:?}");
    assert_eq!(corrects[0].at, [f32::from(cell.x), 0.0, f32::from(cell.y)]);
    assert_eq!(corrects[0].chases, None);
}

#[test]
fn swamp_slows_at_client() {
    let mut grid = Grid::open(30, 5).unwrap();
    for x in 10..14 {
        for y in 0..5 {
            grid.set_cost(Cell::new(x, y), 3).unwrap();
        }
    }
    let mut watched = Watched::on(grid, (10, 2));
    let target = watched.world.target((20, 2));
    let tuned = Chaser {
        pace: Pace::ByCost,
        ..Chaser::default()
    };
    let chaser = watched.world.chaser_with(tuned, (4, 2), target);
    let (updates, cells) = follow(&mut watched, chaser, 200);
    let paths = paths_of(&updates, chaser);
    assert_eq!(paths.len(), 1, "{paths:?}");
    assert_true(&paths[0], &cells);
    assert!(paths[0].nav_path.len() > 2, "{:?}", paths[0]);
    assert_eq!(watched.counts().waits, 0);
}

#[test]
fn teleport_is_no_walk() {
    let mut watched = drawn(&[
        "######################",
        "#......#.............#",
        "######################",
    ]);
    watched.world.link((6, 1), (15, 1), 1);
    let target = watched.world.target((20, 1));
    let chaser = watched.world.chaser((1, 1), target);
    let (updates, cells) = follow(&mut watched, chaser, 120);
    assert!(watched.world.is_beside(chaser, target));
    let paths = paths_of(&updates, chaser);
    let path = &paths[0];
    assert_true(path, &cells);
    let jump = usize::from(path.jumps[0]);
    assert_eq!(path.nav_path[jump], [15.0, 0.0, 1.0]);
    assert_eq!(path.nav_path[jump - 1], [6.0, 0.0, 1.0]);
    assert_eq!(watched.counts().waits, 0);
}

#[test]
fn lost_packet_is_sent_again() {
    let mut watched = Watched::open(60, 40, (30, 20));
    watched.settings().history = 8;
    let target = watched.world.target((20, 20));
    watched.world.chaser((45, 20), target);
    watched.ticks(10);
    let (lost, newest) = (
        watched.sent[1].clone(),
        watched.sent.last().unwrap().sequence,
    );
    let watcher = watched.watcher;
    let again = |watched: &mut Watched, sequences: Vec<u32>| {
        let request = nav_protocol::Ask::Again(sequences).into();
        watched.world.get_mut::<Watcher>(watcher).receive(&request);
        watched.tick()
    };
    assert!(again(&mut watched, vec![lost.sequence]).contains(&lost));
    // A number that was never sent is ignored. For a number that is no longer kept, the server
    // sends the whole view.
    let packets = again(&mut watched, vec![newest + 100]);
    let updates: Vec<Update> = packets
        .into_iter()
        .flat_map(|packet| packet.updates)
        .collect();
    assert_eq!(appeared(&updates), [0; 0]);
    watched.settings().heartbeat = 1;
    watched.ticks(20);
    let packets = again(&mut watched, vec![lost.sequence]);
    let updates: Vec<Update> = packets
        .into_iter()
        .flat_map(|packet| packet.updates)
        .collect();
    assert_eq!(appeared(&updates).len(), 2);
}
