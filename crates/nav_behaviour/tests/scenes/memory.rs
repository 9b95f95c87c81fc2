//! Chasers that lose sight of their targets, and guards that see only what is before them.

use super::notice::scene::player;
use super::scene::{TICK_RATE, TestWorld, activity, changes, with_behaviours};
use bevy_ecs::prelude::*;
use nav::{CellPosition, Chaser, Chasing, GoTo, OnMap, Period};
use nav_behaviour::{
    Activity, ActivityCause, GivenUp, Home, LastPlace, Leash, Memory, Notice, Patrol, PatrolOrder,
    SearchEnded, Searching, SightLost, ViewCone,
};
use nav_grid::{Cell, Direction};

/// A guard that sees and remembers.
fn guard(world: &mut TestWorld, at: (u16, u16)) -> Entity {
    let place = (CellPosition::at(Cell::from(at)), OnMap(world.map));
    let notice = Notice {
        needs_sight: true,
        ..Notice::new(8)
    };
    let npc = (Chaser::default(), place, notice, Memory::default());
    world.world().spawn((npc, Home(at.into()))).id()
}

/// What the last messages said: who was lost and where, and where a search ended.
#[derive(Resource, Default)]
struct Said(Option<(Entity, Cell)>, Option<Cell>);

fn listen(world: &mut TestWorld) {
    let app = world.app.init_resource::<Said>();
    app.add_observer(|lost: On<SightLost>, mut said: ResMut<Said>| {
        said.0 = Some((lost.target, lost.cell));
    });
    app.add_observer(|ended: On<SearchEnded>, mut said: ResMut<Said>| {
        said.1 = Some(ended.cell);
    });
}

fn is_searching(world: &TestWorld, npc: Entity) -> bool {
    world.app.world().get::<Searching>(npc).is_some()
}

fn places(world: &mut TestWorld) -> Vec<Cell> {
    let mut places = world
        .world()
        .query_filtered::<&CellPosition, With<LastPlace>>();
    let world = world.app.world();
    places.iter(world).map(|place| place.cell).collect()
}

/// Two rooms; who goes through the gap is out of sight.
const CORNER: [&str; 7] = [
    "....................",
    "....................",
    "....................",
    "############.#######",
    "....................",
    "....................",
    "....................",
];

/// A guard that noticed a player which has fled through the gap, as far as `to`.
fn fled(to: (u16, u16)) -> (TestWorld, Entity, Entity) {
    let mut world = with_behaviours(&CORNER);
    let npc = guard(&mut world, (2, 1));
    world.get_mut::<Memory>(npc).follows = Period::default();
    let player = player(&mut world, (8, 1));
    world.tick(20);
    assert_eq!(world.get::<Chasing>(npc).0, player);
    world.put(player, (12, 2));
    world.tick(20);
    world.put(player, to);
    (world, npc, player)
}

#[test]
fn looks_where_it_saw_the_player_last() {
    let (mut world, npc, player) = fled((1, 6));
    listen(&mut world);
    let waits = world.tick_until(|world| is_searching(world, npc));
    assert!(waits <= 5, "at its next look, after {waits} ticks");
    let last = places(&mut world)[0];
    assert_eq!(activity(&world, npc), Activity::Searching);
    world.tick_until(|world| world.get::<Searching>(npc).looks_around());
    assert_eq!(world.cell(npc), last);
    let looks = world.tick_until(|world| !is_searching(world, npc));
    assert_eq!(looks, 4 * TICK_RATE, "four seconds");
    world.seconds(10);
    assert_eq!(world.cell(npc), Cell::new(2, 1), "home again");
    let did = [
        (Activity::Chasing, ActivityCause::Noticed),
        (Activity::Searching, ActivityCause::SightLost),
        (Activity::Returning, ActivityCause::NotFound),
        (Activity::Idle, ActivityCause::Arrived),
    ];
    assert_eq!(changes(&world, npc), did);
    assert!(places(&mut world).is_empty());
    let said = world.app.world().resource::<Said>();
    assert_eq!((said.0, said.1), (Some((player, last)), Some(last)));
    // It gave nobody up: the player is noticed again when it shows itself.
    assert!(world.app.world().get::<GivenUp>(npc).is_none());
    world.put(player, (4, 1));
    world.tick(17);
    assert_eq!(world.get::<Chasing>(npc).0, player);
}

#[test]
fn finds_the_player_again() {
    let (mut world, npc, player) = fled((1, 6));
    world.tick_until(|world| is_searching(world, npc));
    world.tick_until(|world| world.get::<Searching>(npc).looks_around());
    world.put(player, (12, 6));
    world.tick(6);
    assert!(!is_searching(&world, npc));
    assert_eq!(world.get::<Chasing>(npc).0, player);
    world.seconds(6);
    assert!(world.is_beside(npc, player));
    assert!(places(&mut world).is_empty());
}

#[test]
fn keeps_whom_it_sees() {
    let mut world = with_behaviours(&CORNER);
    let npc = guard(&mut world, (2, 1));
    let player = player(&mut world, (8, 1));
    world.tick(20);
    // Beyond the range of notice, within that of memory.
    for _ in 0..10 {
        world.put(player, (19, 0));
        world.tick(32);
        assert!(!is_searching(&world, npc));
    }
    assert!(world.is_beside(npc, player));
    // Without a memory it follows behind walls.
    let mut other = with_behaviours(&CORNER);
    let npc = guard(&mut other, (2, 1));
    other.world().entity_mut(npc).remove::<Memory>();
    let player = super::notice::scene::player(&mut other, (8, 1));
    other.tick(20);
    other.put(player, (1, 6));
    other.seconds(8);
    assert!(other.is_beside(npc, player));
}

#[test]
fn looks_around_where_no_way_leads_on() {
    let (mut world, npc, _) = fled((1, 6));
    world.edit((12, 3), false);
    world.tick_until(|world| is_searching(world, npc));
    world.tick_until(|world| world.get::<Searching>(npc).looks_around());
    assert!(world.cell(npc).y < 3);
    world.seconds(10);
    assert_eq!(world.cell(npc), Cell::new(2, 1));
}

#[test]
fn patrol_goes_on_after_search() {
    let (mut world, npc, _) = fled((1, 6));
    world.world().entity_mut(npc).remove::<Home>();
    let stops = [Cell::new(0, 0), Cell::new(6, 0)];
    world.insert(npc, Patrol::new(PatrolOrder::Loop, stops));
    world.tick_until(|world| is_searching(world, npc));
    world.tick_until(|world| !is_searching(world, npc));
    world.tick_until(|world| activity(world, npc) == Activity::Walking);
    world.tick_until(|world| world.cell(npc) == stops[0]);
    world.tick_until(|world| world.cell(npc) == stops[1]);
}

#[test]
fn orders_and_leashes_end_searches() {
    for end in 0..3 {
        let (mut world, npc, player) = fled((1, 6));
        world.tick_until(|world| is_searching(world, npc));
        match end {
            0 => world.chase(npc, player),
            1 => world.insert(npc, Leash::new(1)),
            _ => world.stop(npc),
        }
        world.tick(1);
        assert!(!is_searching(&world, npc), "{end}");
        assert!(places(&mut world).is_empty(), "{end}");
        let does = [Activity::Chasing, Activity::Returning, Activity::Walking][end];
        assert_eq!(activity(&world, npc), does);
    }
}

#[test]
fn target_that_is_gone_is_not_searched() {
    let (mut world, npc, player) = fled((1, 6));
    world.tick_until(|world| is_searching(world, npc));
    world.world().despawn(player);
    world.seconds(1);
    assert!(is_searching(&world, npc), "it does not know");
    let (mut world, npc, player) = fled((1, 6));
    world.world().despawn(player);
    world.tick(2);
    assert!(!is_searching(&world, npc));
}

#[test]
fn walks_are_not_lost() {
    let mut world = with_behaviours(&CORNER);
    let npc = guard(&mut world, (2, 1));
    world.insert(npc, GoTo(Cell::new(1, 6)));
    world.tick_until(|world| world.cell(npc) == Cell::new(1, 6));
    assert!(
        changes(&world, npc)
            .iter()
            .all(|it| it.0 != Activity::Searching)
    );
}

#[test]
fn notices_only_in_its_cone() {
    let mut world = with_behaviours(&CORNER);
    let npc = guard(&mut world, (10, 1));
    let cone = ViewCone::new(90, Direction::East);
    world.insert(npc, cone);
    world.tick(1);
    let player = player(&mut world, (5, 1));
    let chases = |world: &TestWorld| world.app.world().get::<Chasing>(npc).is_some();
    world.seconds(1);
    assert!(!chases(&world), "behind it");
    world.put(player, (11, 3));
    world.seconds(1);
    assert!(!chases(&world), "beside it");
    world.put(player, (12, 2));
    world.seconds(1);
    assert!(chases(&world));
    // A guard that steps faces where it goes.
    world.stop(npc);
    world.world().entity_mut(npc).remove::<Home>();
    world.put(player, (15, 1));
    world.put(npc, (6, 1));
    world.insert(
        npc,
        (ViewCone::new(90, Direction::East), GoTo(Cell::new(0, 1))),
    );
    world.tick(64);
    assert!(world.cell(npc).x < 6);
    assert_eq!(world.get::<ViewCone>(npc).facing, Direction::West);
    assert!(changes(&world, npc).last().unwrap().0 != Activity::Chasing);
}

#[test]
fn called_guards_need_no_view() {
    let mut world = with_behaviours(&CORNER);
    let (one, other) = (guard(&mut world, (10, 1)), guard(&mut world, (14, 1)));
    world.insert(other, ViewCone::new(90, Direction::East));
    world.get_mut::<Notice>(one).calls = 6;
    let player = player(&mut world, (5, 1));
    world.tick(17);
    assert_eq!(world.get::<Chasing>(other).0, player);
}

#[test]
fn turns_while_it_looks_around() {
    let (mut world, npc, _) = fled((1, 6));
    world.insert(npc, ViewCone::new(120, Direction::East));
    world.tick_until(|world| is_searching(world, npc));
    world.tick_until(|world| world.get::<Searching>(npc).looks_around());
    let mut faced = vec![world.get::<ViewCone>(npc).facing];
    while is_searching(&world, npc) {
        world.tick(1);
        faced.push(world.get::<ViewCone>(npc).facing);
        faced.dedup();
    }
    assert_eq!(faced.len(), 4, "{faced:?}");
}
