//! Whom agents chase and where they are.

use super::scene::busy;
use bevy_ecs::entity_disabling::Disabled;
use nav::{Chasing, NavMap, NavTimer, OnMap};
use nav_tests::TestWorld;

#[test]
fn whom_a_chaser_chases_and_where_shows() {
    let (mut world, chaser, _) = busy();
    let other = world.target((10, 3));
    let before = world.digest();
    world.chase(chaser, other);
    let switched = world.digest();
    assert_ne!(switched, before);
    world.world().entity_mut(chaser).remove::<Chasing>();
    assert!(![before, switched].contains(&world.digest()));

    // Maps that are alike are two maps. No tick has seen anybody on the one before.
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
    // Both on the copy are as both on the original.
    assert_eq!(digests[2], before);
    digests.dedup();
    assert_eq!(digests.len(), 4);
}

#[test]
fn that_a_chaser_was_put_onto_another_map_shows() {
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
    // Both are on a map like the one before, and the chaser is about to forget its way.
    assert_ne!(world.digest(), before);
    assert!(!world.cursor(chaser).path().is_empty());
}

#[test]
fn agents_that_are_disabled_show() {
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
