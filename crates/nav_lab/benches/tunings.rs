//! The cost of tuning every chaser a little differently: the scenario `plain-10k` as it is, and
//! with intervals and re-path distances that differ in the last digit from chaser to chaser.

mod common;

use common::Length;
use nav::{Chaser, NavDiagnostics};
use nav_sim::{Scenario, clock::Stopwatch, maps, sim::Simulation};
use std::path::Path;

/// Timed ticks in each of the rounds, and with `--test` the few that show that it runs.
const TICKS: usize = 400;
const TICKS_OF_A_TEST: usize = 40;
const ROUNDS: usize = 40;

fn main() {
    let Length {
        ticks,
        rounds,
        is_test,
    } = Length::asked_for(TICKS, ROUNDS, TICKS_OF_A_TEST);
    // In turns, and the quietest round of each, because machines drift.
    let [mut uniform, mut jittered] = [Run::NONE; 2];
    for _ in 0..rounds {
        uniform = uniform.or_quieter(Run::of(ticks, |_, _| {}));
        jittered = jittered.or_quieter(Run::of(ticks, jitter));
    }
    println!("{ticks} ticks of plain-10k, the quietest of {rounds} rounds");
    println!("{:<10} {:>9} {:>9}", "", "mean ms", "fields");
    for (name, run) in [("uniform", uniform), ("jittered", jittered)] {
        println!("{name:<10} {:>9.3} {:>9}", run.mean, run.fields);
    }
    let ratio = jittered.mean / uniform.mean;
    println!("ratio of means {ratio:.2}");
    assert!(
        jittered.fields * 5 <= uniform.fields * 6,
        "fields are not shared"
    );
    if !is_test {
        assert!(
            ratio <= 1.2,
            "tunings that differ cost {ratio:.2} times as much"
        );
    }
}

/// Changes the last digit of a tuning.
fn jitter(number: u32, chaser: &mut Chaser) {
    chaser.repath_interval.micros += number;
    chaser.repath_distance += number as f32 / 1_000_000.0;
}

#[derive(Clone, Copy)]
struct Run {
    /// Milliseconds.
    mean: f64,
    fields: u64,
}

impl Run {
    const NONE: Self = Self {
        mean: f64::INFINITY,
        fields: 0,
    };

    fn of(ticks: usize, tune: impl Fn(u32, &mut Chaser)) -> Self {
        let scenario = Scenario::named(Path::new("plain-10k"))
            .expect("a scenario that is part of the program");
        let map = maps::load(scenario.map.as_ref()).expect("a map that can be made");
        let mut simulation = Simulation::new(&scenario, map).expect("room for all agents");
        let world = simulation.world_mut();
        let mut chasers = world.query::<&mut Chaser>();
        for (number, mut chaser) in (0..).zip(chasers.iter_mut(world)) {
            tune(number, &mut chaser);
        }
        let stopwatch = Stopwatch::start();
        for _ in 0..ticks {
            simulation.tick();
        }
        let time = stopwatch.elapsed();
        let diagnostics = simulation.world_mut().resource::<NavDiagnostics>();
        Self {
            mean: time.as_secs_f64() * 1000.0 / ticks as f64,
            fields: diagnostics.total.fields,
        }
    }

    fn or_quieter(self, other: Self) -> Self {
        if other.mean < self.mean { other } else { self }
    }
}
