//! Invariants of the crowd scenarios, checked after every tick.

mod watched;

use nav::NavDiagnostics;
use watched::Watched;

#[test]
fn solid_crowds_keep_apart_in_every_tick() {
    for (name, chasers) in [("crowd-10k", 3000), ("crowd-100k", 2000)] {
        let mut watched = Watched::new(name, chasers, None);
        for _ in 0..200 {
            watched.tick();
        }
        let world = watched.simulation.world_mut();
        let total = world.resource::<NavDiagnostics>().total;
        assert!(total.steps > u64::from(chasers) * 5, "{name}: {total:?}");
    }
}

#[test]
fn a_crowd_keeps_to_its_budget() {
    let mut watched = Watched::new("crowd-10k", 1500, Some(4000));
    for _ in 0..200 {
        watched.tick();
    }
    let world = watched.simulation.world_mut();
    let total = world.resource::<NavDiagnostics>().total;
    assert!(total.steps > 1500, "{total:?}");
}
