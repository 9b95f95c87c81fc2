//! Calls for help.

use super::scene::{chased, guard, player};
use crate::scene::{changes, open_with_behaviours};
use bevy_ecs::prelude::*;
use nav::Paused;
use nav_behaviour::{Activity, ActivityCause, Leash, Notice};

#[test]
fn call_reaches_near_pack() {
    let mut world = open_with_behaviours(90, 20);
    let one = player(&mut world, (8, 4));
    let caller = Notice {
        calls: 12,
        ..Notice::new(6)
    };
    let pack: Vec<Entity> = [14, 26, 27, 38]
        .map(|x| guard(&mut world, (x, 4), caller))
        .into();
    let peaceful = Notice { whom: 0, ..caller };
    let peaceful = guard(&mut world, (15, 4), peaceful);
    let tied = guard(&mut world, (16, 4), caller);
    world.world().entity_mut(tied).insert(Leash::new(7));
    let stunned = guard(&mut world, (17, 4), caller);
    world.world().entity_mut(stunned).insert(Paused::default());
    let busy = guard(&mut world, (18, 4), caller);
    let other = world.target((80, 4));
    world.chase(busy, other);
    world.tick(1);
    let targets: Vec<Option<Entity>> = pack.iter().map(|&npc| chased(&world, npc)).collect();
    assert_eq!(targets, [Some(one), Some(one), None, None]);
    let called = [(Activity::Chasing, ActivityCause::Called)];
    assert_eq!(changes(&world, pack[1]), called);
    for npc in [peaceful, tied, stunned] {
        assert_eq!(chased(&world, npc), None);
    }
    assert_eq!(chased(&world, busy), Some(other));
    world.tick(5);
    assert_eq!(chased(&world, pack[2]), None, "who was called calls");
}

#[test]
fn two_calls_nearer_wins() {
    let mut world = open_with_behaviours(60, 20);
    let (left, right) = (player(&mut world, (5, 4)), player(&mut world, (45, 4)));
    let caller = Notice {
        calls: 30,
        ..Notice::new(5)
    };
    guard(&mut world, (10, 4), caller);
    guard(&mut world, (40, 4), caller);
    let called = [20, 30].map(|x| guard(&mut world, (x, 4), caller));
    world.tick(1);
    let targets = called.map(|npc| chased(&world, npc));
    assert_eq!(targets, [Some(left), Some(right)]);
}
