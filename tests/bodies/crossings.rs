//! Packs that cross each other, rooms that swap, chains of chasers, and moving leaders.

use super::scene::{could_be, guard, work_of};
use bevy_ecs::prelude::*;
use nav::Destination;
use nav_grid::{Cell, Grid, Link, Size};
use nav_tests::{TestWorld, apart::Bodies, pairs, sample};

/// Makes two rooms of ten by ten with a lane between them, `long` columns long and `wide` rows
/// wide.
fn lane(long: u16, wide: u16) -> Grid {
    Grid::from_fn(20 + long, 10, |cell| {
        !(10..10 + long).contains(&cell.x) || (4..4 + wide).contains(&cell.y)
    })
    .unwrap()
}

/// Makes two storeys with `stairs` stairs side by side.
fn storeys(stairs: u16) -> Grid {
    let mut grid = Grid::build(Size::new(14, 10).with_floors(2), |_| true).unwrap();
    for n in 0..stairs {
        let up = Link::new(Cell::new(7, 3 + n), Cell::new(7, 3 + n).on_floor(1));
        grid.set_link(up).unwrap();
        grid.set_link(up.reversed()).unwrap();
    }
    grid
}

/// Sends two packs to each other's starting places. After `seconds`, the places beside both targets
/// must be full, or hold the whole pack, and all bodies must be at rest.
fn cross(grid: Grid, ends: [Cell; 2], count: u16, seconds: u64, about: &str) {
    let mut bodies = Bodies::on(TestWorld::on(grid));
    let targets = ends.map(|end| bodies.world.target(end));
    let mut chases = Vec::new();
    for (from, to) in [(0, 1), (1, 0)] {
        for n in 0..count {
            let at = Cell {
                x: ends[from].x - 2 + n % 5,
                y: ends[from].y - 2 + n / 5,
                ..ends[from]
            };
            if at != ends[from] {
                chases.push((bodies.solid(at, targets[to]), targets[to]));
            }
        }
    }
    let wrong = settle(&mut bodies, &chases, seconds);
    let packs = chases.chunk_by(|one, other| one.1 == other.1);
    let arrived: Vec<_> = packs.map(|pack| arrived(&bodies, pack)).collect();
    let full = usize::from(count).min(8);
    assert_eq!(arrived, [full; 2], "{count} each, {about}: {wrong:?}");
    assert!(wrong.is_empty(), "{count} each, {about}: {wrong:?}");
}

/// Lists the faults after `seconds`: chasers with a free place that they do not take, and chasers
/// that move or search.
fn settle(bodies: &mut Bodies, chases: &[(Entity, Entity)], seconds: u64) -> Vec<String> {
    bodies.tick(seconds * nav_tests::TICK_RATE);
    let mut wrong = Vec::new();
    for &(chaser, target) in chases {
        if !bodies.world.is_within_reach(chaser, target)
            && let Some(place) = could_be(bodies, chaser, target)
        {
            let at = bodies.world.cell(chaser);
            wrong.push(format!("who is at {at} could be at {place}"));
        }
    }
    let (steps, searches) = work_of(bodies, 60);
    if steps > 0 || searches > chases.len() as u64 {
        wrong.push(format!("{steps} steps and {searches} searches in a minute"));
    }
    wrong
}

/// Counts the chasers within reach of their targets.
fn arrived(bodies: &Bodies, chases: &[(Entity, Entity)]) -> usize {
    let is_near = |chase: &&(Entity, Entity)| bodies.world.is_within_reach(chase.0, chase.1);
    chases.iter().filter(is_near).count()
}

/// Crosses two packs through a lane.
fn cross_by_lane(long: u16, wide: u16, count: u16, seconds: u64) {
    let ends = [Cell::new(4, 4), Cell::new(15 + long, 4)];
    let about = format!("a lane of {long} by {wide}");
    cross(lane(long, wide), ends, count, seconds, &about);
}

/// Crosses two packs by stairs.
fn cross_by_stairs(stairs: u16, count: u16, seconds: u64) {
    let ends = [Cell::new(3, 4), Cell::new(10, 4).on_floor(1)];
    let about = format!("{stairs} stairs");
    cross(storeys(stairs), ends, count, seconds, &about);
}

#[test]
fn crossing_packs() {
    let lanes = pairs([1, 2, 3], [(1, 12), (8, 4), (8, 12)]);
    for (wide, (long, count)) in sample(lanes, 4) {
        cross_by_lane(long, wide, count, 120);
    }
    for stairs in sample([1, 2], 2) {
        cross_by_stairs(stairs, 8, 120);
    }
}

#[test]
fn surplus_chasers_make_room() {
    // The chasers of each pack that find no place stand in the other pack's way, in a door or at
    // the stairs.
    for (long, count) in sample([(1, 20), (1, 30), (8, 20), (8, 30)], 3) {
        cross_by_lane(long, 1, count, 90);
    }
    for (stairs, count) in sample([(1, 12), (1, 20), (2, 12), (2, 20)], 3) {
        cross_by_stairs(stairs, count, 90);
    }
}

#[test]
fn swapped_destinations() {
    // Each chaser goes into the other room, onto a cell that may be occupied.
    let rooms = [(1, 8, true), (1, 16, true), (1, 16, false), (1, 30, false)];
    for (wide, count, swaps) in sample(rooms, 3) {
        let mut bodies = Bodies::on(TestWorld::on(lane(1, wide)));
        let mut chases = Vec::new();
        for n in 0..count {
            let at = Cell::new(n % 8, n / 8);
            let there = Cell::new(11 + at.x, at.y);
            let mut send = |from, to| {
                let end = bodies.world.target(to);
                bodies.world.insert(end, Destination);
                chases.push((bodies.solid(from, end), end));
            };
            send(at, there);
            if swaps {
                send(there, at);
            }
        }
        let wrong = settle(&mut bodies, &chases, 90);
        let near = arrived(&bodies, &chases);
        assert_eq!(near, chases.len(), "{count}, swaps {swaps}: {wrong:?}");
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn chains_pass_idle_bodies() {
    for count in [2, 8] {
        for guards in [1, 5] {
            let mut bodies = Bodies::on(TestWorld::on(Grid::open(30, 11).unwrap()));
            let mut before = bodies.world.target((25, 5));
            for n in 0..guards {
                guard(&mut bodies, (18, 5 - guards / 2 + n));
            }
            let mut chases = Vec::new();
            for n in 0..count {
                let chaser = bodies.solid((15 - n, 5), before);
                chases.push((chaser, before));
                before = chaser;
            }
            let wrong = settle(&mut bodies, &chases, 30);
            assert_eq!(arrived(&bodies, &chases), chases.len(), "{wrong:?}");
            assert!(wrong.is_empty(), "{wrong:?}");
        }
    }
}

#[test]
fn circle_of_chasers_rests() {
    for count in [2, 3, 8, 16] {
        let mut bodies = Bodies::on(TestWorld::on(Grid::open(30, 30).unwrap()));
        let nobody = bodies.world.target((15, 15));
        let at = |n: u16| (2 + n * 7 % 27, 2 + n * 11 % 27);
        let all: Vec<Entity> = (0..count).map(|n| bodies.solid(at(n), nobody)).collect();
        let mut chases = Vec::new();
        for (n, &chaser) in all.iter().enumerate() {
            let next = all[(n + 1) % all.len()];
            bodies.world.chase(chaser, next);
            chases.push((chaser, next));
        }
        let wrong = settle(&mut bodies, &chases, 30);
        assert_eq!(arrived(&bodies, &chases), all.len(), "{count}: {wrong:?}");
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn leader_passes_idle_bodies() {
    for guards in [1, 5] {
        let mut bodies = Bodies::on(TestWorld::on(Grid::open(40, 21).unwrap()));
        for n in 0..guards {
            guard(&mut bodies, (20, 10 - guards / 2 + n));
        }
        let end = bodies.world.target((30, 10));
        bodies.world.insert(end, Destination);
        let leader = bodies.solid((12, 10), end);
        let mut chases = vec![(leader, end)];
        for n in 0..8 {
            chases.push((bodies.solid((8 + n % 3, 8 + n / 3), leader), leader));
        }
        let wrong = settle(&mut bodies, &chases, 30);
        assert_eq!(arrived(&bodies, &chases), chases.len(), "{wrong:?}");
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn enclosed_leader_rests() {
    let mut bodies = Bodies::new(&[
        "..........#...", //
        "..........#...",
        "..........#...",
    ]);
    let end = bodies.world.target((12, 1));
    bodies.world.insert(end, Destination);
    let leader = bodies.solid((2, 1), end);
    let chases = [(leader, end), (bodies.solid((0, 1), leader), leader)];
    let wrong = settle(&mut bodies, &chases, 30);
    assert!(wrong.is_empty(), "{wrong:?}");
}
