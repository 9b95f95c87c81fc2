//! Runs a crowd, disturbed or not, and times its ticks.

use super::{
    list::Cliff,
    stage::{Random, Stage},
};
use crate::scaling::scaled;
use nav_cli::Failure;
use nav_formats::MapFile;
use nav_sim::{
    Recorder, Scenario,
    clock::Stopwatch,
    maps, memory,
    percentile::Spread,
    report::{Digest, SETS, Sets},
    scenario::{MapSource, OptionsError, limits, within},
    sim::Simulation,
};
use rand::SeedableRng;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path, time::Duration};

/// The common settings of all runs of a table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Number of chasers. The map and the number of targets grow with it, as in
    /// [`scaled`].
    pub chasers: u32,
    /// Simulated time of each run, in seconds.
    pub seconds: f64,
    /// Seed of everything random: starts, targets and disturbances.
    pub seed: u64,
    /// Number of threads; `None` for as many as the machine runs at once.
    pub threads: Option<u32>,
    /// Number of times that each run is repeated, at least 1. Of each tick the shortest time
    /// counts.
    pub runs: u32,
}

impl Setting {
    /// Checks that all cliffs can run with this setting.
    ///
    /// # Errors
    ///
    /// The first value that is out of range.
    pub fn check(&self) -> Result<(), Failure> {
        // One cliff has as many targets as chasers.
        within("chasers", self.chasers, 1..=limits::TARGETS_MAX).map_err(OptionsError)?;
        for crowd in Crowd::ALL {
            crowd.scenario(self)?.check().map_err(OptionsError)?;
        }
        Ok(())
    }

    /// Returns the number of threads of all runs.
    pub(super) fn threads(&self) -> u32 {
        let threads = self.threads;
        Scenario {
            threads,
            ..Scenario::default()
        }
        .threads_or_all()
    }
}

/// A crowd that nothing disturbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowd {
    /// The scenario `crowd-100k`, with the chasers of the setting at equal density.
    Plain,
    /// The same agents on a map of [`Self::WIDE`] columns and rows.
    Wide,
    /// The same chasers with the default of [`MoveTimer`](nav::MoveTimer), so that all step in the
    /// same tick, on clutter with 42 cells for each of them.
    Game,
}

impl Crowd {
    /// All crowds.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Wide, Self::Game];

    /// The bundled scenario of all crowds.
    pub const SCENARIO: &str = "crowd-100k";

    /// Columns and rows of the wide map, whatever the number of chasers: what an index costs
    /// depends on the map. The map of the largest bundled crowd is as wide.
    pub const WIDE: u16 = 4096;

    /// Columns and rows of the map of [`Self::Game`] for the chasers of the bundled scenario. A
    /// guess: with 42 cells for each, bodies meet now and then.
    const GAME: u16 = 2048;

    /// Percentage of walls on that map, as in clutter by default.
    const PERCENT: u8 = mapgen::Kind::PERCENT_DEFAULT;

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "crowd",
            Self::Wide => "wide",
            Self::Game => "game",
        }
    }

    /// Returns a description of a few words.
    pub(super) const fn describe(self) -> &'static str {
        match self {
            Self::Plain => "undisturbed",
            Self::Wide => "undisturbed, on a map of 4096x4096 cells",
            Self::Game => "undisturbed, in clutter, all step in one tick",
        }
    }

    /// Returns the scenario.
    ///
    /// # Errors
    ///
    /// None for the bundled scenario, which exists and is valid.
    fn scenario(self, setting: &Setting) -> Result<Scenario, Failure> {
        let mut base = Scenario::named(Path::new(Self::SCENARIO))?;
        if self == Self::Game {
            base.stagger = false;
            base.map = Some(MapSource::Generated {
                kind: "clutter".to_owned(),
                percent: Some(Self::PERCENT),
                width: Self::GAME,
                height: Self::GAME,
                seed: 1,
            });
        }
        let mut scenario = Scenario {
            seconds: setting.seconds,
            seed: setting.seed,
            threads: setting.threads,
            ..scaled(&base, setting.chasers)
        };
        if let (Self::Wide, Some(MapSource::Generated { width, height, .. })) =
            (self, &mut scenario.map)
        {
            (*width, *height) = (Self::WIDE, Self::WIDE);
        }
        Ok(scenario)
    }

    /// Returns the map without disturbances.
    ///
    /// # Errors
    ///
    /// As [`maps::load`].
    pub fn map(self, setting: &Setting) -> Result<MapFile, Failure> {
        Ok(maps::load(self.scenario(setting)?.map.as_ref())?)
    }
}

/// The times of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Times of ticks.
    pub tick_ms: Spread,
    /// Times by set.
    pub sets: Sets,
    /// The longest tick.
    pub longest: LongestTick,
    /// The longest tick after the first second; `None` in a shorter run.
    pub later: Option<LongestTick>,
    /// Digest of the final state.
    pub digest: Digest,
    /// Most memory that the process held during the run, in bytes; `None` where the system does not
    /// count it. Includes what earlier runs left behind.
    pub peak_rss_bytes: Option<u64>,
}

/// The longest of some ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongestTick {
    /// Its number, from 1.
    pub tick: u64,
    /// Its time in milliseconds.
    pub ms: f64,
    /// Its time in each set of the plugin, in milliseconds.
    pub sets_ms: BTreeMap<String, f64>,
}

impl LongestTick {
    /// Replaces it if a tick took longer.
    fn count(&mut self, tick: u64, time: Duration, sets: [Duration; SETS.len()]) {
        let ms = milliseconds(time);
        if ms > self.ms {
            let sets_ms = (SETS.iter().zip(sets))
                .map(|(&(name, _), time)| (name.to_owned(), milliseconds(time)))
                .collect();
            *self = Self { tick, ms, sets_ms };
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The time of a tick, and of each set of the plugin in it.
type Times = (Duration, [Duration; SETS.len()]);

/// Runs the crowd of a cliff with its disturbance on `map`, which [`Crowd::map`] returns, and times
/// the ticks.
///
/// The time between ticks, in which the crowd is disturbed, does not count. The run is repeated as
/// the setting says.
///
/// # Errors
///
/// The map has no room for the agents.
///
/// # Panics
///
/// Repeated runs end in different states: the plugin is not deterministic.
pub fn measure(cliff: &Cliff, setting: &Setting, map: MapFile) -> Result<Run, Failure> {
    memory::forget_peak();
    let (scenario, mut ticks, digest) = run(cliff, setting, map.clone())?;
    for _ in 1..setting.runs {
        let (_, others, other) = run(cliff, setting, map.clone())?;
        assert_eq!(other, digest, "a run is the same each time");
        for (tick, other) in ticks.iter_mut().zip(others) {
            *tick = (*tick).min(other);
        }
    }
    let mut recorder = Recorder::new(&scenario);
    let mut longest = LongestTick::default();
    let mut later: Option<LongestTick> = None;
    for ((time, sets), tick) in ticks.into_iter().zip(1..) {
        recorder.tick(time, sets);
        longest.count(tick, time, sets);
        // The longest tick of most runs is the first one, in which all agents are new. What a game
        // does later would be hidden by it.
        if tick > u64::from(scenario.hz) {
            let later = later.get_or_insert_default();
            later.count(tick, time, sets);
        }
    }
    let report = recorder.finish(digest);
    Ok(Run {
        tick_ms: report.tick_ms,
        sets: report.sets,
        longest,
        later,
        digest,
        peak_rss_bytes: report.peak_rss_bytes,
    })
}

/// Runs a cliff once. Returns its scenario, the times of its ticks and the digest of its end.
fn run(
    cliff: &Cliff,
    setting: &Setting,
    map: MapFile,
) -> Result<(Scenario, Vec<Times>, Digest), Failure> {
    let (mut stage, scenario) = stage(cliff, setting, map)?;
    let mut ticks = Vec::with_capacity(scenario.ticks() as usize);
    // The loop of `run_with` with the disturbance before each tick instead of after it: chasers
    // must get their settings before the first tick, in which all of them search.
    while !stage.is_over() {
        (cliff.disturb)(&mut stage);
        let stopwatch = Stopwatch::start();
        stage.simulation.tick();
        ticks.push((stopwatch.elapsed(), stage.simulation.set_times()));
        stage.tick += 1;
    }
    Ok((scenario, ticks, stage.simulation.digest()))
}

/// Creates the run of a cliff before its first tick, and the scenario with the changes of the
/// cliff.
pub(super) fn stage(
    cliff: &Cliff,
    setting: &Setting,
    mut map: MapFile,
) -> Result<(Stage, Scenario), Failure> {
    let mut scenario = cliff.crowd.scenario(setting)?;
    (cliff.shape)(&mut scenario);
    // Inverted, because the scenario draws start cells from the seed itself, and equal draws would
    // favour those cells.
    let mut random = Random::seed_from_u64(!setting.seed);
    (cliff.lay)(&mut map.grid, &mut random);
    let simulation = Simulation::new(&scenario, map)?;
    Ok((Stage::new(simulation, random, &scenario), scenario))
}
