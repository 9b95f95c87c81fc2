//! The simulation: a headless Bevy app with the navigation plugin, wandering targets, and chasers.

mod app;
mod cell_set;
mod census;
mod error;
mod figures;
mod ground;
mod laps;
mod places;
mod prepare;
mod spawn;
mod wander;

use crate::{
    Progress, Recorder, Report, Scenario,
    clock::Stopwatch,
    memory,
    report::{Digest, Ends, NavState, SETS, WaysAt},
};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::{
    message::{Message, MessageCursor, Messages},
    prelude::*,
};
use nav::{
    NavBudget, NavDiagnostics, NavMap, PathFailed, PathFailure, PathFound, diagnostics::NavMemory,
};
use nav_formats::MapFile;
use nav_grid::{
    Status,
    query::{Fault, QueryEnd},
};
use std::time::Duration;

pub use app::{add_threads, clockwork};
pub use error::SimError;
pub use figures::{Figure, Role, Shown};
pub use prepare::prepare;
pub use spawn::spawn_agents;
pub use wander::{Wanderer, wander};

/// Runs `scenario` on `map`, the map that it names.
///
/// # Errors
///
/// [`SimError`] if the map has no room for the agents.
pub fn run(
    scenario: &Scenario,
    map: impl Into<MapFile>,
    progress: &mut dyn Progress,
) -> Result<Report, SimError> {
    run_with(scenario, map, progress, |_| {}, |_, _| Ok(()))
}

/// As [`run`]. `add` adds to the app before agents are spawned, and `watch` is called after each
/// tick with its number. Its time is not counted.
///
/// # Errors
///
/// As [`run`], and the error of `watch`, which ends the run.
pub fn run_with<E: From<SimError>>(
    scenario: &Scenario,
    map: impl Into<MapFile>,
    progress: &mut dyn Progress,
    add: impl FnOnce(&mut App),
    mut watch: impl FnMut(u64, &mut Simulation) -> Result<(), E>,
) -> Result<Report, E> {
    let stopwatch = Stopwatch::start();
    let mut simulation = Simulation::with(scenario, map, add)?;
    let setup = stopwatch.elapsed();
    let mut recorder = Recorder::new(scenario);
    recorder.ready(setup, simulation.rss_before);
    let ticks = scenario.ticks();
    progress.start(ticks);
    for tick in 1..=ticks {
        let stopwatch = Stopwatch::start();
        simulation.tick();
        let time = stopwatch.elapsed();
        recorder.tick(time, simulation.set_times());
        simulation.record(&mut recorder);
        if is_power_of_two_seconds(tick, scenario.hz) {
            let ways = simulation.ways(tick as f64 / f64::from(scenario.hz));
            recorder.report.ways.push(ways);
        }
        watch(tick, &mut simulation)?;
        progress.tick(tick);
    }
    progress.finish();
    recorder.report.nav = simulation.nav_state();
    // The following calls allocate memory of their own.
    recorder.memory();
    recorder.report.ends = simulation.ends();
    Ok(recorder.finish(simulation.digest()))
}

/// Returns whether 1, 2, 4, 8 and so on seconds are over. That is rare enough for a pass over all
/// chasers.
const fn is_power_of_two_seconds(tick: u64, hz: u32) -> bool {
    tick.is_multiple_of(hz as u64) && (tick / hz as u64).is_power_of_two()
}

/// A running scenario, one tick at a time.
///
/// Its course depends on the scenario and the map alone. The number of threads is global: the first
/// simulation of the process sets it, because Bevy's task pools are global.
pub struct Simulation {
    app: App,
    map: Entity,
    found: MessageCursor<PathFound>,
    failed: MessageCursor<PathFailed>,
    rss_before: Option<u64>,
}

impl Simulation {
    /// Creates a simulation before the first tick, with its agents spawned and its map prepared for
    /// their searches.
    ///
    /// # Errors
    ///
    /// As [`run`].
    pub fn new(scenario: &Scenario, map: impl Into<MapFile>) -> Result<Self, SimError> {
        Self::with(scenario, map, |_| {})
    }

    /// The same, with additions to the app.
    ///
    /// # Errors
    ///
    /// As [`run`].
    pub fn with(
        scenario: &Scenario,
        map: impl Into<MapFile>,
        add: impl FnOnce(&mut App),
    ) -> Result<Self, SimError> {
        let map = map.into();
        let places = places::places(scenario, &map.grid)?;
        let threads = scenario.threads_or_all();
        let mut simulation = Self::without_agents(scenario, map, threads, |app| {
            app.add_systems(FixedUpdate, wander.before(laps::Start));
            add(app);
        })?;
        simulation.rss_before = memory::rss_bytes();
        let map = simulation.map;
        spawn::spawn(simulation.world_mut(), scenario, map, &places);
        Ok(simulation)
    }

    /// Creates the map of a scenario without its agents. Systems that `add` adds spawn and move
    /// them, each with [`Shown`], as another process reports them.
    ///
    /// # Errors
    ///
    /// As [`run`].
    pub fn of_others(
        scenario: &Scenario,
        map: MapFile,
        add: impl FnOnce(&mut App),
    ) -> Result<Self, SimError> {
        Self::without_agents(scenario, map, 1, add)
    }

    fn without_agents(
        scenario: &Scenario,
        map: MapFile,
        threads: u32,
        add: impl FnOnce(&mut App),
    ) -> Result<Self, SimError> {
        let mut app = app::clockwork_with(scenario.hz, threads, |app| {
            laps::add(app);
            add(app);
        });
        app.insert_resource(NavBudget::from(scenario.budget));
        let map = app.world_mut().spawn(prepare(map, scenario)?).id();
        Ok(Self {
            app,
            map,
            found: MessageCursor::default(),
            failed: MessageCursor::default(),
            rss_before: None,
        })
    }

    /// Runs one tick.
    pub fn tick(&mut self) {
        self.app.update();
    }

    /// Returns the wall clock time of each set of [`SETS`] in the last tick.
    pub fn set_times(&self) -> [Duration; SETS.len()] {
        let laps = self.app.world().get_resource::<laps::Laps>();
        laps.map_or_else(Default::default, laps::Laps::times)
    }

    /// Returns the entity of the map.
    pub const fn map(&self) -> Entity {
        self.map
    }

    /// Returns the world between two ticks.
    pub fn world(&self) -> &World {
        self.app.world()
    }

    /// Returns the world between two ticks, to change.
    pub fn world_mut(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Returns the digest of the current world.
    pub fn digest(&mut self) -> Digest {
        Digest(nav::digest(self.app.world_mut()))
    }

    /// Returns the memory that the plugin keeps now. One pass over all chasers.
    pub fn nav_state(&mut self) -> NavState {
        let memory = NavMemory::of(self.app.world_mut());
        let map = self.app.world().get::<NavMap>(self.map);
        map.map_or_else(NavState::default, |map| NavState::new(memory, map))
    }

    /// Counts what chasers follow now, `seconds` after the start. One pass over all of them.
    pub fn ways(&mut self, seconds: f64) -> WaysAt {
        census::ways(self.app.world_mut(), seconds)
    }

    /// Returns all agents in drawing order. One pass over all of them.
    pub fn figures(&mut self) -> Vec<Figure> {
        figures::figures(self.app.world_mut(), self.map)
    }

    /// Counts the states of the chases now. Takes a pass over all agents, a few bytes per cell of
    /// the map, and a search around each target that has places left.
    pub fn ends(&mut self) -> Ends {
        census::ends(self.app.world_mut(), self.map)
    }

    /// Records the events of the last tick.
    pub fn record(&mut self, recorder: &mut Recorder) {
        let world = self.app.world();
        for message in read(world, &mut self.found) {
            let outcome = message.outcome;
            recorder.search(outcome.status, outcome.counters.expanded);
        }
        for message in read(world, &mut self.failed) {
            match message.reason {
                PathFailure::Search(outcome) => {
                    recorder.search(outcome.status, outcome.counters.expanded);
                }
                // Chasers and targets share a map here, so the goal is at fault.
                _ => recorder.search(Status::Invalid(QueryEnd::Goal, Fault::OutsideMap), 0),
            }
        }
        if let Some(diagnostics) = world.get_resource::<NavDiagnostics>() {
            recorder.counts(&diagnostics.last_tick);
        }
    }
}

fn read<'a, M: Message>(
    world: &'a World,
    cursor: &'a mut MessageCursor<M>,
) -> impl Iterator<Item = &'a M> {
    world
        .get_resource::<Messages<M>>()
        .map(|messages| cursor.read(messages))
        .into_iter()
        .flatten()
}
