//! Zones that are moved, split and merged while they run, and maps that are edited in all of them.

use crate::simulation::Simulation;
use bevy_ecs::prelude::*;
use nav::{AgentId, NavMap};
use nav_grid::{Cell, Edit};
use nav_judge::by_tier;
use nav_zones::{Announce, Cut, Late, LivesIn, Statement, WorldEvent, Zone, ZoneId, ZoneLayout};

/// Makes a world and runs it until all zones run and chasers cross borders.
fn running(seed: u64) -> Simulation {
    let mut world = Simulation::new(seed, seed.is_multiple_of(2), 500);
    run(&mut world, 100);
    world
}

fn run(world: &mut Simulation, ticks: u64) {
    for _ in 0..ticks {
        world.net.set(world.tick + 1, false, 1);
        world.step();
    }
}

fn announce(world: &mut Simulation, event: WorldEvent) {
    let zone = &mut world.processes[0];
    Announce(event).apply(zone.app.world_mut());
}

/// Changes the layout of all running zones, and the layout by which spare processes take zones.
fn cut(world: &mut Simulation, layout: ZoneLayout) {
    announce(world, WorldEvent::Layout(layout.clone()));
    world.layout = layout;
}

/// Runs until all agents stand, and checks the world.
fn ends_well(world: &mut Simulation, seed: u64) {
    run(world, 1200);
    let audit = world.audit();
    let all = world.players.len() + world.chasers.len();
    assert!(
        audit.is_clean() && audit.under_way == 0,
        "{audit:?}, seed {seed}"
    );
    assert_eq!(audit.agents, all, "seed {seed}");
    for (id, places) in world.places() {
        let [(zone, cell)] = places[..] else {
            panic!("{id:?} lives in {places:?}, seed {seed}");
        };
        assert_eq!(world.layout.zone_of(cell), zone, "{id:?}, seed {seed}");
    }
    assert_eq!(world.overlaps(), [], "seed {seed}");
    assert_eq!(world.uncaught(), Vec::<String>::new(), "seed {seed}");
}

fn living(world: &Simulation, zone: ZoneId) -> usize {
    let place = world.process_of(zone).expect("it runs");
    let statement = Statement::of(world.processes[place].app.world());
    statement.expect("it writes a ledger").agents.len()
}

#[test]
fn zone_moved() {
    for seed in 0..by_tier(1, 4) {
        let mut world = running(seed);
        let (before, taken) = (living(&world, ZoneId(2)), world.take_overs);
        let place = world.process_of(ZoneId(2)).expect("it runs");
        world.hand_back(place);
        // The next one takes it at once, not when a lease has run out.
        run(&mut world, 1);
        assert_eq!(world.take_overs, taken + 1, "seed {seed}");
        assert!(
            living(&world, ZoneId(2)).abs_diff(before) <= 3,
            "seed {seed}"
        );
        ends_well(&mut world, seed);
    }
}

#[test]
fn zone_split() {
    for seed in 0..by_tier(1, 4) {
        let mut world = running(seed);
        let layout = world.layout.clone();
        let (layout, new) = layout
            .split(ZoneId(3), Cut::Column(128))
            .expect("two tiles");
        cut(&mut world, layout);
        run(&mut world, 40);
        let on = |x: u16| (x..x + 64).contains(&160);
        assert!(on(128));
        let there = world.places();
        let there = there.values().flatten().filter(|&&(zone, cell)| {
            let inside = world.layout.zone_of(cell) == new;
            assert!(
                !inside || zone == new || world.tick < 140,
                "{zone:?} {cell}"
            );
            inside
        });
        assert_eq!(there.count(), living(&world, new), "seed {seed}");
        ends_well(&mut world, seed);
    }
}

#[test]
fn zones_merged() {
    for seed in 0..by_tier(1, 4) {
        let mut world = running(seed);
        let layout = world.layout.clone().merge(ZoneId(1), ZoneId(0));
        let layout = layout.expect("side by side");
        announce(&mut world, WorldEvent::Layout(layout.clone()));
        // Until the event has come, and all agents have moved over.
        run(&mut world, 60);
        assert_eq!(living(&world, ZoneId(1)), 0, "seed {seed}");
        world.layout = layout;
        let place = world.process_of(ZoneId(1)).expect("it still runs");
        world.hand_back(place);
        ends_well(&mut world, seed);
    }
}

#[test]
fn map_edited() {
    let mut world = running(7);
    let cell = Cell::new(97, 33);
    announce(
        &mut world,
        WorldEvent::Edit(0, Edit::Walkable(cell.into(), false)),
    );
    let mut edited_at: Vec<(ZoneId, u64)> = Vec::new();
    for _ in 0..30 {
        run(&mut world, 1);
        for process in &mut world.processes {
            let world = process.app.world_mut();
            let (zone, tick) = (
                world.resource::<Zone>().id(),
                world.resource::<Zone>().tick(),
            );
            let mut maps = world.query::<&NavMap>();
            let is_edited = maps.iter(world).all(|map| !map.grid().is_walkable(cell));
            if is_edited && !edited_at.iter().any(|&(edited, _)| edited == zone) {
                edited_at.push((zone, tick));
            }
        }
    }
    assert_eq!(edited_at.len(), 4);
    let first = edited_at[0].1;
    assert!(
        edited_at.iter().all(|&(_, tick)| tick == first),
        "{edited_at:?}"
    );
    // A process that takes the zone later has the edit, too.
    let place = world.process_of(ZoneId(0)).expect("it runs");
    world.kill(place);
    run(&mut world, 60);
    let place = world.process_of(ZoneId(0)).expect("it was taken over");
    let world = world.processes[place].app.world_mut();
    let mut maps = world.query::<&NavMap>();
    assert!(maps.iter(world).all(|map| !map.grid().is_walkable(cell)));
}

#[test]
fn spawned_and_despawned() {
    let mut world = running(3);
    let place = world.process_of(ZoneId(0)).expect("it runs");
    let process = world.processes[place].app.world_mut();
    let mut maps = process.query_filtered::<Entity, With<NavMap>>();
    let map = maps.single(process).expect("one map");
    let at = |x| (nav::OnMap(map), nav::CellPosition::new(x, 10));
    let gone = process.spawn((AgentId(900), at(9))).id();
    process.spawn((AgentId(901), at(11)));
    run(&mut world, 5);
    world.processes[place].app.world_mut().despawn(gone);
    run(&mut world, 5);
    // Before the next snapshot.
    world.kill(place);
    run(&mut world, 60);
    let places = world.places();
    assert!(!places.contains_key(&AgentId(900)));
    assert_eq!(places[&AgentId(901)], [(ZoneId(0), Cell::new(11, 10))]);
    assert!(world.audit().is_clean());
}

#[test]
fn bodies_at_borders() {
    let mut crossed = 0;
    for seed in 0..by_tier(1, 8) {
        let mut world = Simulation::new(seed, true, 1500);
        for tick in 0..2000 {
            run(&mut world, 1);
            assert_eq!(world.overlaps(), [], "seed {seed}, tick {tick}");
        }
        crossed += world.handed_over();
        assert_eq!(world.uncaught(), Vec::<String>::new(), "seed {seed}");
    }
    assert!(crossed > by_tier(10, 100), "{crossed}");
}

#[test]
fn targets_seen_across() {
    let mut crossed = 0;
    for seed in 0..by_tier(1, 6) {
        let mut world = Simulation::new(seed, false, 1000);
        for tick in 0..1000 {
            run(&mut world, 1);
            // While it is handed over it is nowhere for a tick, and it steps every sixth.
            let far = world.mirrors_far_off(3);
            assert!(
                tick < 5 || far.is_empty(),
                "{far:?}, seed {seed}, tick {tick}"
            );
        }
        crossed += world.handed_over();
    }
    assert!(crossed > by_tier(5, 50), "{crossed}");
}

#[test]
fn late_zone() {
    let mut world = running(1);
    let late = |world: &mut Simulation| {
        let mirrors = world.processes.iter_mut().flat_map(|process| {
            let world = process.app.world_mut();
            let mut mirrors = world.query::<(&LivesIn, Has<Late>)>();
            let mirrors = mirrors
                .iter(world)
                .map(|(&LivesIn(zone), late)| (zone, late));
            mirrors.collect::<Vec<_>>()
        });
        let mut late: Vec<ZoneId> = mirrors
            .filter_map(|(zone, late)| late.then_some(zone))
            .collect();
        late.sort_unstable();
        late.dedup();
        late
    };
    assert_eq!(late(&mut world), []);
    // The players of this zone are chased from other zones.
    let zone = ZoneId(3);
    let place = world.process_of(zone).expect("it runs");
    world.processes[place].stalled_until = world.tick + 30;
    run(&mut world, 20);
    assert_eq!(late(&mut world), [zone]);
    run(&mut world, 20);
    assert_eq!(late(&mut world), []);
    ends_well(&mut world, 1);
}

/// A soak is as many births, deaths and hand-overs as a day has.
#[test]
fn ledger_ends() {
    let mut world = running(9);
    let mut largest = 0;
    for round in 0..by_tier(60, 2_000) {
        let place = world.process_of(ZoneId(0)).expect("it runs");
        let process = world.processes[place].app.world_mut();
        let mut maps = process.query_filtered::<Entity, With<NavMap>>();
        let map = maps.single(process).expect("one map");
        for tick in 0..100 {
            let id = AgentId(1000 + round * 100 + tick);
            let place = world.process_of(ZoneId(0)).expect("it runs");
            let process = world.processes[place].app.world_mut();
            let born = (id, nav::OnMap(map), nav::CellPosition::new(9, 9));
            let born = process.spawn(born).id();
            run(&mut world, 1);
            world.processes[place].app.world_mut().despawn(born);
        }
        if round >= 20 {
            largest = largest.max(world.store.entries());
        }
        if round % 20 == 19 {
            assert!(world.audit().is_clean(), "round {round}");
        }
    }
    println!("at most {largest} entries");
    // Two a tick for a minute, and some hand-overs.
    assert!(largest < 1200 * 3, "{largest}");
    // Another process goes on from what is left, once the last death is written.
    run(&mut world, 2);
    let place = world.process_of(ZoneId(0)).expect("it runs");
    world.kill(place);
    ends_well(&mut world, 9);
}

#[test]
fn spawned_before_the_end() {
    let mut world = running(11);
    let place = world.process_of(ZoneId(0)).expect("it runs");
    let process = world.processes[place].app.world_mut();
    let mut maps = process.query_filtered::<Entity, With<NavMap>>();
    let map = maps.single(process).expect("one map");
    for id in 1000..10_000 {
        process.spawn((AgentId(id), nav::OnMap(map), nav::CellPosition::new(9, 9)));
    }
    assert!(world.close(place));
    run(&mut world, 5);
    let audit = world.audit();
    assert!(audit.is_clean(), "{audit:?}");
    let before = world.players.len() + world.chasers.len();
    assert_eq!(audit.agents, before + 9000);
}

#[test]
fn more_than_a_tick_writes() {
    let mut world = running(5);
    let place = world.process_of(ZoneId(0)).expect("it runs");
    let process = world.processes[place].app.world_mut();
    let mut maps = process.query_filtered::<Entity, With<NavMap>>();
    let map = maps.single(process).expect("one map");
    for id in 1000..10_000 {
        process.spawn((AgentId(id), nav::OnMap(map), nav::CellPosition::new(9, 9)));
    }
    let before = world.players.len() + world.chasers.len();
    run(&mut world, 1);
    let audit = world.audit();
    assert!(
        audit.is_clean(),
        "those that are not written are known to be there"
    );
    assert!(audit.agents < before + 9000, "some are not");
    run(&mut world, 3);
    let audit = world.audit();
    assert!(audit.is_clean());
    assert_eq!(audit.agents, before + 9000);
}
