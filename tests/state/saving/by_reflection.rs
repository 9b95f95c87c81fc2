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
    check::<Destination>(&registry);
    check::<FormationMembers>(&registry);
    check::<GoTo>(&registry);
    check::<Paused>(&registry);
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
fn walks_and_pauses_survive_reflection() {
    let (world, agent) = behaving();
    let registry = registry(&world.app);
    survives_reflection(&registry, world.get::<Destination>(agent));
    survives_reflection(&registry, world.get::<GoTo>(agent));
    survives_reflection(&registry, world.get::<Paused>(agent));
    survives_reflection(&registry, world.get::<WalkEnd>(agent));
}

/// Returns what is registered of a component of the state that `nav` or a behaviour registers.
fn registered<'a>(registry: &'a TypeRegistry, name: &str) -> &'a TypeRegistration {
    let all = registry
        .iter()
        .map(|one| (one, one.type_info().type_path_table()));
    let found = all
        .into_iter()
        .find(|(_, path)| path.crate_name() == Some("nav_behaviour") && path.ident() == Some(name));
    found
        .unwrap_or_else(|| panic!("{name} is not registered"))
        .0
}

/// Serializers of reflection use those of serde.
#[test]
fn every_behaviour_survives() {
    let (world, agent) = behaving();
    let registry = registry(&world.app);
    let agent = world.app.world().entity(agent);
    let of_nav = TestWorld::open(1, 1);
    let of_nav: Vec<&str> = of_nav
        .app
        .world()
        .resource::<StateComponents>()
        .names()
        .collect();
    let mut missing = Vec::new();
    for name in world.app.world().resource::<StateComponents>().names() {
        if of_nav.contains(&name) {
            continue;
        }
        let component = registered(&registry, name).data::<ReflectComponent>();
        let component = component.unwrap_or_else(|| panic!("{name} has no ReflectComponent"));
        let Some(value) = component.reflect(agent) else {
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
    // Of hidden entities, and a relation that no agent has to itself.
    assert_eq!(missing, ["InFormation", "LastPlace", "ReturnEnd"]);
}
