//! Stuns: what happens during a pause, and after.

use super::scene::{activity, open_with_behaviours};
use nav::{Body, NavClock, Paused, Period};
use nav_behaviour::Activity;
use nav_grid::Cell;

#[test]
fn stun_then_current_target() {
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
fn stunned_npc_is_not_pushed() {
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
