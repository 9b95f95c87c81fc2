//! Values that go through reflection alone.

use super::scene::{behaving, busy};
use bevy_app::App;
use bevy_ecs::{
    component::Component,
    prelude::*,
    reflect::{AppTypeRegistry, ReflectComponent, ReflectResource},
};
use bevy_reflect::{
    FromReflect, GetTypeRegistration, TypeRegistry,
    serde::{ReflectDeserializer, ReflectSerializer},
};
use nav::{
    AgentId, CellPosition, ChasedBy, Chaser, Chasing, Destination, GoTo, MoveTimer, NavClock,
    NavDiagnostics, NavMap, NavTimer, OnMap, PathAnswer, PathCursor, PathRequest, Paused,
    ReachAnswer, ReachRequest, WalkEnd, WorldPosition, internals::AgentIds,
};
use nav_behaviour::{
    Activity, Approach, CatchUp, ChaseRecord, Confused, Flee, Formation, FormationMembers, GiveUp,
    GivenUp, Home, InFormation, Intercept, Interrupted, KeepDistance, LastPlace, Leash, Memory,
    Notice, Noticeable, Patrol, ReturnEnd, Returning, Searching, StepAside, StuckWatch, Threat,
    ViewCone, Wander,
};
use serde::de::DeserializeSeed;
use std::fmt::Debug;

fn registry(app: &App) -> TypeRegistry {
    let shared = app.world().resource::<AppTypeRegistry>().read();
    let mut copy = TypeRegistry::empty();
    for registration in shared.iter() {
        copy.add_registration(registration.clone());
    }
    copy
}

#[test]
fn every_component_is_registered() {
    fn check<C: Component + GetTypeRegistration>(registry: &TypeRegistry) {
        let name = std::any::type_name::<C>();
        let registration = registry.get(std::any::TypeId::of::<C>());
        let registration = registration.unwrap_or_else(|| panic!("{name} is not registered"));
        let data = registration.data::<ReflectComponent>();
        assert!(data.is_some(), "{name} has no ReflectComponent");
    }
    let registry = registry(&busy().0.app);
    check::<AgentId>(&registry);
    check::<CellPosition>(&registry);
    check::<ChasedBy>(&registry);
    check::<Chaser>(&registry);
    check::<Chasing>(&registry);
    check::<MoveTimer>(&registry);
    check::<NavMap>(&registry);
    check::<NavTimer>(&registry);
    check::<OnMap>(&registry);
    check::<PathAnswer>(&registry);
    check::<PathCursor>(&registry);
    check::<PathRequest>(&registry);
    check::<ReachAnswer>(&registry);
    check::<ReachRequest>(&registry);
    check::<WorldPosition>(&registry);
    check::<Activity>(&registry);
    check::<ChaseRecord>(&registry);
    check::<Destination>(&registry);
    check::<Formation>(&registry);
    check::<FormationMembers>(&registry);
    check::<InFormation>(&registry);
    check::<StepAside>(&registry);
    check::<StuckWatch>(&registry);
    check::<Intercept>(&registry);
    check::<KeepDistance>(&registry);
    check::<GiveUp>(&registry);
    check::<GivenUp>(&registry);
    check::<GoTo>(&registry);
    check::<Home>(&registry);
    check::<Leash>(&registry);
    check::<Notice>(&registry);
    check::<Noticeable>(&registry);
    check::<Patrol>(&registry);
    check::<Paused>(&registry);
    check::<ReturnEnd>(&registry);
    check::<Returning>(&registry);
    check::<Threat>(&registry);
    check::<Wander>(&registry);
    check::<Flee>(&registry);
    check::<Confused>(&registry);
    check::<Interrupted>(&registry);
    check::<Approach>(&registry);
    check::<CatchUp>(&registry);
    check::<Memory>(&registry);
    check::<Searching>(&registry);
    check::<ViewCone>(&registry);
    check::<LastPlace>(&registry);
    check::<WalkEnd>(&registry);
}

#[test]
fn every_resource_is_registered() {
    fn check<R: Resource + GetTypeRegistration>(registry: &TypeRegistry) {
        let name = std::any::type_name::<R>();
        let registration = registry.get(std::any::TypeId::of::<R>());
        let data = registration.and_then(|r| r.data::<ReflectResource>());
        assert!(data.is_some(), "{name} has no ReflectResource");
    }
    let registry = registry(&busy().0.app);
    check::<AgentIds>(&registry);
    check::<NavClock>(&registry);
    check::<NavDiagnostics>(&registry);
}

fn survives_reflection<C: Component + FromReflect + PartialEq + Debug>(
    registry: &TypeRegistry,
    value: &C,
) {
    let serializer = ReflectSerializer::new(value.as_partial_reflect(), registry);
    let text = serde_json::to_string(&serializer).unwrap();
    let back = ReflectDeserializer::new(registry)
        .deserialize(&mut serde_json::Deserializer::from_str(&text))
        .unwrap();
    let back = C::from_reflect(back.as_partial_reflect());
    assert_eq!(back.as_ref(), Some(value), "through {text}");
}

#[test]
fn every_component_survives_reflection() {
    use survives_reflection as check;

    let (world, chaser, target) = busy();
    let registry = registry(&world.app);
    check(&registry, world.get::<AgentId>(chaser));
    check(&registry, world.get::<CellPosition>(target));
    check(&registry, world.get::<Chaser>(chaser));
    check(&registry, world.get::<Chasing>(chaser));
    check(&registry, world.get::<ChasedBy>(target));
    check(&registry, world.get::<MoveTimer>(chaser));
    check(&registry, world.get::<NavTimer>(chaser));
    check(&registry, world.get::<OnMap>(chaser));
    check(&registry, world.get::<PathCursor>(chaser));
    check(&registry, world.get::<WorldPosition>(target));
    check(&registry, world.get::<NavMap>(world.map));
}

#[test]
fn requests_and_answers_survive_reflection() {
    let (mut world, chaser, _) = busy();
    let registry = registry(&world.app);
    world.insert(chaser, PathRequest::new((1, 2).into(), (9, 2).into()));
    world.insert(chaser, ReachRequest::new((1, 2).into(), 3));
    survives_reflection(&registry, world.get::<PathRequest>(chaser));
    survives_reflection(&registry, world.get::<ReachRequest>(chaser));
    world.tick(2);
    survives_reflection(&registry, world.get::<PathAnswer>(chaser));
    survives_reflection(&registry, world.get::<ReachAnswer>(chaser));
}

#[test]
fn every_behaviour_survives_reflection() {
    let (world, agent) = behaving();
    let registry = registry(&world.app);
    survives_reflection(&registry, world.get::<Activity>(agent));
    survives_reflection(&registry, world.get::<ChaseRecord>(agent));
    survives_reflection(&registry, world.get::<Destination>(agent));
    survives_reflection(&registry, world.get::<Formation>(agent));
    survives_reflection(&registry, world.get::<StepAside>(agent));
    survives_reflection(&registry, world.get::<StuckWatch>(agent));
    survives_reflection(&registry, world.get::<Intercept>(agent));
    survives_reflection(&registry, world.get::<KeepDistance>(agent));
    survives_reflection(&registry, world.get::<GiveUp>(agent));
    survives_reflection(&registry, world.get::<GivenUp>(agent));
    survives_reflection(&registry, world.get::<GoTo>(agent));
    survives_reflection(&registry, world.get::<Home>(agent));
    survives_reflection(&registry, world.get::<Leash>(agent));
    survives_reflection(&registry, world.get::<Notice>(agent));
    survives_reflection(&registry, world.get::<Noticeable>(agent));
    survives_reflection(&registry, world.get::<Patrol>(agent));
    survives_reflection(&registry, world.get::<Paused>(agent));
    survives_reflection(&registry, world.get::<Returning>(agent));
    survives_reflection(&registry, world.get::<Threat>(agent));
    survives_reflection(&registry, world.get::<Wander>(agent));
    survives_reflection(&registry, world.get::<Flee>(agent));
    survives_reflection(&registry, world.get::<Confused>(agent));
    survives_reflection(&registry, world.get::<Interrupted>(agent));
    survives_reflection(&registry, world.get::<Approach>(agent));
    survives_reflection(&registry, world.get::<CatchUp>(agent));
    survives_reflection(&registry, world.get::<Memory>(agent));
    survives_reflection(&registry, world.get::<Searching>(agent));
    survives_reflection(&registry, world.get::<ViewCone>(agent));
    survives_reflection(&registry, world.get::<WalkEnd>(agent));
}
