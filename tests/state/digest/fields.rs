//! Each field of components, behaviours and resources.

use super::{scene::busy, variants::variants};
use crate::behaviour::all::give_all_behaviours;
use bevy_ecs::{component::Mutable, prelude::*};
use nav::{
    AgentId, Body, CellPosition, Chaser, GoTo, MoveTimer, NavBudget, NavClock, NavMap, NavTimer,
    PathCursor, Paused, WorldPosition,
    extend::{AgentIds, FieldAnchor},
    go_to::WalkEnd,
    requests::{PathRequest, ReachRequest},
};
use nav_behaviour::{
    Approach, CatchUp, ChaseRecord, Confused, Flee, Formation, GiveUp, GivenUp, Home, InFormation,
    Intercept, Interrupted, KeepDistance, Leash, Memory, Notice, Noticeable, Patrol, Returning,
    Searching, StepAside, StuckWatch, Threat, ViewCone, Wander,
};
use nav_grid::{Cell, Limits, Rules, fields::FieldLimits};
use nav_tests::TestWorld;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use std::{any::type_name, fmt::Debug};

/// Checks that each change of a component changes the digest.
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
fn components() {
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

#[test]
fn path_requests() {
    let (mut world, chaser, _) = busy();
    let request = json!({
        "from": Cell::new(1, 2),
        "to": Cell::new(7, 2),
        "others": [Cell::new(9, 2)],
        "spot": { "distance": 3, "reach": "Sight" },
        "rules": Rules::default(),
        "fallback": "None",
        "limits": Limits::UNBOUNDED,
        "heuristic": "OpenGround",
        "method": "auto",
        "want": "Path",
        "since": 12,
        "stage": "Window",
    });
    let request: PathRequest = serde_json::from_value(request).unwrap();
    world.insert(chaser, request);
    check::<PathRequest>(&mut world, chaser);
    let request = json!({
        "from": Cell::new(1, 2),
        "rules": Rules::default(),
        "limits": FieldLimits::UNBOUNDED,
        "since": 12,
    });
    let request: ReachRequest = serde_json::from_value(request).unwrap();
    world.insert(chaser, request);
    check::<ReachRequest>(&mut world, chaser);
}

#[test]
fn behaviours() {
    let (mut world, chaser, _) = busy();
    give_all_behaviours(&mut world, chaser);
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
    check::<StepAside>(&mut world, chaser);
    check::<StuckWatch>(&mut world, chaser);
    check::<Intercept>(&mut world, chaser);
    check::<KeepDistance>(&mut world, chaser);
    check::<Threat>(&mut world, chaser);
    check::<Wander>(&mut world, chaser);
    check::<Flee>(&mut world, chaser);
    check::<Confused>(&mut world, chaser);
    check::<Interrupted>(&mut world, chaser);
    check::<Approach>(&mut world, chaser);
    check::<CatchUp>(&mut world, chaser);
    check::<Memory>(&mut world, chaser);
    check::<Searching>(&mut world, chaser);
    check::<ViewCone>(&mut world, chaser);
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
fn resources() {
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
    // All fields are listed, so that a new field does not compile until it is changed here.
    let budget = NavBudget::Units(1000);
    world.world().insert_resource(budget);
    assert_ne!(world.digest(), before);
}
