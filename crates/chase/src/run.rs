//! `chase run`: runs a scenario.

use crate::tracer::Tracer;
use nav_cli::{
    Failure, InFile, JsonArgs, OutFile,
    values::{above_zero, count, file_to_write, whole},
};
use nav_formats::MapFile;
use nav_grid::Method;
use nav_sim::{
    Progress, Report, Roads, Scenario, Silent, maps,
    methods::method_names,
    picture::{Film, Motion, Scene},
    progress,
    scenario::{MapSource, OptionsError, limits},
    sim::{self, Simulation},
};
use std::{
    io::BufWriter,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Runs a scenario and reports the results and costs of its chases
#[derive(Clone, Debug, Default, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct RunArgs {
    /// Scenario: a RON file, the name of a bundled scenario such as crowd-10k, or - for standard
    /// input; the default scenario if left out
    scenario: Option<PathBuf>,
    /// Map file, instead of the scenario's map
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Number of chasers
    #[arg(long, value_name = "N", value_parser = count(0..=limits::CHASERS_MAX))]
    chasers: Option<u32>,
    /// Number of targets
    #[arg(long, value_name = "N", value_parser = count(1..=limits::TARGETS_MAX))]
    targets: Option<u32>,
    /// Simulated time in seconds
    #[arg(long, value_name = "S", value_parser = above_zero(limits::SECONDS_MAX))]
    seconds: Option<f64>,
    /// Ticks per simulated second
    #[arg(long, value_name = "N", value_parser = whole(1..=limits::HZ_MAX))]
    hz: Option<u32>,
    /// Seed of everything random
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    /// Number of threads; as many as the machine runs at once if left out here and in the scenario
    #[arg(long, value_name = "N", value_parser = whole(1..=limits::THREADS_MAX))]
    threads: Option<u32>,
    /// Method that answers the searches of all chasers
    #[arg(long, value_name = "NAME", value_parser = method_names())]
    method: Option<Method>,
    /// Where the main roads run, by which the method trunk walks
    #[arg(long, value_name = "WHERE", value_enum)]
    roads: Option<Roads>,
    /// Expansions that all searches of a tick may take together, such as 500k
    #[arg(long, value_name = "N", value_parser = count(1..=u32::MAX))]
    budget: Option<u32>,
    #[command(flatten)]
    json: JsonArgs,
    /// Write a moving picture of the run to this file, at most 120 seconds at 20 ticks per second
    #[arg(long, value_name = "FILE", value_parser = file_to_write(".gif"))]
    gif: Option<PathBuf>,
    /// Write a trace of the run to this file, for `chase replay`
    #[arg(long, value_name = "FILE", value_parser = file_to_write(".trace"))]
    trace: Option<PathBuf>,
    /// Show neither progress nor summary
    #[arg(long)]
    quiet: bool,
}

pub(super) fn main(args: &RunArgs) -> Result<(), Failure> {
    let scenario = args.scenario()?;
    check_threads(scenario.threads_or_all())?;
    let map = maps::load(scenario.map.as_ref())?;
    let json = args.json.open()?;
    let opened = args.trace.as_deref().map(Tracer::open).transpose()?;
    let tracer = opened.as_ref();
    let report = match &args.gif {
        None => traced(&scenario, map, tracer, args.progress().as_mut(), |_, _| {
            Ok(())
        })?,
        Some(path) => filmed(&scenario, map, path, tracer, args.progress().as_mut())?,
    };
    if args.quiet {
        json.write(&report)
    } else {
        json.report(&report, report.summary())
    }
}

/// More threads than this are begun once before the run, to see that the system gives them. A
/// guess: each system gives as many.
const THREADS_FEW: u32 = 64;

/// Checks that the system gives as many threads. The pools of the engine panic without.
fn check_threads(threads: u32) -> Result<(), String> {
    if threads <= THREADS_FEW {
        return Ok(());
    }
    let done = Arc::new(AtomicBool::new(false));
    let mut begun = Vec::new();
    let refused = (0..threads).find_map(|_| {
        let done = Arc::clone(&done);
        let spawned = thread::Builder::new().spawn(move || {
            while !done.load(Ordering::Acquire) {
                thread::park();
            }
        });
        spawned.map(|thread| begun.push(thread)).err()
    });
    done.store(true, Ordering::Release);
    let given = begun.len() as u32;
    for thread in begun {
        thread.thread().unpark();
        // It has nothing to panic about.
        let _ = thread.join();
    }
    match refused {
        None => Ok(()),
        Some(why) => Err(format!(
            "{threads} threads: the system gives no more than {given}: {why}"
        )),
    }
}

/// Runs a scenario, records a trace if requested, and calls `watch` after each tick.
fn traced(
    scenario: &Scenario,
    map: MapFile,
    tracer: Option<&Tracer>,
    progress: &mut dyn Progress,
    mut watch: impl FnMut(u64, &mut Simulation) -> Result<(), Failure>,
) -> Result<Report, Failure> {
    let mut started = Ok(());
    let ticks = scenario.ticks();
    let report = sim::run_with(
        scenario,
        map,
        progress,
        |app| {
            if let Some(tracer) = tracer {
                started = tracer.start(app);
            }
        },
        |tick, simulation| {
            watch(tick, simulation)?;
            match tracer {
                Some(tracer) if tick == ticks => tracer.finish(simulation),
                _ => Ok(()),
            }
        },
    );
    started.and(report)
}

/// Runs a scenario and writes a film of it.
fn filmed(
    scenario: &Scenario,
    map: MapFile,
    path: &Path,
    tracer: Option<&Tracer>,
    progress: &mut dyn Progress,
) -> Result<Report, Failure> {
    let scene = Scene::new(&map.grid)?;
    let file = OutFile::create(path)?;
    let out = BufWriter::new(file.handle()?);
    let mut film = Film::new(out, scene, scenario.ticks(), scenario.hz).in_file(path)?;
    let mut motion = Motion::of(scenario);
    let mut placed = Vec::new();
    let report = traced(scenario, map, tracer, progress, |tick, simulation| {
        motion.place(tick, &simulation.figures(), &mut placed);
        if film.shows(tick) {
            film.add(&placed).in_file(path)?;
        }
        Ok(())
    })?;
    film.finish().in_file(path)?;
    file.finish()?;
    Ok(report)
}

impl RunArgs {
    /// Returns the scenario of the file, or the default one, with its fields replaced by options.
    fn scenario(&self) -> Result<Scenario, Failure> {
        let base = match &self.scenario {
            Some(name) => Scenario::named(name)?,
            None => Scenario::default(),
        };
        let scenario = Scenario {
            map: self.map.clone().map(MapSource::File).or(base.map),
            chasers: self.chasers.unwrap_or(base.chasers),
            targets: self.targets.unwrap_or(base.targets),
            seconds: self.seconds.unwrap_or(base.seconds),
            hz: self.hz.unwrap_or(base.hz),
            seed: self.seed.unwrap_or(base.seed),
            threads: self.threads.or(base.threads),
            method: self.method.unwrap_or(base.method),
            roads: self.roads.unwrap_or(base.roads),
            budget: self.budget.or(base.budget),
            ..base
        };
        scenario.check().map_err(OptionsError)?;
        Ok(scenario)
    }

    fn progress(&self) -> Box<dyn Progress> {
        if self.quiet {
            Box::new(Silent)
        } else {
            progress::on_terminal()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_replace_fields() {
        let args = RunArgs {
            map: Some("a.map".into()),
            chasers: Some(5),
            seconds: Some(1.5),
            threads: Some(3),
            method: Some(Method::Sweep),
            roads: Some(Roads::None),
            budget: Some(500),
            ..RunArgs::default()
        };
        let expected = Scenario {
            map: Some(MapSource::File("a.map".into())),
            chasers: 5,
            seconds: 1.5,
            threads: Some(3),
            method: Method::Sweep,
            roads: Roads::None,
            budget: Some(500),
            ..Scenario::default()
        };
        assert_eq!(args.scenario().unwrap(), expected);
    }

    #[test]
    fn options_are_checked() {
        let args = RunArgs {
            targets: Some(0),
            ..RunArgs::default()
        };
        assert_eq!(
            args.scenario().unwrap_err().to_string(),
            "command line: targets must be 1 to 1000000, not 0"
        );
    }
}
