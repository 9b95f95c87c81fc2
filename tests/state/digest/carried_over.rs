//! State beside components on which a later tick depends.

use bevy_ecs::prelude::*;
use nav::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavBudget, NavClock, NavMap, NavTimer,
    OnMap, PathCursor,
    extend::{AgentIds, FieldAnchor},
};
use nav_grid::{Limits, Method, rules::BodyPolicy};
use nav_tests::TestWorld;

/// Makes a world with the same clock, maps and components, and nothing else.
fn copy(original: &mut TestWorld) -> TestWorld {
    let mut copy = TestWorld::open(1, 1);
    let (from, to) = (original.world(), copy.app.world_mut());
    let maps: Vec<(Entity, NavMap)> = from
        .query::<(Entity, &NavMap)>()
        .iter(from)
        .map(|(entity, map)| (entity, map.clone()))
        .collect();
    let maps: Vec<(Entity, Entity)> = maps
        .into_iter()
        .map(|(entity, map)| (entity, to.spawn(map).id()))
        .collect();
    let agents: Vec<Entity> = from
        .query_filtered::<Entity, With<CellPosition>>()
        .iter(from)
        .collect();
    let mut copies: Vec<(Entity, Entity)> = Vec::new();
    let name = |names: &[(Entity, Entity)], of: Entity| {
        let pair = names.iter().find(|(original, _)| *original == of);
        pair.expect("it was copied").1
    };
    for &agent in &agents {
        fn take<C: Component + Clone>(from: EntityRef, to: &mut EntityWorldMut) {
            if let Some(component) = from.get::<C>() {
                to.insert(component.clone());
            }
        }
        let (agent, mut same) = (from.entity(agent), to.spawn_empty());
        take::<AgentId>(agent, &mut same);
        take::<CellPosition>(agent, &mut same);
        take::<PathCursor>(agent, &mut same);
        take::<NavTimer>(agent, &mut same);
        take::<MoveTimer>(agent, &mut same);
        take::<FieldAnchor>(agent, &mut same);
        take::<Body>(agent, &mut same);
        take::<Chaser>(agent, &mut same);
        if let Some(on_map) = agent.get::<OnMap>() {
            same.insert(OnMap(name(&maps, on_map.0)));
        }
        copies.push((agent.id(), same.id()));
    }
    for &(original, same) in &copies {
        if let Some(chasing) = from.get::<Chasing>(original) {
            to.entity_mut(same)
                .insert(Chasing(name(&copies, chasing.0)));
        }
    }
    to.insert_resource(*from.resource::<NavClock>());
    to.insert_resource(*from.resource::<AgentIds>());
    to.insert_resource(*from.resource::<NavBudget>());
    copy
}

#[test]
fn search_over_several_ticks() {
    let mut world = TestWorld::open(200, 200);
    world.world().insert_resource(NavBudget::Units(200));
    let target = world.target((190, 190));
    let tuning = Chaser {
        limits: Limits::UNBOUNDED,
        method: Method::Dijkstra,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(tuning, (2, 2), target);
    assert_eq!(copy(&mut world).digest(), world.digest());
    world.tick(6);
    assert!(world.searches(chaser).is_empty(), "it takes longer");
    assert_ne!(copy(&mut world).digest(), world.digest());
}

#[test]
fn fields() {
    let run = |budget: NavBudget| {
        let mut world = TestWorld::open(60, 60);
        world.world().insert_resource(budget);
        let targets: Vec<Entity> = (0..4).map(|n| world.target((10 + 10 * n, 30))).collect();
        for n in 0..24 {
            let at = (10 + n % 4 * 10, 36 + n / 4);
            world.chaser(at, targets[usize::from(n % 4)]);
        }
        world.tick(7);
        assert!(world.diagnostics().total.fields > 0);
        (copy(&mut world).digest(), world.digest())
    };
    for budget in [NavBudget::default(), NavBudget::Units(300)] {
        let (copied, original) = run(budget);
        assert_ne!(copied, original, "{budget:?}");
    }
}

#[test]
fn moves_of_avoided_bodies() {
    let run = |policy, passes: bool| {
        let mut world = TestWorld::open(8, 8);
        let target = world.target((1, 1));
        let mut tuning = Chaser::default();
        tuning.rules.bodies = policy;
        world.chaser_with(tuning, (2, 2), target);
        let map = world.map;
        let guard = (CellPosition::new(6, 6), OnMap(map), Body::default());
        let guard = world.world().spawn(guard).id();
        world.tick(3);
        // The body steps aside and back.
        for x in [7, 6] {
            if passes {
                *world.get_mut::<CellPosition>(guard) = CellPosition::new(x, 6);
            }
            world.tick(1);
        }
        world.digest()
    };
    let [avoids, ignores] = [BodyPolicy::AvoidAll, BodyPolicy::Ignore];
    assert_ne!(run(avoids, true), run(avoids, false));
    assert_eq!(run(ignores, true), run(ignores, false));
}

#[test]
fn holder_of_a_shared_cell() {
    let run = |first: u32, one_by_one: bool| {
        let mut world = TestWorld::open(8, 8);
        let map = world.map;
        // The first body in a cell holds it; of bodies that come in one tick, the one with the
        // lower number.
        for id in [first, 3 - first] {
            let place = (AgentId(id), CellPosition::new(3, 3), OnMap(map));
            world.world().spawn((place, Body::default()));
            if one_by_one {
                world.tick(1);
            }
        }
        world.tick(2 - u64::from(one_by_one) * 2);
        world.digest()
    };
    assert_ne!(run(1, true), run(2, true));
    assert_eq!(run(1, false), run(2, false));
    assert_eq!(run(1, true), run(1, false));
}
