//! Doors that a body leaves.

use super::scene::{guard, not_in_reach, prepare, tuned, tunings, work_of};
use bevy_ecs::prelude::*;
use nav::{Body, CellPosition};
use nav_grid::{Grid, Method, query::Fallback, rules::BodyPolicy};
use nav_tests::{TICK_RATE, TestWorld, apart::Bodies, sample};

#[test]
fn guard_leaves_door() {
    for tuning in sample(tunings(), 4) {
        let wall = Grid::from_fn(41, 31, |cell| cell.x != 20 || cell.y == 10);
        let mut bodies = Bodies::on(TestWorld::on(wall.unwrap()));
        prepare(&mut bodies.world, tuning.0);
        let sentry = guard(&mut bodies, (20, 10));
        let target = bodies.world.target((26, 10));
        let chaser = tuned(tuning.0, tuning.1);
        let pack: Vec<Entity> = (0..4)
            .map(|n| bodies.spawn(chaser, Body::default(), (12, 8 + n), target))
            .collect();
        bodies.tick(600);
        bodies.agents.retain(|&agent| agent != sentry);
        bodies.world.world().despawn(sentry);
        bodies.tick(200);
        let left = not_in_reach(&bodies.world, &pack, target);
        assert!(left.is_empty(), "{tuning:?}: {left:?} ten seconds later");
    }
}

#[test]
fn far_avoider_after_body_left() {
    for policy in [BodyPolicy::AvoidAll, BodyPolicy::AvoidNear(20)] {
        let grid = Grid::from_fn(81, 9, |cell| cell.x != 20 || cell.y == 4).unwrap();
        let mut bodies = Bodies::on(TestWorld::on(grid));
        let passer_by = guard(&mut bodies, (20, 4));
        let target = bodies.world.target((70, 4));
        let mut chaser = tuned(Method::Auto, policy);
        chaser.limits.radius = 80;
        chaser.fallback = Fallback::None;
        let chaser = bodies.spawn(chaser, Body::default(), (8, 4), target);
        // While all stand still, the chaser knows the result of another search and makes none.
        bodies.tick(100);
        let work = work_of(&mut bodies, 30);
        assert_eq!(work, (0, 0), "{policy:?}: steps and searches");
        // It waits for five seconds at most, and takes four steps a second.
        let aside = CellPosition::new(22, 1);
        *bodies.world.get_mut::<CellPosition>(passer_by) = aside;
        bodies.tick((5 + 62 / 4 + 1) * TICK_RATE);
        let left = not_in_reach(&bodies.world, &[chaser], target);
        assert!(left.is_empty(), "{policy:?}: at {left:?}");
    }
}
