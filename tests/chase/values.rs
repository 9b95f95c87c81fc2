//! Invalid values: each is refused once by a message that names the agent and the field, and the
//! chase continues with the last valid value.

use bevy_ecs::prelude::*;
use nav::{
    Body, CellPosition, Chaser, OnMap, PathCursor, WorldPosition,
    extend::FieldAnchor,
    values::{ValueField, ValueRefusal},
};
use nav_grid::{Cell, Footprint};
use nav_tests::TestWorld;

const WRONG: [f32; 4] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.5];

/// Returns the refusals since the last call: agent, field and reason.
fn refused(world: &mut TestWorld) -> Vec<(Entity, ValueField, ValueRefusal)> {
    let values = world.values.drain(..);
    values
        .map(|(_, message)| (message.entity, message.field, message.reason))
        .collect()
}

fn why(length: f32) -> ValueRefusal {
    if length.is_finite() {
        ValueRefusal::Negative
    } else {
        ValueRefusal::NotFinite
    }
}

#[test]
fn position_that_is_no_number() {
    for axis in 0..3 {
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut world = TestWorld::open(20, 20);
            let target = world.target((12, 12));
            world.put_at(target, 12.25, 12.0);
            let chaser = world.chaser((2, 2), target);
            world.seconds(1);
            let before = *world.get::<CellPosition>(target);
            let mut place = [12.25, 0.0, 12.0];
            place[axis] = wrong;
            world
                .world()
                .entity_mut(target)
                .insert(WorldPosition(place));
            world.seconds(5);
            let message = (target, ValueField::WorldPosition, ValueRefusal::NotFinite);
            assert_eq!(refused(&mut world), [message], "axis {axis}: {wrong}");
            assert_eq!(*world.get::<CellPosition>(target), before);
            assert!(world.is_beside(chaser, target));
            // An equal value is no news, and the next invalid one is refused again.
            let mut other = place;
            other[(axis + 1) % 3] += 0.5;
            for (place, expected) in [(place, &[][..]), (other, &[message])] {
                let place = WorldPosition(place);
                world.world().entity_mut(target).insert(place);
                world.tick(3);
                assert_eq!(refused(&mut world), expected);
            }
            world.put_at(target, 15.0, 15.0);
            world.tick(1);
            assert_eq!(world.cell(target), Cell::new(15, 15));
        }
    }
}

#[test]
fn target_without_a_place() {
    let mut world = TestWorld::open(20, 20);
    let map = world.map;
    let nowhere = WorldPosition([f64::NAN, 0.0, 3.0]);
    let target = world.world().spawn((nowhere, OnMap(map))).id();
    let chaser = world.chaser((9, 9), target);
    world.seconds(3);
    let message = (target, ValueField::WorldPosition, ValueRefusal::NotFinite);
    assert_eq!(refused(&mut world), [message]);
    assert_eq!(world.cell(chaser), Cell::new(9, 9), "nobody is at 0,0");
    world.put_at(target, 12.0, 9.0);
    world.seconds(3);
    assert!(world.is_beside(chaser, target));
}

#[test]
fn invalid_repath_distance() {
    for wrong in WRONG {
        for good in [None, Some(3.0)] {
            let mut world = TestWorld::open(40, 40);
            let target = world.target((30, 30));
            let tuning = Chaser {
                repath_distance: good.unwrap_or(wrong),
                ..Chaser::default()
            };
            let pack: Vec<Entity> = (0..5)
                .map(|n| world.chaser_with(tuning, (16, 20 + n), target))
                .collect();
            world.tick(4);
            if good.is_some() {
                assert_eq!(refused(&mut world), []);
                for &chaser in &pack {
                    world.get_mut::<Chaser>(chaser).repath_distance = wrong;
                }
                world.tick(4);
            }
            let message = |chaser| (chaser, ValueField::RepathDistance, why(wrong));
            let messages: Vec<_> = pack.iter().copied().map(message).collect();
            assert_eq!(refused(&mut world), messages, "{wrong}");
            for &chaser in &pack {
                let in_force = world.get::<Chaser>(chaser).repath_distance;
                assert!((in_force - good.unwrap_or(0.5)).abs() < f32::EPSILON);
            }
            // The pack keeps up with its target.
            for step in 0..10 {
                world.put(target, (30 - step, 30));
                world.seconds(1);
            }
            world.seconds(6);
            assert_eq!(refused(&mut world), []);
            // A re-path distance of several cells may leave them as far away.
            let near = 1 + good.unwrap_or(0.5) as u16;
            let distance = |&chaser| world.cell(chaser).chebyshev(world.cell(target));
            assert!(pack.iter().all(|chaser| distance(chaser) <= near));
        }
    }
}

#[test]
fn anchor_keeps_valid_repath_distance() {
    for wrong in WRONG {
        let mut world = TestWorld::open(40, 40);
        let target = world.target((30, 30));
        let pack: Vec<Entity> = (0..5).map(|n| world.chaser((14, 22 + n), target)).collect();
        world.seconds(2);
        assert!(world.cursor(pack[0]).guidance().is_some());
        let before = *world.get::<FieldAnchor>(target);
        world.get_mut::<FieldAnchor>(target).repath_distance = wrong;
        world.tick(1);
        let message = (target, ValueField::AnchorRepathDistance, why(wrong));
        assert_eq!(refused(&mut world), [message]);
        let after = world.get::<FieldAnchor>(target).repath_distance;
        assert!((after - before.repath_distance).abs() < f32::EPSILON);
        world.put(target, (20, 20));
        world.seconds(8);
        assert!(pack.iter().all(|&chaser| world.is_beside(chaser, target)));
        assert_eq!(refused(&mut world), []);
    }
}

#[test]
fn rules_of_another_size() {
    let side = |side| Footprint::new(side).unwrap();
    for (rules, body, is_refused) in [(1, 3, false), (3, 3, false), (2, 3, true), (3, 1, true)] {
        let mut world = TestWorld::open(30, 30);
        let target = world.target((20, 20));
        let mut tuning = Chaser::default();
        tuning.rules.footprint = side(rules);
        let chaser = world.chaser_with(tuning, (2, 2), target);
        let footprint = side(body);
        world
            .world()
            .entity_mut(chaser)
            .insert(Body::solid(footprint));
        world.seconds(8);
        let reason = ValueRefusal::OtherThanBody {
            rules: side(rules),
            footprint,
        };
        let message = (chaser, ValueField::RulesFootprint, reason);
        let messages = if is_refused { vec![message] } else { vec![] };
        assert_eq!(refused(&mut world), messages, "{rules} with {body}");
        assert_eq!(world.get::<Chaser>(chaser).rules.footprint, footprint);
        assert!(world.get::<PathCursor>(chaser).state() == nav::ChaseState::Reached);
    }
}

#[test]
fn body_that_does_not_fit() {
    let mut world = TestWorld::new(&[
        "..........", //
        ".##.......",
        "..........",
    ]);
    let map = world.map;
    let three = Footprint::new(3).unwrap();
    let mut put = |x, y| {
        let place = (CellPosition::new(x, y), OnMap(map), Body::solid(three));
        world.world().spawn(place).id()
    };
    let (_fits, in_wall, over_edge) = (put(5, 0), put(2, 0), put(8, 0));
    let nowhere = (CellPosition::OUTSIDE, OnMap(map), Body::solid(three));
    world.world().spawn(nowhere);
    world.seconds(1);
    let message = |body, x, y| {
        let reason = ValueRefusal::DoesNotFit {
            cell: Cell::new(x, y),
            footprint: three,
        };
        (body, ValueField::BodyPlace, reason)
    };
    let mut messages = refused(&mut world);
    messages.sort_unstable_by_key(|(body, ..)| body.index_u32());
    assert_eq!(messages, [message(in_wall, 2, 0), message(over_edge, 8, 0)]);
    world.put(in_wall, (1, 0));
    world.seconds(1);
    assert_eq!(refused(&mut world), [message(in_wall, 1, 0)]);
    world.put(in_wall, (4, 0));
    world.seconds(1);
    assert_eq!(refused(&mut world), []);
}

#[test]
fn message_names_agent_and_field() {
    let mut world = TestWorld::open(9, 9);
    let target = world.target((5, 5));
    let tuning = Chaser {
        repath_distance: f32::NAN,
        ..Chaser::default()
    };
    let chaser = world.chaser_with(tuning, (2, 2), target);
    world.tick(1);
    let text = world.values[0].1.to_string();
    let expected = format!("the re-path distance of {chaser}: it is no finite number");
    assert_eq!(text, expected);
}
