//! Invariants of the crowd scenarios, checked after every tick.

use crate::checked_crowd::CheckedCrowd;
use nav::NavDiagnostics;

#[test]
fn solid_crowds_keep_apart_in_every_tick() {
    for (name, chasers) in [("crowd-10k", 3000), ("crowd-100k", 2000)] {
        let mut crowd = CheckedCrowd::new(name, chasers, None);
        for _ in 0..200 {
            crowd.tick();
        }
        let world = crowd.simulation.world_mut();
        let total = world.resource::<NavDiagnostics>().total;
        assert!(total.steps > u64::from(chasers) * 5, "{name}: {total:?}");
    }
}

#[test]
fn a_crowd_keeps_to_its_budget() {
    let mut crowd = CheckedCrowd::new("crowd-10k", 1500, Some(4000));
    for _ in 0..200 {
        crowd.tick();
    }
    let world = crowd.simulation.world_mut();
    let total = world.resource::<NavDiagnostics>().total;
    assert!(total.steps > 1500, "{total:?}");
}
