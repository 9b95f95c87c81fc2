//! Asking for the upcoming path allocates no memory.

use bevy_ecs::{prelude::*, system::SystemState};
use heap_meter::{Meter, allocations_during};
use nav::{Chaser, Guidance, NavMap, UpcomingPath};
use nav_grid::{Limits, Rules};
use nav_tests::TestWorld;

#[global_allocator]
static METER: Meter = Meter;

/// One test alone in its process, so that no other allocates meanwhile.
#[test]
fn asking_allocates_nothing() {
    for (count, guidance) in [
        (1, Guidance::OwnPath),
        (2, Guidance::SharedField),
        (8, Guidance::FarField),
    ] {
        let mut world = TestWorld::open(200, 40);
        let map = world.map;
        world.get_mut::<NavMap>(map).build_portals(Rules::default());
        let x = if count == 2 { 18 } else { 150 };
        let target = world.target((x, 20));
        let tuning = Chaser {
            limits: Limits::UNBOUNDED,
            ..Chaser::default()
        };
        let chasers: Vec<Entity> = (0..count)
            .map(|n| world.chaser_with(tuning, (3, 5 + n), target))
            .collect();
        world.tick(2);
        assert_eq!(world.cursor(chasers[0]).guidance(), Some(guidance));
        let mut state = SystemState::<UpcomingPath>::new(world.world());
        let points = state.get(world.app.world()).expect("the plugin is there");
        let mut said = 0;
        let taken = allocations_during(|| {
            for &chaser in &chasers {
                said += points.cells(chaser, 30).count();
                said += points.corners(chaser, 30).count();
                said += usize::from(points.farthest_visible(chaser, 30).is_some());
            }
        });
        assert_eq!(taken, 0, "{guidance:?}");
        assert!(said > 12, "{guidance:?}: {said}");
    }
}
