//! Invariants of the crowd scenarios, checked after every tick.

use crate::checked_crowd::CheckedCrowd;
use nav::NavDiagnostics;

/// Ticks of a run: two minutes if `NAV_SOAK` is set, else ten seconds.
fn ticks() -> u32 {
    if std::env::var_os("NAV_SOAK").is_some() {
        2400
    } else {
        200
    }
}

/// Runs a crowd, and returns the steps that its chasers took.
fn steps(name: &str, chasers: u32, budget: Option<u32>) -> u64 {
    let mut crowd = CheckedCrowd::new(name, chasers, budget);
    for _ in 0..ticks() {
        crowd.tick();
    }
    let world = crowd.simulation.world_mut();
    world.resource::<NavDiagnostics>().total.steps
}

#[test]
fn solid_crowds_keep_apart() {
    for (name, chasers) in [("crowd-10k", 3000), ("crowd-100k", 2000)] {
        let steps = steps(name, chasers, None);
        assert!(steps > u64::from(chasers) * 5, "{name}: {steps}");
    }
}

#[test]
fn crowd_keeps_to_budget() {
    let steps = steps("crowd-10k", 1500, Some(4000));
    assert!(steps > 1500, "{steps}");
}
