//! Tunings that hardly differ share fields.

use bevy_ecs::prelude::*;
use nav::{Chaser, Period};
use nav_tests::TestWorld;

/// Counts the fields made in ten seconds by a thousand chasers of eight walking targets, tuned by
/// number.
fn fields(tuning: impl Fn(u32) -> Chaser) -> u64 {
    let mut world = TestWorld::open(64, 64);
    let targets: Vec<Entity> = (0..8).map(|n| world.target((20 + n, 20 + 2 * n))).collect();
    for n in 0..1_000_u32 {
        let at = (16 + (n % 32) as u16, 16 + (n / 32) as u16);
        world.chaser_with(tuning(n), at, targets[n as usize % targets.len()]);
    }
    for tick in 0..200 {
        if tick % 20 == 0 {
            for &target in &targets {
                let at = world.cell(target);
                world.put(target, (at.x + 1, at.y));
            }
        }
        world.tick(1);
    }
    world.diagnostics().total.fields
}

#[test]
fn tiny_tuning_differences_share_fields() {
    let uniform = fields(|_| Chaser::default());
    let jittered = [
        (
            "repath_distance",
            fields(|n| Chaser {
                repath_distance: 0.5 + n as f32 * 1e-5,
                ..Chaser::default()
            }),
        ),
        (
            "interval",
            fields(|n| Chaser {
                repath_interval: Period::from_micros(500_000 + n),
                ..Chaser::default()
            }),
        ),
        (
            "expansions",
            fields(|n| {
                let mut chaser = Chaser::default();
                chaser.limits.expansions = 150 + n;
                chaser
            }),
        ),
        (
            "distance",
            fields(|n| Chaser {
                stop_distance: 1 + n as u16 % 5,
                ..Chaser::default()
            }),
        ),
    ];
    let many: Vec<String> = jittered
        .into_iter()
        .filter(|(_, fields)| fields * 10 > uniform * 12)
        .map(|(name, fields)| format!("{fields} by {name}"))
        .collect();
    assert!(
        many.is_empty(),
        "uniform {uniform} fields, {}",
        many.join(", ")
    );
}
