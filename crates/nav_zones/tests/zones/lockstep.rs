//! Zones that run in step give the results of one process: digests after every tick.

use crate::{
    scenes::{Scene, State},
    seeds::seeds,
};

/// Compares a scene in zones with the same in one process. Returns the number of agents handed over.
fn compare(scene: &Scene, alone: &[State], (columns, rows): (u16, u16)) -> u64 {
    let (zones, handed_over) = scene.run_in_zones(columns, rows);
    let differs = |(alone, zones): (&State, &State)| alone.sum != zones.sum;
    if let Some(tick) = alone.iter().zip(&zones).position(differs) {
        let shown = Scene {
            is_shown: true,
            ticks: tick as u64 + 1,
            ..scene.clone()
        };
        let (alone, zones) = (shown.run_alone(), shown.run_in_zones(columns, rows).0);
        let (alone, zones) = (&alone[tick], &zones[tick]);
        for (id, state) in &alone.agents {
            let other = &zones.agents[id];
            if state != other {
                println!("{id:?}\n alone {state}\n zones {other}");
            }
        }
        panic!(
            "{columns}×{rows} zones differ after tick {tick}\n alone {:?}\n zones {:?}",
            alone.sum, zones.sum
        );
    }
    handed_over
}

#[test]
fn drawn_hordes() {
    let mut handed_over = 0;
    let seeds = seeds("NAV_ZONE", 4, 24);
    let expected = 4 * (seeds.end - seeds.start);
    for seed in seeds {
        println!("seed {seed}");
        let scene = Scene::drawn(seed);
        let alone = scene.run_alone();
        assert_eq!(compare(&scene, &alone, (1, 1)), 0);
        handed_over += compare(&scene, &alone, (2, 1));
        handed_over += compare(&scene, &alone, (2, 2));
    }
    assert!(handed_over > expected, "{handed_over} handed over");
}
