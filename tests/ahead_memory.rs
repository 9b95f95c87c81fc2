//! Asking for the points ahead takes no memory from the heap.

use bevy_ecs::{prelude::*, system::SystemState};
use nav::{Chaser, Guidance, NavMap, PointsAhead};
use nav_grid::{Limits, Rules};
use nav_tests::TestWorld;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call is handed to the system as it came"
)]
// SAFETY: forwards to `System` unchanged and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test alone in its process, so that nobody else allocates meanwhile.
#[test]
fn who_asks_for_points_takes_no_memory() {
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
        let mut state = SystemState::<PointsAhead>::new(world.world());
        let points = state.get(world.app.world()).expect("the plugin is there");
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let mut said = 0;
        for &chaser in &chasers {
            said += points.ahead(chaser, 30).count();
            said += points.turns_ahead(chaser, 30).count();
            said += usize::from(points.straight_ahead(chaser, 30).is_some());
        }
        assert_eq!(ALLOCATIONS.load(Ordering::Relaxed), before, "{guidance:?}");
        assert!(said > 12, "{guidance:?}: {said}");
    }
}
