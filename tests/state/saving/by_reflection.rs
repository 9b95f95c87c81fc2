//! Values that go through reflection alone.

use super::scene::{behaving, busy};
use bevy_app::App;
use bevy_ecs::{
    component::Component,
    prelude::*,
    reflect::{AppTypeRegistry, ReflectComponent, ReflectResource},
};
use bevy_reflect::{
    FromReflect, GetTypeRegistration, TypeRegistration, TypeRegistry,
    serde::{ReflectDeserializer, ReflectSerializer},
};
use nav::{
    AgentId, CellPosition, ChasedBy, Chaser, Chasing, Destination, GoTo, MoveTimer, NavClock,
    NavDiagnostics, NavMap, NavTimer, OnMap, PathCursor, Paused, WorldPosition,
    extend::{AgentIds, StateComponents},
    go_to::WalkEnd,
    requests::{PathAnswer, PathRequest, ReachAnswer, ReachRequest},
};
use nav_behaviour::FormationMembers;
use nav_tests::TestWorld;
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
fn requests_and_answers_survive_reflection() {
    let (mut world, chaser, target) = busy();
    let registry = registry(&world.app);
    survives_reflection(&registry, world.get::<ChasedBy>(target));
    survives_reflection(&registry, world.get::<NavMap>(world.map));
    world.insert(chaser, PathRequest::new((1, 2).into(), (9, 2).into()));
    world.insert(chaser, ReachRequest::new((1, 2).into(), 3));
    survives_reflection(&registry, world.get::<PathRequest>(chaser));
    survives_reflection(&registry, world.get::<ReachRequest>(chaser));
    world.tick(2);
    survives_reflection(&registry, world.get::<PathAnswer>(chaser));
    survives_reflection(&registry, world.get::<ReachAnswer>(chaser));
}

/// Serializers of reflection use those of serde.
#[test]
fn every_state_component_survives() {
    let (world, agent) = behaving();
    let registry = registry(&world.app);
    let target = world.get::<Chasing>(agent).0;
    let agents = [agent, target].map(|agent| world.app.world().entity(agent));
    let mut missing = Vec::new();
    for name in world.app.world().resource::<StateComponents>().names() {
        let is_named = |one: &&TypeRegistration| {
            let path = one.type_info().type_path_table();
            path.ident() == Some(name) && path.crate_name().is_some_and(|of| of.starts_with("nav"))
        };
        let registered = registry.iter().find(is_named);
        let registered = registered.unwrap_or_else(|| panic!("{name} is not registered"));
        let component = registered.data::<ReflectComponent>();
        let component = component.unwrap_or_else(|| panic!("{name} has no ReflectComponent"));
        let Some(value) = agents.iter().find_map(|&agent| component.reflect(agent)) else {
            missing.push(name);
            continue;
        };
        let serializer = ReflectSerializer::new(value.as_partial_reflect(), &registry);
        let text = serde_json::to_string(&serializer).unwrap();
        let back = ReflectDeserializer::new(&registry)
            .deserialize(&mut serde_json::Deserializer::from_str(&text))
            .unwrap();
        let is_same = value.reflect_partial_eq(&*back);
        assert_eq!(is_same, Some(true), "{name} through {text}");
    }
    // Of hidden entities, relations that no agent has to itself, and requests, tried above.
    assert_eq!(missing, ["InFormation", "LastPlace", "ReturnEnd"]);
}
