//! Threat: the target follows the amounts, the taunts and what can be chased.

use super::scene::{TestWorld, activity, changes, open_with_behaviours, with_behaviours};
use bevy_ecs::{entity_disabling::Disabled, message::Messages, prelude::*};
use nav::{AgentId, Body, CellPosition, Chasing, GoTo, NavClock, OnMap, Period};
use nav_behaviour::{
    Activity, ActivityCause, GiveUp, GivenUp, Home, Leash, LeashFrom, Notice, Noticeable,
    Returning, Threat, ThreatSwitched,
};
use nav_grid::{Cell, Footprint};

/// Ticks in which every list is looked through: a quarter of a second, and one more.
const A_LOOK: u64 = 6;

fn chased(world: &TestWorld, npc: Entity) -> Option<Entity> {
    let chasing = world.app.world().get::<Chasing>(npc);
    chasing.map(|chasing| chasing.0)
}

/// Spawns an idle NPC with a list of targets.
fn npc(world: &mut TestWorld, at: (u16, u16), amounts: &[(Entity, u32)]) -> Entity {
    let mut threat = Threat::default();
    for &(target, amount) in amounts {
        threat.add(target, amount);
    }
    let place = (CellPosition::new(at.0, at.1), OnMap(world.map));
    let npc = (nav::Chaser::default(), place, threat);
    world.world().spawn(npc).id()
}

fn taunt(world: &mut TestWorld, npc: Entity, target: Entity, millis: u32) {
    let clock: NavClock = *world.clock();
    let period = Period::from_millis(millis);
    world.get_mut::<Threat>(npc).taunt(target, &clock, period);
}

/// Returns the switches of the last two ticks.
fn switches(world: &TestWorld) -> Vec<ThreatSwitched> {
    let messages = world.app.world().resource::<Messages<ThreatSwitched>>();
    let mut cursor = messages.get_cursor();
    cursor.read(messages).copied().collect()
}

#[test]
fn percentages_near_and_far() {
    for (other, last_kept) in [((9, 4), 110), ((20, 4), 130)] {
        let mut world = open_with_behaviours(30, 9);
        let (tank, other) = (world.target((11, 4)), world.target(other));
        let npc = npc(&mut world, (10, 4), &[(tank, 100)]);
        world.tick(1);
        assert_eq!(chased(&world, npc), Some(tank));
        world.get_mut::<Threat>(npc).add(other, last_kept);
        world.tick(A_LOOK);
        assert_eq!(chased(&world, npc), Some(tank), "at {last_kept}");
        world.get_mut::<Threat>(npc).add(other, 1);
        world.tick(1);
        assert_eq!(chased(&world, npc), Some(other), "above {last_kept}");
        let (agent, from, to) = (npc, Some(tank), other);
        let switched = ThreatSwitched { agent, from, to };
        assert_eq!(switches(&world), [switched]);
    }
}

/// From body to body: the chaser covers the columns 9 and 10.
#[test]
fn reach_of_large_bodies() {
    for (x, side, is_beside) in [
        (8, 1, true),
        (7, 1, false),
        (7, 2, true),
        (11, 1, true),
        (12, 1, false),
    ] {
        let mut world = open_with_behaviours(30, 9);
        let (tank, other) = (world.target((10, 3)), world.target((x, 4)));
        let footprint = Footprint::new(side).unwrap();
        world.insert(other, Body::solid(footprint));
        let npc = npc(&mut world, (9, 4), &[(tank, 100)]);
        world.tune(npc, |chaser| {
            chaser.rules.footprint = Footprint::new(2).unwrap();
        });
        world.tick(1);
        world.get_mut::<Threat>(npc).add(other, 120);
        world.tick(1);
        assert_eq!(chased(&world, npc) == Some(other), is_beside, "at {x}");
        assert_eq!(world.cell(npc), Cell::new(9, 4), "it moved meanwhile");
    }
}

#[test]
fn taunt_lasts() {
    let mut world = open_with_behaviours(30, 9);
    let (mage, tank) = (world.target((20, 4)), world.target((11, 4)));
    let npc = npc(&mut world, (10, 4), &[(mage, 500)]);
    world.tick(1);
    taunt(&mut world, npc, tank, 1000);
    assert_eq!(world.get::<Threat>(npc).amount_of(tank), Some(500));
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(tank));
    world.get_mut::<Threat>(npc).add(mage, 100_000);
    let ticks = world.tick_until(|world| chased(world, npc) == Some(mage));
    // Behaviours see the clock of the tick before.
    assert_eq!(ticks, 20, "after the second");
    assert_eq!(world.get::<Threat>(npc).taunter(), None);
    // With the amount of the highest the taunter is kept after a taunt.
    taunt(&mut world, npc, tank, 200);
    world.tick(30);
    assert_eq!(chased(&world, npc), Some(tank));
}

#[test]
fn equal_amounts_by_number() {
    let mut world = open_with_behaviours(30, 9);
    let players = [(20, 4), (3, 4), (10, 8)].map(|at| world.target(at));
    for (&player, id) in players.iter().zip([79, 77, 78]) {
        world.insert(player, AgentId(id));
    }
    let npc = npc(&mut world, (10, 4), &players.map(|player| (player, 7)));
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(players[1]));
}

#[test]
fn skipped_and_back() {
    type Change = fn(&mut TestWorld, Entity);
    let cases: [(&str, Change, Change); 3] = [
        (
            "disabled",
            |world, player| world.insert(player, Disabled),
            |world, player| {
                world.world().entity_mut(player).remove::<Disabled>();
            },
        ),
        (
            "on another map",
            |world, player| {
                let map = world.add_map(&["....."][..]);
                world.insert(player, (OnMap(map), CellPosition::new(1, 0)));
            },
            |world, player| {
                let map = OnMap(world.map);
                world.insert(player, (map, CellPosition::new(20, 4)));
            },
        ),
        (
            "out of leash",
            |world, player| world.put(player, (29, 4)),
            |world, player| world.put(player, (20, 4)),
        ),
    ];
    for (name, leave, come_back) in cases {
        let mut world = open_with_behaviours(30, 9);
        let (high, low) = (world.target((20, 4)), world.target((4, 4)));
        let npc = npc(&mut world, (10, 4), &[(high, 900), (low, 1)]);
        let leash = Leash {
            from: LeashFrom::Home,
            ..Leash::new(15)
        };
        world.insert(npc, (leash, Home(Cell::new(10, 4))));
        world.tick(1);
        assert_eq!(chased(&world, npc), Some(high), "{name}");
        leave(&mut world, high);
        world.tick(A_LOOK);
        assert_eq!(chased(&world, npc), Some(low), "{name}");
        assert_eq!(world.get::<Threat>(npc).amount_of(high), Some(900));
        come_back(&mut world, high);
        world.tick(A_LOOK);
        assert_eq!(chased(&world, npc), Some(high), "{name}");
    }
}

#[test]
fn despawned_leaves_at_once() {
    let mut world = open_with_behaviours(30, 9);
    let (high, low) = (world.target((20, 4)), world.target((4, 4)));
    let npc = npc(&mut world, (10, 4), &[(high, 900), (low, 1)]);
    world.tick(1);
    world.world().despawn(high);
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(low));
    assert!(world.get::<Threat>(npc).iter().eq([(low, 1)]));
    world.world().despawn(low);
    world.tick(1);
    assert_eq!(chased(&world, npc), None);
    assert!(world.get::<Threat>(npc).is_empty());
}

#[test]
fn unreachable_gives_way_to_next() {
    let mut world = with_behaviours(&[
        "..........", //
        "......###.",
        "......#.#.",
        "......###.",
        "..........",
    ]);
    let (on_rock, other) = (world.target((7, 2)), world.target((0, 0)));
    let npc = npc(&mut world, (3, 2), &[(on_rock, 900), (other, 1)]);
    let give_up = GiveUp {
        unreachable: Some(Period::from_millis(2000)),
        ignores_for: Period::from_millis(8000),
        ..GiveUp::default()
    };
    world.insert(npc, give_up);
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(on_rock));
    let ticks = world.tick_until(|world| chased(world, npc) == Some(other));
    assert!((35..=50).contains(&ticks), "after {ticks} ticks");
    let given_up = world.get::<GivenUp>(npc).targets();
    assert!(given_up.eq([*world.get::<AgentId>(on_rock)]));
    let doings = changes(&world, npc);
    let returned = doings.iter().any(|change| change.0 == Activity::Returning);
    assert!(!returned, "{doings:?}");
    // It comes back when it is no longer given up.
    let ticks = world.tick_until(|world| chased(world, npc) == Some(on_rock));
    assert!((155..=170).contains(&ticks), "after {ticks} ticks");
    // Without a next one the chase is given up, as any other.
    world.get_mut::<Threat>(npc).remove(other);
    world.seconds(10);
    assert!(changes(&world, npc).contains(&(Activity::Returning, ActivityCause::Unreachable)));
}

#[test]
fn dropped_target_ends_chase() {
    let mut world = open_with_behaviours(30, 9);
    let (high, low) = (world.target((20, 4)), world.target((4, 4)));
    let npc = npc(&mut world, (10, 4), &[(high, 900), (low, 0)]);
    world.tick(1);
    world.get_mut::<Threat>(npc).remove(high);
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(low), "another one, of any amount");
    world.get_mut::<Threat>(npc).clear();
    world.tick(1);
    assert_eq!(chased(&world, npc), None);
    assert_eq!(activity(&world, npc), Activity::Idle);
}

#[test]
fn chase_beside_the_list() {
    let mut world = open_with_behaviours(30, 9);
    let (seen, hated) = (world.target((12, 4)), world.target((20, 4)));
    world.insert(seen, Noticeable::default());
    let npc = npc(&mut world, (10, 4), &[]);
    world.insert(npc, Notice::new(5));
    world.tick(A_LOOK);
    assert_eq!(
        chased(&world, npc),
        Some(seen),
        "an empty list ends nothing"
    );
    world.get_mut::<Threat>(npc).add(hated, 0);
    world.tick(A_LOOK);
    assert_eq!(chased(&world, npc), Some(seen), "0 is not more than 0");
    world.get_mut::<Threat>(npc).add(hated, 1);
    world.tick(1);
    assert_eq!(chased(&world, npc), Some(hated));
}

#[test]
fn walk_goes_on_afterwards() {
    let mut world = open_with_behaviours(30, 9);
    let player = world.target((10, 1));
    let npc = npc(&mut world, (2, 4), &[]);
    world.insert(npc, GoTo(Cell::new(28, 4)));
    world.seconds(1);
    world.get_mut::<Threat>(npc).add(player, 5);
    world.tick(1);
    assert_eq!(switches(&world)[0].from, None);
    let causes = changes(&world, npc);
    assert!(causes.contains(&(Activity::Chasing, ActivityCause::Threatened)));
    world.seconds(4);
    world.assert_beside(npc, player);
    world.get_mut::<Threat>(npc).clear();
    world.seconds(8);
    assert_eq!(world.cell(npc), Cell::new(28, 4));
}

#[test]
fn return_is_not_interrupted() {
    for notices_on_return in [false, true] {
        let mut world = open_with_behaviours(60, 9);
        let (far, near) = (world.target((16, 4)), world.target((6, 8)));
        let npc = npc(&mut world, (4, 4), &[(far, 10)]);
        let leash = Leash {
            notices_on_return,
            ..Leash::new(12)
        };
        world.insert(npc, leash);
        world.tick(60);
        assert!(world.cell(npc).x > 10, "it follows");
        world.put(far, (40, 4));
        let is_returning = |world: &mut TestWorld| {
            let world = world.app.world();
            world.get::<Returning>(npc).is_some()
        };
        world.tick_until(is_returning);
        world.get_mut::<Threat>(npc).add(near, 10);
        world.tick(A_LOOK);
        assert_eq!(is_returning(&mut world), !notices_on_return);
        world.seconds(8);
        world.assert_beside(npc, near);
    }
}

#[test]
fn switches_in_order_of_agents() {
    let mut world = open_with_behaviours(30, 9);
    let player = world.target((20, 4));
    let mut npcs: Vec<Entity> = (0..6)
        .map(|n| npc(&mut world, (n, 4), &[(player, 1)]))
        .collect();
    for (n, &npc) in (0..).zip(&npcs) {
        world.insert(npc, AgentId(90 - n));
    }
    world.tick(1);
    npcs.reverse();
    let agents: Vec<Entity> = switches(&world).iter().map(|it| it.agent).collect();
    assert_eq!(agents, npcs);
}
