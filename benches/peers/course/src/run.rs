//! A run of a peer over a course, and the row that it prints.

use crate::{
    Failure,
    clock::processor_time,
    grid::Cell,
    memory::peak_mib,
    meter::Meter,
    scene::{Course, Scene, TICKS},
};
use std::time::Duration;

/// A run that takes more processor time is stopped, and its row says after how many ticks. Three
/// times the simulated time: a server that needs more is of no use, and the rest of the run would
/// show nothing else.
const LONGEST_RUN: Duration = Duration::from_secs(180);

/// An app that chases.
pub trait Peer {
    /// Runs a tick, with the targets on these cells. This is what is timed.
    fn tick(&mut self, targets: &[Cell]);

    /// Pushes the cells of all chasers, in the order of [`Course::chasers`].
    fn cells(&mut self, cells: &mut Vec<Cell>);
}

/// Runs a peer on the scene that the command line names, the first one without a name, and prints
/// its row.
pub fn run<P: Peer>(
    name: &str,
    build: impl FnOnce(&Course) -> Result<P, Failure>,
) -> Result<(), Failure> {
    let scene = match std::env::args().nth(1) {
        Some(name) => Scene::named(&name)?,
        None => Scene::ALL[0],
    };
    let course = Course::new(scene);
    let started = processor_time();
    let mut peer = build(&course)?;
    let prepared = processor_time() - started;

    let mut meter = Meter::default();
    let mut cells = Vec::new();
    let mut total = Duration::ZERO;
    for (tick, targets) in course.targets.iter().enumerate() {
        let started = processor_time();
        peer.tick(targets);
        let time = processor_time() - started;
        cells.clear();
        peer.cells(&mut cells);
        if cells.len() != course.chasers.len() {
            let (found, expected) = (cells.len(), course.chasers.len());
            return Err(format!("{name} has {found} chasers instead of {expected}.").into());
        }
        meter.note(time, &course, tick, &cells);
        total += time;
        if total > LONGEST_RUN {
            break;
        }
    }
    print(name, &course, prepared, &meter)
}

fn print(name: &str, course: &Course, prepared: Duration, meter: &Meter) -> Result<(), Failure> {
    let Scene {
        chasers, targets, ..
    } = course.scene;
    let [mean, p99, longest] = meter.times();
    let ticks = match meter.ticks() {
        TICKS => String::new(),
        ticks => format!(", stopped after {ticks} ticks"),
    };
    println!(
        "| {name} | {chasers} after {targets}{ticks} | {:.0} | {mean:.3} | {p99:.3} | {longest:.2} | {:.1} % | {:.0} |",
        prepared.as_secs_f64() * 1e3,
        meter.share() * 100.0,
        peak_mib()?,
    );
    // A peer that walks through walls or jumps arrives early.
    if meter.into_walls + meter.jumps > 0 {
        eprintln!(
            "{name}: {} steps onto blocked cells, {} longer than a cell",
            meter.into_walls, meter.jumps
        );
    }
    Ok(())
}
