//! The targets and places of agents in the digest.

use super::scene::busy;
use bevy_ecs::entity_disabling::Disabled;
use nav::{Chasing, NavMap, NavTimer, OnMap};
use nav_tests::TestWorld;

#[test]
fn target_and_map() {
    let (mut world, chaser, _) = busy();
    let other = world.target((10, 3));
    let before = world.digest();
    world.chase(chaser, other);
    let switched = world.digest();
    assert_ne!(switched, before);
    world.world().entity_mut(chaser).remove::<Chasing>();
    assert!(![before, switched].contains(&world.digest()));

    // Two equal maps are two maps. No tick has processed an agent on the copy.
    let mut world = TestWorld::open(12, 4);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    let copy = world.get::<NavMap>(world.map).clone();
    let copy = world.world().spawn(copy).id();
    let before = world.digest();
    let mut digests = vec![before];
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(OnMap(copy));
        digests.push(world.digest());
    }
    world.world().entity_mut(chaser).remove::<OnMap>();
    digests.push(world.digest());
    // Both agents on the copy give the same digest as both on the original.
    assert_eq!(digests[2], before);
    digests.dedup();
    assert_eq!(digests.len(), 4);
}

#[test]
fn change_of_map() {
    let mut world = TestWorld::open(12, 4);
    let target = world.target((10, 2));
    let chaser = world.chaser((2, 2), target);
    world.tick(17);
    let copy = world.get::<NavMap>(world.map).clone();
    let copy = world.world().spawn(copy).id();
    let before = world.digest();
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(OnMap(copy));
    }
    // Both are on an equal map, but the chaser is about to forget its way.
    assert_ne!(world.digest(), before);
    assert!(!world.cursor(chaser).path().is_empty());
}

#[test]
fn disabled_agents() {
    let (mut world, chaser, target) = busy();
    let mut digests = vec![world.digest()];
    for agent in [chaser, target] {
        world.world().entity_mut(agent).insert(Disabled);
        digests.push(world.digest());
    }
    world
        .get_mut::<NavTimer>(chaser)
        .clone_from(&NavTimer::default());
    digests.push(world.digest());
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 4);
}
