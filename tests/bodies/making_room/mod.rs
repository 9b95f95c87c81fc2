//! Bodies let each other through: at doors, in corridors, and around resting bodies.

use bevy_ecs::prelude::*;
use nav::{Body, Chaser, Destination};
use nav_grid::{Cell, Direction, Footprint, Grid, rules::BodyPolicy};
use nav_tests::{TestWorld, apart::Bodies, sample};

/// Makes a wall in column 20 of a map of 41 by 21 cells, with doors.
fn wall_with_doors(doors: impl IntoIterator<Item = u16>) -> Grid {
    let doors: Vec<u16> = doors.into_iter().collect();
    Grid::from_fn(41, 21, |cell| cell.x != 20 || doors.contains(&cell.y)).unwrap()
}

/// Returns the most ticks in a row for which a body stood in one cell on its way.
fn longest_stand(
    world: &mut TestWorld,
    chaser: Entity,
    mut next: impl FnMut(&mut TestWorld, u64),
) -> u64 {
    let (mut longest, mut stands) = (0, 0);
    for tick in 0..600 {
        let before = world.cell(chaser);
        next(world, tick);
        world.tick(1);
        if before.x > 20 {
            break;
        }
        stands = if world.cell(chaser) == before {
            stands + 1
        } else {
            0
        };
        longest = longest.max(stands);
    }
    longest
}

#[test]
fn idle_body_in_a_door() {
    for far_door in [14, 18] {
        for rules in [BodyPolicy::Ignore, BodyPolicy::AvoidNear(8)] {
            let mut world = TestWorld::on(wall_with_doors([10, far_door]));
            let idle = world.target((20, 10));
            let target = world.target((30, 10));
            let chaser = world.chaser((4, 10), target);
            world.insert([idle, chaser], Body::default());
            world.tune(chaser, |chaser| chaser.rules.bodies = rules);
            let longest = longest_stand(&mut world, chaser, |world, tick| {
                // It wanders, a step in 700 ms.
                if tick % 14 == 0 {
                    let (x, y) = [(30, 10), (31, 10), (31, 11), (30, 11)][(tick / 14 % 4) as usize];
                    world.put(target, (x, y));
                }
            });
            assert!(
                world.cell(chaser).x > 20,
                "{rules:?}, {far_door}: at {}",
                world.cell(chaser)
            );
            assert!(
                longest <= 30,
                "{rules:?}, {far_door}: stood for {longest} ticks"
            );
        }
    }
}

/// A ghost on the cell of its target steps off past bodies that it avoids, whichever side they are
/// on.
#[test]
fn ghost_avoids_bodies_beside_its_target() {
    for side in 0..8 {
        let mut world = TestWorld::open(11, 11);
        let target = world.target((5, 5));
        let ghost = world.chaser((5, 5), target);
        world.tune(ghost, |ghost| ghost.rules.bodies = BodyPolicy::AvoidNear(8));
        for beside in [side, (side + 1) % 8] {
            let at = Cell::new(5, 5).step(Direction::ALL[beside]).unwrap();
            let idle = world.target((at.x, at.y));
            world.insert(idle, Body::default());
        }
        world.seconds(3);
        assert!(world.is_beside(ghost, target), "at {}", world.cell(ghost));
    }
}

/// A ghost that avoids bodies sees them on its way, also bodies that came since its search.
#[test]
fn ghost_avoids_bodies_ahead() {
    for comes_later in [false, true] {
        let mut world = TestWorld::on(wall_with_doors([10, 13]));
        let idle = world.target(if comes_later { (22, 10) } else { (20, 10) });
        world.insert(idle, Body::default());
        let target = world.target((30, 10));
        let ghost = world.chaser((8, 10), target);
        world.tune(ghost, |ghost| ghost.rules.bodies = BodyPolicy::AvoidNear(8));
        for tick in 0..400 {
            if comes_later && tick == 20 {
                world.put(idle, (20, 10));
            }
            world.tick(1);
            assert_ne!(world.cell(ghost), world.cell(idle), "later: {comes_later}");
        }
        world.assert_within_reach(ghost, target);
    }
}

/// Sends two bodies through a door, from pairs of places near it: in the soak tier from all.
/// Returns how many pairs got stuck, and of how many.
fn pairs_before_a_door(sides: [u8; 2], width: u16) -> (usize, usize) {
    let middle = 10;
    let (mut wedged, mut all) = (0, 0);
    let places: Vec<Cell> = (2..17)
        .step_by(3)
        .flat_map(|x| (0..18).step_by(3).map(move |y| Cell::new(x, y)))
        .collect();
    let pairs = places.iter().enumerate();
    let pairs = pairs.flat_map(|(n, &one)| places[n + 1..].iter().map(move |&other| (one, other)));
    for (one, other) in sample(pairs, 4) {
        let sides = [(one, sides[0]), (other, sides[1])]
            .map(|(at, side)| (at, Footprint::new(side).unwrap()));
        if sides[0].1.area(one).meets(sides[1].1.area(other)) {
            continue;
        }
        let mut bodies = Bodies::on(TestWorld::on(wall_with_doors(middle..middle + width)));
        let target = bodies.world.target((34, 10));
        for (at, footprint) in sides {
            bodies.spawn(Chaser::default(), Body::solid(footprint), at, target);
        }
        all += 1;
        let ticks = bodies.tick_while(900, |bodies| !bodies.all_reached());
        wedged += usize::from(ticks == 900);
    }
    (wedged, all)
}

#[test]
fn large_bodies_at_a_door() {
    for (sides, width) in [([2, 2], 2), ([3, 3], 3), ([3, 3], 4), ([3, 2], 3)] {
        let (wedged, all) = pairs_before_a_door(sides, width);
        println!("{sides:?} at a door {width} wide: {wedged} of {all}");
        assert_eq!(wedged, 0, "{sides:?} at a door {width} wide: of {all}");
    }
}

/// Two bodies want each other's cell, and block one at the end of a corridor that wants out.
#[test]
fn bodies_change_places() {
    for order in ["L21", "L12"] {
        let corridor = format!("#{order}....");
        let mut world = TestWorld::new(&["########", &corridor, "#####...", "#####..T"]);
        let [one, two, last] = ['1', '2', 'L'].map(|letter| world.agent(letter));
        let places = [one, two].map(|agent| world.cell(agent));
        for (agent, to) in [(one, places[1]), (two, places[0])] {
            let map = nav::OnMap(world.map);
            let to = world
                .world()
                .spawn((Destination, nav::CellPosition::at(to), map))
                .id();
            world.insert(agent, (Chaser::default(), nav::Chasing(to)));
        }
        world.insert([one, two, last], Body::default());
        world.chase(last, 'T');
        world.seconds(60);
        world.assert_within_reach(last, 'T');
    }
}

/// At a rally point just behind a door the first to arrive makes room for the others.
#[test]
fn rally_point_behind_a_door() {
    for stop_distance in [1, 3] {
        let mut bodies = Bodies::on(TestWorld::on(wall_with_doors([10])));
        let rally = bodies.world.target((22, 10));
        let chaser = Chaser {
            stop_distance,
            ..Chaser::default()
        };
        for n in 0..8 {
            bodies.spawn(chaser, Body::default(), (2 + n % 3, 9 + n / 3), rally);
            bodies.tick(20);
        }
        bodies.tick_until_all_reached(1_200);
    }
}

/// Archers rest in a corridor, and swordsmen come from behind.
#[test]
fn archers_in_a_corridor() {
    for stop_distance in 6..=8 {
        let grid = Grid::from_fn(41, 21, |cell| !(14..=22).contains(&cell.x) || cell.y == 10);
        let mut bodies = Bodies::on(TestWorld::on(grid.unwrap()));
        let target = bodies.world.target((26, 10));
        let archer = Chaser {
            stop_distance,
            ..Chaser::default()
        };
        for n in 0..4 {
            bodies.spawn(archer, Body::default(), (10 - n, 10), target);
        }
        bodies.tick(300);
        for n in 0..4 {
            bodies.solid((6 - n, 9), target);
        }
        bodies.tick_until_all_reached(1_200);
    }
}

/// Two packs go through a corridor three cells wide, against each other.
#[test]
fn packs_against_each_other() {
    let grid = Grid::from_fn(61, 25, |cell| {
        !(20..=40).contains(&cell.x) || (11..=13).contains(&cell.y)
    });
    let mut bodies = Bodies::on(TestWorld::on(grid.unwrap()));
    let targets = [52, 8].map(|x| bodies.world.target((x, 12)));
    let pack = Chaser {
        stop_distance: 4,
        ..Chaser::default()
    };
    for n in 0..30 {
        bodies.spawn(pack, Body::default(), (3 + n % 6, 10 + n / 6), targets[0]);
        bodies.spawn(pack, Body::default(), (52 + n % 6, 10 + n / 6), targets[1]);
    }
    bodies.tick_until_all_reached(2_400);
}

/// Five bodies waste few steps after a target that goes to and fro.
#[test]
fn target_to_and_fro() {
    let mut bodies = Bodies::on(TestWorld::open(40, 20));
    let target = bodies.world.target((10, 10));
    for n in 0..5 {
        bodies.solid((4, 6 + n), target);
    }
    let (mut steps, mut back) = (0, 0);
    let mut last: Vec<[Cell; 2]> = bodies
        .agents
        .iter()
        .map(|&agent| [bodies.world.cell(agent); 2])
        .collect();
    for tick in 0..1_200_u16 {
        // Four cells a second, ten cells each way.
        if tick % 5 == 0 {
            let step = tick / 5 % 20;
            let x = 10 + if step < 10 { step } else { 20 - step };
            bodies.world.put(target, (x, 10));
        }
        bodies.tick(1);
        for (last, &agent) in last.iter_mut().zip(&bodies.agents) {
            let at = bodies.world.cell(agent);
            if at != last[1] {
                steps += 1;
                back += u32::from(at == last[0]);
                *last = [last[1], at];
            }
        }
    }
    println!("{back} of {steps} steps straight back");
    assert!(back * 4 <= steps, "{back} of {steps} steps straight back");
}
