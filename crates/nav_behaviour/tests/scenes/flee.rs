//! Flight: away from agents, groups and cells, out of dead ends, and what goes on afterwards.

use super::scene::{
    TestWorld, activity, changes, draw, on_with_behaviours, open_with_behaviours, with_behaviours,
};
use bevy_ecs::prelude::*;
use nav::{
    AgentId, Body, CellPosition, Chaser, Chasing, GoTo, MoveTimer, OnMap, Paused, Period,
    groups::{ChasingGroup, InGroup, TargetGroup},
};
use nav_behaviour::{
    Activity, ActivityCause, Cornered, Flee, FleeEnd, FleeEnded, FleeUntil, Home, Leash, Notice,
    Noticeable, Patrol, PatrolOrder, Threat, Wander,
};
use nav_grid::{Cell, Direction, Directions, Footprint, Link};

#[derive(Resource, Default)]
struct Heard {
    ends: Vec<(Entity, FleeEnd)>,
    cornered: Vec<(Entity, u16)>,
}

/// Takes notes of ends and of cornered agents.
fn listen(world: &mut TestWorld) {
    world.world().init_resource::<Heard>();
    world
        .world()
        .add_observer(|ended: On<FleeEnded>, mut heard: ResMut<Heard>| {
            heard.ends.push((ended.agent, ended.end));
        });
    world
        .world()
        .add_observer(|cornered: On<Cornered>, mut heard: ResMut<Heard>| {
            heard.cornered.push((cornered.agent, cornered.steps));
        });
}

fn end_of(world: &TestWorld, npc: Entity) -> Option<FleeEnd> {
    let mut ends = world.app.world().resource::<Heard>().ends.iter();
    ends.find(|(agent, _)| *agent == npc).map(|&(_, end)| end)
}

fn villager(world: &mut TestWorld, at: (u16, u16), flee: Flee) -> Entity {
    let place = (CellPosition::at(Cell::from(at)), OnMap(world.map));
    let npc = (Chaser::default(), place, flee);
    world.world().spawn(npc).id()
}

fn away(world: &TestWorld, npc: Entity, from: Entity) -> u16 {
    world.cell(npc).chebyshev(world.cell(from))
}

#[test]
fn runs_until_far_enough() {
    let mut world = open_with_behaviours(60, 40);
    listen(&mut world);
    let wolf = world.target((30, 20));
    let npc = villager(
        &mut world,
        (31, 21),
        Flee::from_danger(wolf).with_distance(9),
    );
    world.tick(2);
    assert_eq!(activity(&world, npc), Activity::Fleeing);
    // Eight steps of a quarter of a second.
    world.seconds(3);
    assert_eq!(away(&world, npc, wolf), 9);
    assert_eq!(end_of(&world, npc), Some(FleeEnd::FarEnough));
    let flown = [
        (Activity::Fleeing, ActivityCause::Ordered),
        (Activity::Idle, ActivityCause::Calmed),
    ];
    assert_eq!(changes(&world, npc), flown);
    assert!(world.app.world().get::<Flee>(npc).is_none());
}

#[test]
fn keeps_distance_for_a_time() {
    let mut world = open_with_behaviours(80, 20);
    listen(&mut world);
    let wolf = world.target((5, 10));
    let flee = Flee::from_danger(wolf).with_distance(6);
    let npc = villager(
        &mut world,
        (7, 10),
        flee.for_period(Period::from_millis(10_000)),
    );
    world.seconds(4);
    assert_eq!(away(&world, npc, wolf), 6);
    // It runs on when the threat comes after it.
    for x in 6..16 {
        world.put(wolf, (x, 10));
        world.tick(10);
    }
    assert!(away(&world, npc, wolf) >= 5, "{:?}", world.cell(npc));
    assert_eq!(end_of(&world, npc), None);
    world.seconds(2);
    assert_eq!(end_of(&world, npc), Some(FleeEnd::Over));
}

#[test]
fn ends_out_of_sight() {
    let mut world = with_behaviours(&[
        "......................", //
        "......................",
        "......................",
        "..........############",
        "......................",
        "......................",
    ]);
    listen(&mut world);
    let wolf = world.target((12, 0));
    let flee = Flee::from_danger(wolf).until(FleeUntil::OutOfSight);
    let near = villager(&mut world, (10, 2), flee);
    let hidden = villager(&mut world, (14, 5), flee);
    world.tick(3);
    assert_eq!(end_of(&world, hidden), Some(FleeEnd::OutOfSight));
    assert_eq!(end_of(&world, near), None);
    world.seconds(9);
    assert!(end_of(&world, near).is_some());
}

#[test]
fn danger_goes() {
    let mut world = open_with_behaviours(30, 30);
    listen(&mut world);
    let group = world.world().spawn(TargetGroup).id();
    let wolf = world.target((10, 10));
    let members = [(20, 10), (10, 20)].map(|at| {
        let member = world.target(at);
        world.insert(member, InGroup(group));
        member
    });
    let long = Period::from_millis(60_000);
    let one = villager(
        &mut world,
        (12, 10),
        Flee::from_danger(wolf).for_period(long),
    );
    let two = villager(
        &mut world,
        (12, 12),
        Flee::from_danger(group).for_period(long),
    );
    world.seconds(1);
    world.world().entity_mut(wolf).despawn();
    world.world().entity_mut(members[0]).despawn();
    world.seconds(1);
    assert_eq!(
        (end_of(&world, one), end_of(&world, two)),
        (Some(FleeEnd::DangerGone), None)
    );
    let away = world.add_map(&["....."][..]);
    world.insert(members[1], OnMap(away));
    world.seconds(1);
    assert_eq!(end_of(&world, two), Some(FleeEnd::DangerGone));
}

#[test]
fn away_from_all_of_group() {
    let mut world = open_with_behaviours(60, 15);
    listen(&mut world);
    let group = world.world().spawn(TargetGroup).id();
    for at in [(20, 7), (34, 7)] {
        let member = world.target(at);
        world.insert(member, InGroup(group));
    }
    // Nearer to the first one; the second one keeps it from going straight away from that.
    let npc = villager(
        &mut world,
        (26, 7),
        Flee::from_danger(group).with_distance(12),
    );
    world.seconds(15);
    let at = world.cell(npc);
    let ended = end_of(&world, npc);
    let least = [(20, 7), (34, 7)].map(|from| at.chebyshev(Cell::from(from)));
    assert!(
        ended == Some(FleeEnd::FarEnough) || least[0].min(least[1]) >= 7,
        "{at:?}, {ended:?}"
    );
}

#[test]
fn cornered_once() {
    let mut world = with_behaviours(&["##########", "#........#", "##########"]);
    listen(&mut world);
    let wolf = world.target((3, 1));
    let npc = villager(&mut world, (5, 1), Flee::from_danger(wolf));
    world.seconds(6);
    assert_eq!(world.cell(npc), Cell::new(8, 1));
    assert_eq!(world.app.world().resource::<Heard>().cornered, [(npc, 5)]);
    assert_eq!(activity(&world, npc), Activity::Fleeing);
    // A way out: it runs, and may be cornered again.
    for x in 1..9 {
        world.edit((x, 0), true);
    }
    world.put(wolf, (8, 0));
    world.seconds(6);
    let cornered = &world.app.world().resource::<Heard>().cornered;
    assert_eq!(cornered.len(), 2, "{cornered:?}");
    assert_eq!(world.cell(npc).x, 1);
}

#[test]
fn taken_cells_are_no_corner() {
    let mut world = with_behaviours(&["######", "#....#", "######"]);
    listen(&mut world);
    let wolf = world.target((1, 1));
    let front = villager(&mut world, (3, 1), Flee::from_danger(wolf));
    let back = villager(&mut world, (2, 1), Flee::from_danger(wolf));
    for npc in [front, back] {
        world.insert(npc, Body::default());
    }
    world.seconds(4);
    assert_eq!([world.cell(front).x, world.cell(back).x], [4, 3]);
    assert_eq!(world.app.world().resource::<Heard>().cornered, [(front, 3)]);
}

#[test]
fn out_of_dead_end() {
    // The room to the right has one door, the corridor below leads out.
    let mut world = with_behaviours(&[
        "....................................", //
        ".############.######################",
        ".#...........#......................",
        ".#.###########.#####################",
        ".#..................................",
        ".############.######################",
        "....................................",
    ]);
    listen(&mut world);
    let wolf = world.target((2, 4));
    let npc = villager(
        &mut world,
        (4, 4),
        Flee::from_danger(wolf).with_distance(30),
    );
    world.seconds(15);
    assert_eq!(end_of(&world, npc), Some(FleeEnd::FarEnough));
    let cornered = &world.app.world().resource::<Heard>().cornered;
    assert!(cornered.is_empty(), "{cornered:?}");
}

/// Each agent runs on, on legal steps only, over ledges one way and never by a link.
#[test]
fn legal_steps_only() {
    let mut grid = draw(&[
        "....................", //
        "....................",
        "....................",
        "####################",
        "....................",
    ]);
    for y in 0..3 {
        let west = Directions::from(Direction::West);
        grid.set_exits(Cell::new(10, y), west).unwrap();
    }
    grid.set_link(Link::new(Cell::new(9, 1), Cell::new(9, 4)))
        .unwrap();
    let mut world = on_with_behaviours(grid);
    listen(&mut world);
    let wolf = world.target((4, 1));
    let npcs = [(6, 0), (6, 1), (8, 2), (12, 1)];
    let npcs = npcs.map(|at| villager(&mut world, at, Flee::from_danger(wolf)));
    let mut before = npcs.map(|npc| world.cell(npc));
    for _ in 0..200 {
        world.tick(1);
        for (npc, last) in npcs.iter().zip(&mut before) {
            let cell = world.cell(*npc);
            let is_legal = world
                .grid()
                .allows_step(*last, cell, Chaser::default().rules);
            assert!(cell == *last || is_legal, "{last:?} to {cell:?}");
            *last = cell;
        }
    }
    // From the ledge no step leads to the east.
    assert!(before[..3].iter().all(|cell| cell.x <= 10), "{before:?}");
}

#[test]
fn chase_goes_on() {
    let mut world = open_with_behaviours(60, 30);
    listen(&mut world);
    let (player, wolf) = (world.target((30, 15)), world.target((24, 15)));
    let npc = world.chaser((20, 15), player);
    world.insert(npc, Activity::default());
    world.seconds(1);
    assert_eq!(activity(&world, npc), Activity::Chasing);
    world.insert(npc, Flee::from_danger(wolf).with_distance(8));
    world.tick(2);
    assert!(world.app.world().get::<Chasing>(npc).is_none());
    world.tick_until(|world| end_of(world, npc).is_some());
    world.tick(1);
    assert_eq!(world.get::<Chasing>(npc).0, player);
    world.tick_until(|world| world.is_beside(npc, player));
    // One whose target goes meanwhile has nothing to do.
    world.insert(npc, Flee::from_danger(wolf).with_distance(12));
    world.tick(2);
    world.world().entity_mut(player).despawn();
    world.tick_until(|world| world.app.world().get::<Flee>(npc).is_none());
    world.tick(2);
    assert_eq!(activity(&world, npc), Activity::Idle);
}

#[test]
fn walk_and_group_go_on() {
    let mut world = open_with_behaviours(60, 30);
    let group = world.world().spawn(TargetGroup).id();
    let member = world.target((50, 5));
    world.insert(member, InGroup(group));
    let bomb = Cell::new(12, 10);
    let flee = Flee::from_cell(bomb).with_distance(6);
    let walker = villager(&mut world, (10, 10), flee);
    world.insert(walker, GoTo(Cell::new(30, 25)));
    let hunter = villager(&mut world, (10, 12), flee);
    world.insert(hunter, ChasingGroup::new(group));
    world.tick(5);
    for npc in [walker, hunter] {
        assert!(world.app.world().get::<Chasing>(npc).is_none());
        assert_eq!(activity(&world, npc), Activity::Fleeing);
    }
    world.tick_until(|world| world.cell(walker) == Cell::new(30, 25));
    world.tick_until(|world| world.is_beside(hunter, member));
}

/// No behaviour and no order sends an agent elsewhere while it flees.
#[test]
fn others_leave_it_alone() {
    let mut world = open_with_behaviours(80, 40);
    let wolf = world.target((20, 20));
    world.insert(wolf, Noticeable::default());
    let player = world.target((22, 20));
    let mut threat = Threat::default();
    threat.add(player, 10);
    let flee = Flee::from_danger(wolf).for_period(Period::from_millis(5000));
    let npc = villager(&mut world, (21, 20), flee);
    let stops = [Cell::new(20, 21), Cell::new(19, 19)];
    let patrol = Patrol::new(PatrolOrder::Loop, stops);
    let guard = (
        Notice::new(30),
        Leash::new(3),
        Home(Cell::new(20, 22)),
        patrol,
        threat,
    );
    world.insert(npc, guard);
    world.insert(npc, Wander::new(3));
    for tick in 0..100 {
        if tick == 40 {
            world.insert(npc, Chasing(player));
        }
        world.tick(1);
        if tick != 40 {
            assert!(
                world.app.world().get::<Chasing>(npc).is_none(),
                "tick {tick}"
            );
        }
        assert_eq!(activity(&world, npc), Activity::Fleeing, "tick {tick}");
    }
    assert_eq!(away(&world, npc, wolf), 20);
    world.tick_until(|world| world.app.world().get::<Flee>(npc).is_none());
    assert_eq!(world.get::<Chasing>(npc).0, player);
}

#[test]
fn home_after_flight() {
    let mut world = open_with_behaviours(40, 30);
    let npc = villager(
        &mut world,
        (10, 10),
        Flee::from_cell(Cell::new(9, 10)).with_distance(7),
    );
    world.insert(npc, Home(Cell::new(10, 10)));
    world.seconds(1);
    assert_ne!(world.cell(npc), Cell::new(10, 10));
    world.tick_until(|world| world.cell(npc) == Cell::new(10, 10));
}

#[test]
fn pauses_and_large_bodies() {
    let mut world = open_with_behaviours(40, 20);
    let wolf = world.target((5, 10));
    let npc = villager(
        &mut world,
        (6, 10),
        Flee::from_danger(wolf).with_distance(8),
    );
    world.insert(npc, Paused::default());
    let ogre = villager(&mut world, (6, 8), Flee::from_danger(wolf).with_distance(8));
    let footprint = Footprint::new(3).unwrap();
    world.tune(ogre, |chaser| chaser.rules = footprint.into());
    world.insert(ogre, Body::solid(footprint));
    world.seconds(5);
    assert_eq!(world.cell(npc), Cell::new(6, 10));
    assert_eq!(activity(&world, npc), Activity::Paused);
    let area = footprint.area(world.cell(ogre));
    assert!(
        area.cells()
            .all(|cell| cell.chebyshev(world.cell(wolf)) >= 6),
        "{area:?}"
    );
    world.world().entity_mut(npc).remove::<Paused>();
    world.seconds(3);
    assert_eq!(away(&world, npc, wolf), 8);
}

/// All in reach of one field scatter, and the numbers decide how, not the order of spawning.
#[test]
fn crowd_scatters() {
    let scatter = |reversed: bool| {
        let mut world = open_with_behaviours(61, 61);
        let wolf = world.target((30, 30));
        let mut ids: Vec<u32> = (100..180).collect();
        if reversed {
            ids.reverse();
        }
        for id in ids {
            let at = (29 + (id % 3) as u16, 28 + (id % 2) as u16);
            let npc = villager(&mut world, at, Flee::from_danger(wolf));
            world.insert(npc, (AgentId(id), MoveTimer::default()));
        }
        world.seconds(6);
        let mut all = world.world().query::<(&AgentId, &CellPosition, &Chaser)>();
        let mut cells: Vec<_> = all
            .iter(world.app.world())
            .map(|it| (*it.0, it.1.cell))
            .collect();
        cells.sort_unstable();
        cells
    };
    let cells = scatter(false);
    assert_eq!(cells, scatter(true));
    let quarters = |&(_, cell): &(AgentId, Cell)| (cell.x > 30, cell.y > 30);
    let mut sides: Vec<_> = cells.iter().map(quarters).collect();
    sides.sort_unstable();
    sides.dedup();
    assert!(sides.len() >= 3, "{cells:?}");
    assert!(
        cells
            .iter()
            .all(|(_, cell)| cell.chebyshev(Cell::new(30, 30)) == 20),
        "{cells:?}"
    );
}
