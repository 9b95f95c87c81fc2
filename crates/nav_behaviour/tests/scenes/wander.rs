//! Wandering: around a centre, within a way, never where no way leads back from.

use super::scene::{
    TestWorld, activity, changes, draw, on_with_behaviours, open_with_behaviours, with_behaviours,
};
use bevy_ecs::prelude::*;
use nav::{AgentId, CellPosition, Chaser, Chasing, GoTo, OnMap, Period};
use nav_behaviour::{Activity, Home, Leash, Notice, Noticeable, Patrol, PatrolOrder, Wander};
use nav_grid::{
    Cell, Direction, Directions, Link, Rules,
    rules::{Class, ClassCosts},
};
use std::collections::BTreeSet;

/// Wandering with pauses of at most half a second, so that little time shows much.
fn restless(radius: u16) -> Wander {
    Wander::new(radius).with_pauses(Period::default(), Period::from_millis(500))
}

fn wanderer(world: &mut TestWorld, at: impl Into<Cell>, wander: Wander) -> Entity {
    let place = (CellPosition::at(at.into()), OnMap(world.map));
    let npc = (Chaser::default(), wander, place);
    world.world().spawn(npc).id()
}

/// Returns the cells on which an agent is in some seconds.
fn visited(world: &mut TestWorld, npc: Entity, seconds: u64) -> BTreeSet<(u16, u16)> {
    let mut cells = BTreeSet::new();
    for _ in 0..seconds * 20 {
        world.tick(1);
        let cell = world.cell(npc);
        cells.insert((cell.x, cell.y));
    }
    cells
}

#[test]
fn radius_by_way() {
    // Beyond the wall, which is near in a straight line, no cell is within the radius.
    let mut world = with_behaviours(&[
        "...........", //
        "...........",
        "##########.",
        "...........",
        "...........",
    ]);
    let npc = wanderer(&mut world, (2, 1), restless(6));
    let cells = visited(&mut world, npc, 120);
    let expected = (0..=8).flat_map(|x| (0..2).map(move |y| (x, y)));
    assert_eq!(cells, expected.collect());
}

#[test]
fn around_home_or_cell() {
    for (wander, home, centre) in [
        (restless(3), None, (4, 10)),
        (restless(3), Some((14, 10)), (14, 10)),
        (
            restless(3).with_centre(Cell::new(25, 10)),
            Some((14, 10)),
            (25, 10),
        ),
    ] {
        let mut world = open_with_behaviours(40, 20);
        let npc = wanderer(&mut world, (4, 10), wander);
        if let Some((x, y)) = home {
            world.insert(npc, Home(Cell::new(x, y)));
        }
        world.seconds(20);
        let cells = visited(&mut world, npc, 60);
        let distance = |&(x, y): &(u16, u16)| Cell::new(x, y).chebyshev(centre.into());
        assert_eq!(cells.iter().map(distance).max(), Some(3), "{centre:?}");
    }
}

#[test]
fn pauses_between_walks() {
    let mut world = open_with_behaviours(20, 20);
    let (least, greatest) = (Period::from_millis(1000), Period::from_millis(2000));
    let wander = Wander::new(5).with_pauses(least, greatest);
    let npc = wanderer(&mut world, (10, 10), wander);
    let mut stands = Vec::new();
    let mut since = None;
    for tick in 0..20 * 120_u64 {
        world.tick(1);
        match (activity(&world, npc), since) {
            (Activity::Idle, None) => since = Some(tick),
            (Activity::Walking, Some(from)) => {
                stands.push(tick - from);
                since = None;
            }
            _ => {}
        }
    }
    // The first one is the spread of beginnings.
    let (first, later) = stands.split_first().unwrap();
    assert!(*first <= 41 && later.len() > 20, "{stands:?}");
    let bounds = (later.iter().min().unwrap(), later.iter().max().unwrap());
    assert!(*bounds.0 >= 20 && *bounds.1 <= 41, "{stands:?}");
    assert!(bounds.1 - bounds.0 > 10, "{stands:?}");
}

#[test]
fn no_way_into_trap() {
    // A ledge down to the east, a slide into the cellar, and water.
    let mut grid = draw(&[
        "..........", //
        "##########",
        "..........",
        "..........",
    ]);
    let east = Directions::from(Direction::East);
    grid.set_exits(Cell::new(6, 0), east).unwrap();
    let slide = Link::new(Cell::new(1, 0), Cell::new(1, 3));
    grid.set_link(slide).unwrap();
    let is_trapped = |&(x, y): &(u16, u16)| y > 0 || x > 5;
    let mut world = on_with_behaviours(grid.clone());
    let npc = wanderer(&mut world, (3, 0), restless(30));
    let cells = visited(&mut world, npc, 120);
    assert_eq!(cells.len(), 6, "{cells:?}");
    assert!(!cells.iter().any(is_trapped), "{cells:?}");

    // With stairs up, the cellar belongs to the area.
    grid.set_link(slide.reversed()).unwrap();
    let water = Class::new(3).unwrap();
    grid.set_class(Cell::new(4, 2), water).unwrap();
    grid.set_class(Cell::new(4, 3), water).unwrap();
    let mut world = on_with_behaviours(grid);
    let npc = wanderer(&mut world, (3, 0), restless(30));
    world.tune(npc, |chaser| {
        let dry = ClassCosts::ALL.without(water);
        chaser.rules = Rules::default().with_classes(dry);
    });
    let cells = visited(&mut world, npc, 240);
    assert!(
        cells.contains(&(0, 3)) && cells.contains(&(3, 2)),
        "{cells:?}"
    );
    let is_wet = |&(x, y): &(u16, u16)| y > 0 && x > 3;
    assert!(
        !cells.iter().any(|cell| is_wet(cell) || cell.0 > 5),
        "{cells:?}"
    );
}

#[test]
fn chase_interrupts() {
    let mut world = open_with_behaviours(40, 20);
    let player = world.target((36, 18));
    let npc = wanderer(&mut world, (5, 5), restless(4));
    world.insert(npc, (Notice::new(6), Leash::new(12)));
    world.seconds(10);
    world.insert(player, Noticeable::default());
    world.put(player, (8, 5));
    world.seconds(3);
    assert_eq!(activity(&world, npc), Activity::InReach);
    world.put(player, (36, 18));
    world.seconds(10);
    let doings: Vec<Activity> = changes(&world, npc).iter().map(|it| it.0).collect();
    assert!(doings.contains(&Activity::Returning), "{doings:?}");
    let cells = visited(&mut world, npc, 30);
    let is_near = |&(x, y): &(u16, u16)| Cell::new(x, y).chebyshev(Cell::new(5, 5)) <= 4;
    assert!(cells.len() > 10 && cells.iter().all(is_near), "{cells:?}");
    // A walk that the game orders comes before.
    world.insert(npc, GoTo(Cell::new(30, 10)));
    world.tick_until(|world| world.cell(npc) == Cell::new(30, 10));
    world.world().entity_mut(npc).remove::<Wander>();
    world.seconds(5);
    assert!(world.app.world().get::<Chasing>(npc).is_none());
}

#[test]
fn patrol_comes_first() {
    let mut world = open_with_behaviours(30, 9);
    let npc = wanderer(&mut world, (5, 4), restless(3));
    let stops = [Cell::new(2, 4), Cell::new(25, 4)];
    world.insert(npc, Patrol::new(PatrolOrder::Loop, stops));
    world.seconds(1);
    let cells = visited(&mut world, npc, 30);
    assert!(cells.iter().all(|&(_, y)| y == 4), "{cells:?}");
    assert_eq!(cells.len(), 24);
}

#[test]
fn walled_in_or_without_centre() {
    let mut world = with_behaviours(&["#####....", "#.###....", "#####...."]);
    let in_cell = wanderer(&mut world, (1, 1), restless(9));
    let in_wall = wanderer(&mut world, (6, 1), restless(9).with_centre(Cell::new(3, 1)));
    let off_map = wanderer(
        &mut world,
        (7, 1),
        restless(9).with_centre(Cell::new(300, 1)),
    );
    world.seconds(10);
    assert_eq!(world.cell(in_cell), Cell::new(1, 1));
    assert_eq!(world.cell(in_wall), Cell::new(6, 1));
    assert_eq!(world.cell(off_map), Cell::new(7, 1));
    // The wall is opened: the next looks find it.
    world.edit((2, 1), true);
    world.edit((3, 1), true);
    world.edit((4, 1), true);
    let cells = visited(&mut world, in_cell, 30);
    assert!(cells.contains(&(5, 1)), "{cells:?}");
    assert_ne!(world.cell(in_wall), Cell::new(6, 1));
}

/// The walks follow from the number of the agent, not from the order of spawning.
#[test]
fn equal_numbers_wander_equally() {
    let walk = |ids: [u32; 3], looked_at: usize| {
        let mut world = open_with_behaviours(60, 20);
        let npcs = ids.map(|id| {
            let npc = wanderer(&mut world, (10, 10), restless(6));
            world.insert(npc, AgentId(id));
            npc
        });
        let npc = npcs[looked_at];
        (0..600)
            .map(|_| {
                world.tick(1);
                world.cell(npc)
            })
            .collect::<Vec<Cell>>()
    };
    let first = walk([50, 51, 52], 1);
    assert_eq!(walk([52, 53, 51], 2), first);
    assert_ne!(walk([50, 51, 52], 0), first);
}

/// Ten thousand choices that are due at once are spread over ticks.
#[test]
fn crowd_is_spread() {
    let mut world = open_with_behaviours(200, 200);
    let wander = Wander::new(10).with_pauses(Period::default(), Period::default());
    for n in 0..2000_u16 {
        wanderer(&mut world, (20 + n % 50 * 3, 20 + n / 50 * 3), wander);
    }
    world.tick(2);
    let mut walking = world.world().query::<&GoTo>();
    let after_one = walking.iter(world.app.world()).count();
    assert!((15..=20).contains(&after_one), "{after_one}");
    world.tick(160);
    let mut began = BTreeSet::new();
    let mut all = world.world().query::<(Entity, &CellPosition)>();
    for (agent, place) in all.iter(world.app.world()) {
        began.insert((agent, place.cell));
    }
    world.seconds(10);
    let still = all.iter(world.app.world());
    let still = still.filter(|(agent, place)| began.contains(&(*agent, place.cell)));
    let still = still.count();
    assert!(still < 60, "{still} of 2000 were passed over");
}
