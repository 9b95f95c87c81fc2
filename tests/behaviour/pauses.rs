//! Stuns: what happens while an agent is paused, and after.

use super::scene::{activity, open_with_behaviours};
use nav::{Body, CellPosition, NavClock, OnMap, Paused, Period};
use nav_behaviour::Activity;
use nav_grid::Cell;

#[test]
fn a_stunned_npc_stays_and_then_goes_where_its_target_is_now() {
    let mut world = open_with_behaviours(40, 40);
    let player = world.target((30, 4));
    let npc = world.chaser((4, 4), player);
    world.world().entity_mut(npc).insert(Activity::default());
    world.seconds(2);
    let at = world.cell(npc);
    let clock = *world.app.world().resource::<NavClock>();
    let stun = Paused::for_period(&clock, Period::from_millis(2000));
    world.world().entity_mut(npc).insert(stun);
    world.tick(1);
    assert_eq!(activity(&world, npc), Activity::Paused);
    world.put(player, (at.x, 35));
    let searches = world.searches(npc).len();
    world.tick(38);
    assert_eq!(world.cell(npc), at);
    assert_eq!(world.searches(npc).len(), searches);
    world.tick(12);
    let now = world.cell(npc);
    assert!(
        now.y > at.y && now.x == at.x,
        "went to {now} by a stale path"
    );
    assert!(world.app.world().get::<Paused>(npc).is_none());
}

#[test]
fn a_switch_of_targets_does_not_end_a_stun() {
    let mut world = open_with_behaviours(40, 9);
    let (one, other) = (world.target((30, 4)), world.target((2, 4)));
    let npc = world.chaser((15, 4), one);
    world.seconds(1);
    world.world().entity_mut(npc).insert(Paused::default());
    world.tick(1);
    let at = world.cell(npc);
    world.chase(npc, other);
    world.seconds(5);
    assert_eq!(world.cell(npc), at);
    world.world().entity_mut(npc).remove::<Paused>();
    world.seconds(1);
    assert!(world.cell(npc).x < at.x);
}

#[test]
fn a_crowd_does_not_push_a_stunned_npc_away() {
    let mut world = open_with_behaviours(20, 3);
    for x in 0..20 {
        world.edit((x, 0), false);
        world.edit((x, 2), false);
    }
    let player = world.target((18, 1));
    let stunned = world.chaser((8, 1), player);
    world.world().entity_mut(stunned).insert(Body::default());
    world.tick(2);
    world.world().entity_mut(stunned).insert(Paused::default());
    let at = world.cell(stunned);
    for x in 0..4 {
        let follower = world.chaser((x, 1), player);
        world.world().entity_mut(follower).insert(Body::default());
    }
    world.seconds(20);
    assert_eq!(world.cell(stunned), at);
    world.world().entity_mut(stunned).remove::<Paused>();
    world.seconds(10);
    assert_eq!(world.cell(stunned), Cell::new(17, 1));
}

#[test]
fn a_paused_npc_that_is_put_elsewhere_resumes_there() {
    let mut world = open_with_behaviours(30, 30);
    let player = world.target((25, 4));
    let npc = world.chaser((4, 4), player);
    world.seconds(1);
    world.world().entity_mut(npc).insert(Paused::default());
    world.tick(3);
    let place = (CellPosition::new(4, 25), OnMap(world.map));
    world.world().entity_mut(npc).insert(place);
    world.tick(3);
    world.world().entity_mut(npc).remove::<Paused>();
    world.seconds(9);
    assert!(world.is_beside(npc, player));
}
