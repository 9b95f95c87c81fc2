//! Packs that cross each other, rooms that swap, chains of chasers, and leaders on their way.

use super::scene::{could_be, guard, work_of};
use bevy_ecs::prelude::*;
use nav::{Body, Chaser, Chasing, Destination};
use nav_grid::{Cell, Grid, Link, Size};
use nav_tests::{TestWorld, apart::Bodies};

/// Two rooms of ten by ten with a lane of so many rows between them.
fn lane(long: u16, wide: u16) -> Grid {
    Grid::from_fn(20 + long, 10, |cell| {
        !(10..10 + long).contains(&cell.x) || (4..4 + wide).contains(&cell.y)
    })
    .unwrap()
}

/// Two storeys with so many stairs side by side.
fn storeys(stairs: u16) -> Grid {
    let mut grid = Grid::build(Size::new(14, 10).with_floors(2), |_| true).unwrap();
    for n in 0..stairs {
        let up = Link::new(Cell::new(7, 3 + n), Cell::new(7, 3 + n).on_floor(1));
        grid.set_link(up).unwrap();
        grid.set_link(up.reversed()).unwrap();
    }
    grid
}

/// Two packs that go where the other one comes from: how many of each arrive in so many seconds.
fn cross(grid: Grid, ends: [Cell; 2], count: u16, seconds: u64) -> ([usize; 2], Vec<String>) {
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
    let arrived = targets.map(|target| {
        let of = chases.iter().filter(|chase| chase.1 == target);
        of.filter(|(chaser, _)| bodies.world.is_within_reach(*chaser, target))
            .count()
    });
    (arrived, wrong)
}

/// What is wrong after so many seconds: who could be where it wants to be, and who moves or searches.
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

#[test]
fn explore() {
    for wide in [1, 2, 3] {
        for long in [1, 8] {
            for count in [1, 2, 4, 8, 12] {
                let ends = [Cell::new(4, 4), Cell::new(15 + long, 4)];
                let (n, wrong) = cross(lane(long, wide), ends, count, 180);
                println!("lane wide {wide} long {long} count {count}: {n:?} {wrong:?}");
            }
        }
    }
    for stairs in [1, 2, 3] {
        for count in [1, 2, 4, 8, 12] {
            let ends = [Cell::new(3, 4), Cell::new(10, 4).on_floor(1)];
            let (n, wrong) = cross(storeys(stairs), ends, count, 180);
            println!("stairs {stairs} count {count}: {n:?} {wrong:?}");
        }
    }
    // Rooms that swap: each goes onto a cell of its own.
    for wide in [1, 2, 3] {
        for count in [1, 2, 4, 8, 16, 30] {
            let mut bodies = Bodies::on(TestWorld::on(lane(1, wide)));
            let mut chases = Vec::new();
            for n in 0..count {
                let (a, b) = (
                    Cell::new(2 + n % 6, 2 + n / 6),
                    Cell::new(13 + n % 6, 2 + n / 6),
                );
                for (from, to) in [(a, b), (b, a)] {
                    let end = bodies.world.target(to);
                    bodies.world.insert(end, Destination);
                    chases.push((bodies.solid(from, end), end));
                }
            }
            let wrong = settle(&mut bodies, &chases, 240);
            let n = chases
                .iter()
                .filter(|c| bodies.world.is_within_reach(c.0, c.1))
                .count();
            println!(
                "swap wide {wide} count {count}: {n} of {} {wrong:?}",
                chases.len()
            );
        }
    }
    // One room empties, another fills.
    for wide in [1, 2] {
        for count in [4, 16, 30, 60] {
            let mut bodies = Bodies::on(TestWorld::on(lane(1, wide)));
            let mut chases = Vec::new();
            for n in 0..count {
                let (a, b) = (Cell::new(n % 10, n / 10), Cell::new(11 + n % 10, n / 10));
                let end = bodies.world.target(b);
                bodies.world.insert(end, Destination);
                chases.push((bodies.solid(a, end), end));
            }
            let wrong = settle(&mut bodies, &chases, 240);
            let n = chases
                .iter()
                .filter(|c| bodies.world.is_within_reach(c.0, c.1))
                .count();
            println!(
                "fill wide {wide} count {count}: {n} of {} {wrong:?}",
                chases.len()
            );
        }
    }
    // Chains: each chases the one before it, the first a target behind bystanders.
    for count in [2, 4, 8, 16] {
        for guards in [0, 3, 5] {
            let mut bodies = Bodies::on(TestWorld::on(Grid::open(30, 11).unwrap()));
            let mut before = bodies.world.target((25, 5));
            for n in 0..guards {
                guard(&mut bodies, (18, 5 - guards / 2 + n));
            }
            let mut chases = Vec::new();
            for n in 0..count {
                let chaser = bodies.solid((15 - n % 15, 5 + n / 15), before);
                chases.push((chaser, before));
                before = chaser;
            }
            let wrong = settle(&mut bodies, &chases, 60);
            let n = chases
                .iter()
                .filter(|c| bodies.world.is_within_reach(c.0, c.1))
                .count();
            println!("chain {count} guards {guards}: {n} {wrong:?}");
        }
    }
    // Circles.
    for count in [2, 3, 5, 8, 16] {
        let mut bodies = Bodies::on(TestWorld::on(Grid::open(30, 30).unwrap()));
        let first = bodies.world.target((15, 15));
        let all: Vec<Entity> = (0..count)
            .map(|n| bodies.solid((2 + n * 7 % 27, 2 + n * 11 % 27), first))
            .collect();
        let mut chases = Vec::new();
        for n in 0..all.len() {
            let next = all[(n + 1) % all.len()];
            bodies
                .world
                .world()
                .entity_mut(all[n])
                .insert(Chasing(next));
            chases.push((all[n], next));
        }
        let wrong = settle(&mut bodies, &chases, 60);
        let n = chases
            .iter()
            .filter(|c| bodies.world.is_within_reach(c.0, c.1))
            .count();
        println!("circle {count}: {n} {wrong:?}");
    }
    // Leaders with destinations, behind bystanders, and a pack each.
    for guards in [0, 1, 3, 5, 9] {
        for pack in [0, 1, 4, 12] {
            let mut bodies = Bodies::on(TestWorld::on(Grid::open(40, 21).unwrap()));
            for n in 0..guards {
                guard(&mut bodies, (20, 10 - guards / 2 + n));
            }
            let end = bodies.world.target((30, 10));
            bodies.world.insert(end, Destination);
            let leader = bodies.solid((12, 10), end);
            let mut chases = vec![(leader, end)];
            for n in 0..pack {
                chases.push((bodies.solid((8 + n % 3, 8 + n / 3), leader), leader));
            }
            let wrong = settle(&mut bodies, &chases, 60);
            let n = chases
                .iter()
                .filter(|c| bodies.world.is_within_reach(c.0, c.1))
                .count();
            println!("leader guards {guards} pack {pack}: {n} {wrong:?}");
        }
    }
    let _ = (Body::default(), Chaser::default());
}

#[test]
fn explore_fill() {
    let (wide, count) = (1, 16);
    let mut bodies = Bodies::on(TestWorld::on(lane(1, wide)));
    let mut chases = Vec::new();
    for n in 0..count {
        let (a, b) = (Cell::new(n % 10, n / 10), Cell::new(11 + n % 10, n / 10));
        let end = bodies.world.target(b);
        bodies.world.insert(end, Destination);
        chases.push((bodies.solid(a, end), end));
    }
    for second in [5, 5, 5, 5, 10, 30, 60] {
        bodies.tick(second * 20);
        println!("after {second}");
        for &(chaser, target) in &chases {
            let timer = bodies.world.get::<nav::NavTimer>(chaser);
            if !bodies.world.is_within_reach(chaser, target) {
                println!(
                    "{} to {}: {:?} {:?} waits {} stands {} failures {}",
                    bodies.world.cell(chaser),
                    bodies.world.cell(target),
                    bodies.world.cursor(chaser).state(),
                    bodies.world.cursor(chaser).guidance(),
                    timer.waits(),
                    timer.stands(),
                    timer.failures()
                );
            }
        }
    }
}
