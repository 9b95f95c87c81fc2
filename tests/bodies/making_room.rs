//! Bodies let each other through: at doors, in corridors, and around resting bodies.

use nav::{Body, Chaser, Destination};
use nav_grid::{Cell, Direction, Footprint, Grid, rules::BodyPolicy};
use nav_tests::{TestWorld, apart::Bodies, sample};

/// Makes a wall in column 20 of a map of 41 by 21 cells, with doors.
fn wall_with_doors(doors: impl IntoIterator<Item = u16>) -> Grid {
    let doors: Vec<u16> = doors.into_iter().collect();
    Grid::from_fn(41, 21, |cell| cell.x != 20 || doors.contains(&cell.y)).unwrap()
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
