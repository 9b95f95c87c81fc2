//! Links of kinds, links that take time, and links that hold few walkers.

use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, Chaser, MoveTimer, OnMap,
    links::{LinkEntered, LinkLeft, OnLink},
    occupancy::{PlayerSteps, StepRefusal},
};
use nav_grid::{
    Area, Cell, Footprint, Grid, Link, Rules, Size,
    rules::{LinkKind, LinkKinds},
};
use nav_tests::{TICK_RATE, TestWorld};

const LADDER: LinkKind = LinkKind::new(3).expect("0 to 15");

/// Two floors of 12×8 cells with a link up and down at the right, as a change makes it.
fn house(change: impl Fn(Link) -> Link) -> (TestWorld, Link) {
    let mut grid = Grid::build(Size::new(12, 8).with_floors(2), |_| true).unwrap();
    let up = change(Link::new(Cell::new(10, 4), Cell::new(10, 4).on_floor(1)));
    grid.set_link(up).unwrap();
    grid.set_link(up.reversed()).unwrap();
    (TestWorld::on(grid), up)
}

fn on_link(world: &mut TestWorld, agent: Entity) -> Option<OnLink> {
    world.world().get::<OnLink>(agent).copied()
}

/// All messages of a kind since the last call.
fn messages<M: Message + Copy>(world: &mut TestWorld) -> Vec<M> {
    let mut messages = world.world().resource_mut::<Messages<M>>();
    messages.drain().collect()
}

/// A chaser that is on the link for the first time, and the ticks until then.
fn climbing(body: Option<Body>) -> (TestWorld, Link, Entity, Entity) {
    let (mut world, up) = house(|link| link.with_kind(LADDER).with_millis(2000));
    let target = world.target(Cell::new(2, 4).on_floor(1));
    let chaser = world.chaser((7, 4), target);
    if let Some(body) = body {
        world.insert(chaser, body);
    }
    world.tick_until(|world| on_link(world, chaser).is_some());
    (world, up, chaser, target)
}

#[test]
fn ladder_takes_its_time() {
    for body in [None, Some(Body::default())] {
        let (mut world, up, chaser, target) = climbing(body);
        assert_eq!(world.cell(chaser), up.to);
        let now = world.clock().now();
        let on = on_link(&mut world, chaser).expect("it climbs");
        assert_eq!((on.from(), on.to(), on.kind()), (up.from, up.to, LADDER));
        assert_eq!(on.until().0 - now.0, 2_000_000_000);
        let entered = messages::<LinkEntered>(&mut world);
        assert_eq!(entered.len(), 1);
        assert_eq!((entered[0].agent, entered[0].until), (chaser, on.until()));
        world.tick(2 * TICK_RATE - 1);
        assert_eq!(world.cell(chaser), up.to);
        assert!(on_link(&mut world, chaser).is_some());
        world.tick(1);
        let left = messages::<LinkLeft>(&mut world);
        assert_eq!(
            (left.len(), left[0].agent, left[0].arrived),
            (1, chaser, true)
        );
        assert!(on_link(&mut world, chaser).is_none());
        assert_ne!(world.cell(chaser), up.to, "it goes on at once");
        world.seconds(5);
        assert!(world.is_beside(chaser, target));
    }
}

#[test]
fn nothing_interrupts_it() {
    let (mut world, up, chaser, target) = climbing(None);
    // It arrives beside its target, which moves off, and gets another one.
    world.put(target, Cell::new(9, 4).on_floor(1));
    world.tick(2);
    world.put(target, Cell::new(3, 4).on_floor(1));
    world.tick(2);
    let other = world.target((2, 2));
    world.chase(chaser, other);
    world.tick(1);
    world.insert(chaser, MoveTimer::default());
    world.tick(2 * TICK_RATE - 16);
    assert_eq!(world.cell(chaser), up.to);
    world.tick_until(|world| world.cell(chaser) == up.from);
    assert!(on_link(&mut world, chaser).is_some(), "down again");
}

#[test]
fn body_holds_both_ends() {
    let (mut world, up, first, target) = climbing(Some(Body::default()));
    let second = world.chaser((9, 4), target);
    world.insert(second, Body::default());
    for _ in 0..2 * TICK_RATE - 1 {
        world.tick(1);
        assert_ne!(world.cell(second), up.from);
    }
    world.tick_until(|world| world.cell(second) == up.from);
    world.tick_until(|world| world.cell(second) == up.to);
    world.seconds(8);
    world.assert_beside([first, second], target);
}

#[test]
fn elsewhere_by_the_game() {
    let (mut world, up, chaser, target) = climbing(Some(Body::default()));
    world.put(chaser, (1, 1));
    world.tick(1);
    assert!(on_link(&mut world, chaser).is_none());
    let left = messages::<LinkLeft>(&mut world);
    assert_eq!((left.len(), left[0].arrived), (1, false));
    // Neither end is held any more.
    let second = world.chaser((9, 4), target);
    world.insert(second, Body::default());
    world.tick_until(|world| world.cell(second) == up.from);
    world.world().despawn(second);
    world.tick(1);
    world.tick_until(|world| world.cell(chaser) == up.to);
}

#[test]
fn despawned_on_the_link() {
    let (mut world, up) = house(|link| link.with_millis(60_000).with_capacity(1));
    let target = world.target(Cell::new(2, 4).on_floor(1));
    for body in [None, Some(Body::default())] {
        let spawn = |world: &mut TestWorld| {
            let chaser = world.chaser((9, 4), target);
            if let Some(body) = body {
                world.insert(chaser, body);
            }
            chaser
        };
        let first = spawn(&mut world);
        world.tick_until(|world| world.cell(first) == up.to);
        let second = spawn(&mut world);
        world.seconds(5);
        assert_eq!(world.cell(second).floor, 0, "the link is full");
        world.world().despawn(first);
        world.tick_until(|world| world.cell(second) == up.to);
        world.world().despawn(second);
        world.tick(1);
    }
}

/// Most walkers on the link in one tick, until all have arrived or the seconds are over.
fn most_at_once(world: &mut TestWorld, chasers: &[Entity], target: Entity, seconds: u64) -> usize {
    let mut most = 0;
    world.tick_at_most(seconds * TICK_RATE, |world| {
        let on = world.world().query::<&OnLink>().iter(world.world()).count();
        most = most.max(on);
        chasers
            .iter()
            .all(|&chaser| world.is_within_reach(chaser, target))
    });
    most
}

#[test]
fn ghosts_take_turns() {
    for capacity in [1, 3] {
        let (mut world, _) = house(|link| link.with_millis(400).with_capacity(capacity));
        let target = world.target(Cell::new(6, 4).on_floor(1));
        let chasers = (0..12).map(|n| world.chaser((n % 4, n / 4), target));
        let chasers: Vec<Entity> = chasers.collect();
        let most = most_at_once(&mut world, &chasers, target, 30);
        assert_eq!(most, usize::from(capacity));
    }
}

#[test]
fn kinds_that_are_forbidden() {
    let (mut world, up) = house(|link| link.with_kind(LADDER));
    let target = world.target(Cell::new(6, 4).on_floor(1));
    let wolf = Chaser {
        rules: Rules::default().with_links(LinkKinds::ALL.without(LADDER)),
        ..Chaser::default()
    };
    let wolf = world.chaser_with(wolf, (7, 4), target);
    let climber = world.chaser((7, 5), target);
    world.seconds(10);
    assert!(world.is_beside(climber, target));
    assert_eq!(world.cell(wolf).floor, 0);
    // Stairs in its place, without a new map.
    for link in [up, up.reversed()] {
        let stairs = link.with_kind(LinkKind::DEFAULT);
        assert_eq!(world.nav_map().set_link(stairs), Ok(Some(link)));
    }
    world.seconds(8);
    assert!(world.is_beside(wolf, target));
}

#[test]
fn shut_while_on_the_way() {
    let (mut world, up) = house(|link| link);
    let target = world.target(Cell::new(6, 4).on_floor(1));
    let chasers: Vec<Entity> = (0..6).map(|n| world.chaser((n, 4), target)).collect();
    world.seconds(1);
    let shut = LinkKind::new(15).expect("0 to 15");
    world.tune(chasers.clone(), |chaser| {
        chaser.rules.links = LinkKinds::ALL.without(shut);
    });
    world.nav_map().set_link(up.with_kind(shut)).unwrap();
    world.seconds(5);
    assert!(chasers.iter().all(|&chaser| world.cell(chaser).floor == 0));
    world.nav_map().set_link(up).unwrap();
    world.seconds(8);
    world.assert_beside(chasers, target);
}

#[test]
fn link_over_a_fence() {
    // The end lies beside the start, and no step leads there.
    let mut grid = Grid::open(9, 1).unwrap();
    let (from, to) = (Cell::new(3, 0), Cell::new(4, 0));
    let west = nav_grid::Directions::from(nav_grid::Direction::West);
    let east = nav_grid::Directions::from(nav_grid::Direction::East);
    grid.set_exits(from, west).unwrap();
    grid.set_exits(to, east).unwrap();
    grid.set_link(Link::new(from, to).with_millis(1000))
        .unwrap();
    for body in [None, Some(Body::default())] {
        let mut world = TestWorld::on(grid.clone());
        let target = world.target((7, 0));
        let chaser = world.chaser((1, 0), target);
        if let Some(body) = body {
            world.insert(chaser, body);
        }
        world.tick_until(|world| world.cell(chaser) == to);
        assert!(on_link(&mut world, chaser).is_some());
        world.tick(TICK_RATE - 1);
        assert_eq!(world.cell(chaser), to);
        world.seconds(3);
        assert!(world.is_beside(chaser, target));
    }
}

#[test]
fn steps_of_players() {
    let (mut world, up) = house(|link| link.with_millis(1000).with_capacity(1));
    let place = |cell| (CellPosition::at(cell), OnMap(world.map));
    let [player, other] = [up.from, up.to].map(|cell| (place(cell), cell));
    let player = world.world().spawn((player.0, Body::default())).id();
    let other = world.world().spawn(other.0).id();
    world.tick(1);
    let step = |world: &mut TestWorld, agent, to| {
        let steps = world.world().run_system_cached_with(
            |input: In<(Entity, Cell)>, mut steps: PlayerSteps| steps.step(input.0.0, input.0.1),
            (agent, to),
        );
        steps.expect("the system runs")
    };
    assert_eq!(step(&mut world, player, up.to), Ok(()));
    // Before the tick as well as after it.
    assert_eq!(step(&mut world, other, up.from), Err(StepRefusal::LinkFull));
    world.tick(1);
    let until = on_link(&mut world, player).expect("it climbs").until();
    let beside = Cell::new(9, 4).on_floor(1);
    assert_eq!(
        step(&mut world, player, beside),
        Err(StepRefusal::OnLink(until))
    );
    assert_eq!(step(&mut world, other, up.from), Err(StepRefusal::LinkFull));
    world.seconds(1);
    assert!(on_link(&mut world, player).is_none());
    assert_eq!(step(&mut world, player, beside), Ok(()));
    assert_eq!(step(&mut world, other, up.from), Ok(()));
}

#[test]
fn wall_beside_a_held_end() {
    // What changes under a body on a link: its floor is walled in, its size changes, the link goes.
    let (mut world, up, chaser, target) = climbing(Some(Body::default()));
    world
        .nav_map()
        .set_walkable(Area::from(up.from), false)
        .unwrap();
    world.insert(chaser, Body::soft(Footprint::ONE));
    for link in [up, up.reversed()] {
        world.nav_map().remove_link(link.from, link.to);
    }
    world.seconds(9);
    assert!(world.is_beside(chaser, target));
}

/// A chaser that may not take a link waits at its start, nearest to its target, and makes room for
/// the others.
#[test]
fn waiter_at_the_start_makes_room() {
    let mut grid = Grid::from_fn(40, 13, |cell| !(18..22).contains(&cell.x)).unwrap();
    let ladder = Link::new(Cell::new(17, 6), Cell::new(22, 6));
    grid.set_link(ladder.with_kind(LADDER)).unwrap();
    let mut world = TestWorld::on(grid);
    let target = world.target((32, 6));
    let wolf = Chaser {
        rules: Rules::default().with_links(LinkKinds::ALL.without(LADDER)),
        ..Chaser::default()
    };
    let wolf = world.chaser_with(wolf, (13, 9), target);
    let guards: Vec<Entity> = [3, 6, 9].map(|y| world.chaser((8, y), target)).into();
    world.insert([wolf], Body::default());
    world.insert(guards.clone(), Body::default());
    world.seconds(30);
    world.assert_beside(guards, target);
}
