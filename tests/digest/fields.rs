//! Each field of components, behaviours and resources.

use super::{scene::busy, variants::variants};
use bevy_ecs::{component::Mutable, prelude::*};
use nav::{
    AgentId, AgentIds, Body, CellPosition, Chaser, FieldAnchor, MoveTimer, NavBudget, NavClock,
    NavMap, NavTime, NavTimer, PathCursor, Paused, Period, WorldPosition,
    behaviour::{
        ChaseRecord, Formation, FormationShape, GiveUp, GivenUp, GoTo, Home, InFormation,
        Intercept, KeepDistance, Leash, LeashFrom, Notice, Noticeable, Patrol, PatrolOrder,
        PatrolStop, Returning, StuckWatch, WalkEnd,
    },
};
use nav_grid::{Cell, Direction};
use nav_tests::TestWorld;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use std::{any::type_name, fmt::Debug};

/// Whether each change of a component shows.
fn check<C>(world: &mut TestWorld, agent: Entity)
where
    C: Component<Mutability = Mutable> + Clone + PartialEq + Debug + Serialize + DeserializeOwned,
{
    let original = world.get::<C>(agent).clone();
    let before = world.digest();
    let value = serde_json::to_value(&original).unwrap();
    for (text, changed) in variants(&value, &original) {
        *world.get_mut::<C>(agent) = changed;
        assert_ne!(world.digest(), before, "{}: {text}", type_name::<C>());
    }
    *world.get_mut::<C>(agent) = original;
    assert_eq!(world.digest(), before);
    world.world().entity_mut(agent).remove::<C>();
    assert_ne!(world.digest(), before, "without {}", type_name::<C>());
}

#[test]
fn every_field_of_every_component_shows() {
    fn shows<C>(of: impl Fn(&(TestWorld, Entity, Entity)) -> Entity)
    where
        C: Component<Mutability = Mutable>
            + Clone
            + PartialEq
            + Debug
            + Serialize
            + DeserializeOwned,
    {
        let mut busy = busy();
        let agent = of(&busy);
        check::<C>(&mut busy.0, agent);
    }
    let (chaser, target) = (
        |busy: &(TestWorld, Entity, Entity)| busy.1,
        |busy: &(TestWorld, Entity, Entity)| busy.2,
    );
    shows::<AgentId>(chaser);
    shows::<Body>(chaser);
    shows::<CellPosition>(chaser);
    shows::<CellPosition>(target);
    shows::<Chaser>(chaser);
    shows::<FieldAnchor>(target);
    shows::<MoveTimer>(chaser);
    shows::<NavTimer>(chaser);
    shows::<PathCursor>(chaser);
    shows::<WorldPosition>(chaser);
    shows::<NavMap>(|busy| busy.0.map);
}

/// A chaser with all that behaviours read, none of it as it is by default.
fn behaving() -> (TestWorld, Entity) {
    let (mut world, chaser, _) = busy();
    let wait = Period::from_millis(300);
    let stop = PatrolStop {
        cell: Cell::new(7, 2),
        wait,
    };
    let walks = (
        GoTo(Cell::new(5, 3)),
        Home(Cell::new(4, 3)),
        Patrol::new(PatrolOrder::PingPong, [stop, stop]),
        WalkEnd,
    );
    let leash = Leash {
        from: LeashFrom::Home,
        ..Leash::new(9)
    };
    let give_up = GiveUp {
        unreachable: Some(wait),
        out_of_reach: Some(wait),
        ignores_for: wait,
    };
    let record = ChaseRecord {
        began_at: Some(Cell::new(3, 3)),
        out_of_reach_since: NavTime(11),
        failing_since: Some(NavTime(12)),
    };
    let notice = Notice {
        needs_sight: true,
        whom: 3,
        calls: 6,
        ..Notice::new(9)
    };
    let paused = Paused {
        until: Some(NavTime(13)),
    };
    let looks = (notice, Noticeable { factions: 5 }, paused);
    let given_up: GivenUp = serde_json::from_value(json!({
        "targets": [{ "id": 16, "cell": Cell::new(2, 1), "footprint": 2, "until": NavTime(17) }],
    }))
    .unwrap();
    let chases = (leash, give_up, given_up, record, Returning);
    let formation: Formation = serde_json::from_value(json!({
        "shape": FormationShape::Ring,
        "spacing": 2,
        "heading": Direction::South,
        "trail": [Cell::new(1, 1)],
    }))
    .unwrap();
    let watch: StuckWatch = serde_json::from_value(json!({
        "window": wait,
        "least_percent": 30,
        "began": [Cell::new(1, 1), Cell::new(2, 2), NavTime(14)],
        "failed": 1,
        "steps_aside": true,
    }))
    .unwrap();
    let intercept: Intercept = serde_json::from_value(json!({
        "lead": 9,
        "trail": [[Cell::new(1, 1), NavTime(15)]],
        "aim": Cell::new(3, 3),
    }))
    .unwrap();
    let squad = (formation, watch, intercept, KeepDistance { least: 3 });
    world
        .world()
        .entity_mut(chaser)
        .insert((walks, chases, looks, squad));
    (world, chaser)
}

#[test]
fn every_field_of_every_behaviour_shows() {
    let (mut world, chaser) = behaving();
    check::<GoTo>(&mut world, chaser);
    check::<Home>(&mut world, chaser);
    check::<Patrol>(&mut world, chaser);
    check::<Leash>(&mut world, chaser);
    check::<GiveUp>(&mut world, chaser);
    check::<GivenUp>(&mut world, chaser);
    check::<ChaseRecord>(&mut world, chaser);
    check::<Notice>(&mut world, chaser);
    check::<Noticeable>(&mut world, chaser);
    check::<Formation>(&mut world, chaser);
    check::<StuckWatch>(&mut world, chaser);
    check::<Intercept>(&mut world, chaser);
    check::<KeepDistance>(&mut world, chaser);
    let mut digests = vec![world.digest()];
    world.world().entity_mut(chaser).remove::<Returning>();
    digests.push(world.digest());
    world.world().entity_mut(chaser).remove::<WalkEnd>();
    digests.push(world.digest());
    let (leader, member) = (world.target((9, 3)), world.target((8, 3)));
    digests.push(world.digest());
    for leader in [leader, chaser] {
        let mut member = world.world().entity_mut(member);
        member.insert(InFormation(leader));
        digests.push(world.digest());
    }
    digests.dedup();
    assert_eq!(digests.len(), 6);
    check::<Paused>(&mut world, chaser);
}

#[test]
fn every_field_of_every_resource_shows() {
    fn shows<R>()
    where
        R: Resource<Mutability = Mutable>
            + Clone
            + PartialEq
            + Debug
            + Serialize
            + DeserializeOwned,
    {
        let (mut world, ..) = busy();
        let original = world.app.world().resource::<R>().clone();
        let before = world.digest();
        let value = serde_json::to_value(&original).unwrap();
        for (text, changed) in variants(&value, &original) {
            world.world().insert_resource(changed);
            assert_ne!(world.digest(), before, "{}: {text}", type_name::<R>());
        }
    }
    shows::<AgentIds>();
    shows::<NavClock>();
    let (mut world, ..) = busy();
    let before = world.digest();
    // In full, so that a field that is added has to be changed here.
    let budget = NavBudget {
        expansions: Some(1000),
    };
    world.world().insert_resource(budget);
    assert_ne!(world.digest(), before);
}
