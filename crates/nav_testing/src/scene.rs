//! A scene: a world on drawn maps, and how to look at it.

use crate::{
    drawing::{Drawing, Drawn, TARGET},
    selectors::{Agents, Cells, Names},
};
use bevy_app::{App, PluginsState, TaskPoolPlugin};
use bevy_ecs::{
    component::Mutable, message::MessageCursor, prelude::*, schedule::SingleThreadedExecutor,
};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::{
    CellPosition, Chaser, Chasing, NavClock, NavDiagnostics, NavMap, NavPlugin, OnMap, PathBroken,
    PathCursor, PathFailed, PathFound, TargetReached, maps::EditRefused, values::ValueRefused,
};
use nav_grid::{Cell, Grid};
use std::fmt::Display;

/// An app with the plugin, a drawn map with agents on it, and all messages of the plugin so far.
///
/// It prints as a picture with a legend, as a failing assertion does.
pub struct Scene {
    /// The app itself, for everything beyond the harness.
    pub app: App,
    /// The map.
    pub map: Entity,
    /// New paths, each with its tick; ticks count from 1.
    pub found: Vec<(u64, PathFound)>,
    /// Failures, each with its tick.
    pub failed: Vec<(u64, PathFailed)>,
    /// Arrivals, each with its tick.
    pub reached: Vec<(u64, TargetReached)>,
    /// Paths that edits broke, each with its tick.
    pub broken: Vec<(u64, PathBroken)>,
    /// Refused edits, each with its tick.
    pub refused: Vec<(u64, EditRefused)>,
    /// Refused values, each with its tick.
    pub values: Vec<(u64, ValueRefused)>,
    /// Whether [`tick`](Scene::tick) judges the steps of chasers; true by default.
    ///
    /// Set it to false where systems of the game move chasers or targets while the plugin runs or
    /// after it: the judge only compares the places before and after a tick. A judge in the
    /// schedule would add systems in an open order to those of the game, and so change what is
    /// tested.
    pub judges_steps: bool,
    pub(super) names: Names,
    pub(super) cursors: Cursors,
}

/// A cursor for each message. Messages are read and left in place, for the game.
type Cursors = (
    MessageCursor<PathFound>,
    MessageCursor<PathFailed>,
    MessageCursor<TargetReached>,
    MessageCursor<PathBroken>,
    MessageCursor<EditRefused>,
    MessageCursor<ValueRefused>,
);

/// Ticks per second of simulated time.
pub const TICK_RATE: u64 = 20;

/// Ticks from one step of a chaser to the next by default.
pub const STEP_TICKS: u64 = 5;

/// Ticks between two searches of one chaser by default.
pub const REPATH_TICKS: u64 = 10;

/// An app for a scene, to which a test adds its game's plugins.
///
/// Time is by hand: every update is one fixed step of 50 ms, [`TICK_RATE`] of them a second. There
/// is no [`NavPlugin`] yet.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        .insert_resource(Time::<Fixed>::from_hz(TICK_RATE as f64))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Returns the map of a drawing, without the agents.
///
/// # Panics
///
/// When the drawing is wrong.
#[track_caller]
pub fn draw(rows: impl Into<Drawing>) -> Grid {
    or_panic(rows.into().0).grid
}

/// Runs all schedules that an app has so far on one thread, without any task pool.
pub fn run_on_one_thread(app: &mut App) {
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// Returns a value, or panics with an error at the line of the test.
#[track_caller]
pub(super) fn or_panic<T>(checked: Result<T, impl Display>) -> T {
    match checked {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

/// Returns the only one of several agents or cells.
#[track_caller]
fn only<T: Copy>(all: &[T], what: &str) -> T {
    let [one] = *all else {
        let count = all.len();
        panic!("{count} {what} are meant here, and it must be one: take one of Scene::{what}");
    };
    one
}

impl Scene {
    /// Makes a scene from a [`Drawing`], in an app that has only the plugin and ticks 20 times a
    /// second.
    ///
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn new(rows: &[impl AsRef<str>]) -> Self {
        Self::with_app(app(), rows)
    }

    /// Makes a scene on open ground, without agents.
    ///
    /// # Panics
    ///
    /// When a side is 0 or too large.
    #[track_caller]
    pub fn open(width: u16, height: u16) -> Self {
        let grid = Grid::open(width, height)
            .map_err(|error| format!("{width} columns and {height} rows are no map: {error}"));
        Self::on(or_panic(grid))
    }

    /// Makes a scene on a map that was made elsewhere, without agents.
    pub fn on(grid: Grid) -> Self {
        Self::with_app(app(), grid)
    }

    /// Makes a scene in an app with the plugins, systems and settings of a game.
    ///
    /// Adds [`NavPlugin`] and [`TimePlugin`] where they are missing. Sets time so that an update is
    /// one timestep of [`Time<Fixed>`](Fixed): 1/64 s unless the app has another one, and 50 ms in
    /// that of [`app`]. Schedules run on one thread, unless the app has a [`TaskPoolPlugin`]:
    /// passing systems between threads takes longer than the systems of a scene do.
    ///
    /// Runs one update, in which no time passes, for what the game does at startup. Then it spawns
    /// the map and its agents.
    ///
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn with_app(mut app: App, drawing: impl Into<Drawing>) -> Self {
        let drawn = or_panic(drawing.into().0);
        if !app.is_plugin_added::<TimePlugin>() {
            app.add_plugins(TimePlugin);
        }
        if !app.is_plugin_added::<NavPlugin>() {
            app.add_plugins(NavPlugin::default());
        }
        app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
        if app.plugins_state() == PluginsState::Ready {
            app.finish();
            app.cleanup();
        }
        let has_threads = app.is_plugin_added::<TaskPoolPlugin>();
        if !has_threads {
            run_on_one_thread(&mut app);
        }
        app.update();
        if !has_threads {
            // Again, for schedules that the first update made.
            run_on_one_thread(&mut app);
        }
        let mut scene = Self {
            app,
            map: Entity::PLACEHOLDER,
            found: Vec::new(),
            failed: Vec::new(),
            reached: Vec::new(),
            broken: Vec::new(),
            refused: Vec::new(),
            values: Vec::new(),
            judges_steps: true,
            names: Names::default(),
            cursors: Cursors::default(),
        };
        scene.map = scene.spawn(drawn);
        scene
    }

    /// Spawns one more map with its agents. A letter that other maps have, too, stands for the
    /// agents or cells of all of them.
    ///
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn add_map(&mut self, drawing: impl Into<Drawing>) -> Entity {
        self.spawn(or_panic(drawing.into().0))
    }

    fn spawn(&mut self, drawn: Drawn) -> Entity {
        let world = self.app.world_mut();
        let map = world.spawn(NavMap::new(drawn.grid)).id();
        let agents = drawn.agents.into_iter().map(|(letter, cell)| {
            let agent = world.spawn((CellPosition::at(cell), OnMap(map))).id();
            (letter, cell, agent)
        });
        let agents: Vec<(char, Cell, Entity)> = agents.collect();
        for &(letter, from, agent) in &agents {
            self.names.agents.entry(letter).or_default().push(agent);
            if letter == TARGET || letter.is_ascii_digit() {
                continue;
            }
            let mut chaser = world.entity_mut(agent);
            chaser.insert(Chaser::default());
            let targets = agents.iter().filter(|(letter, ..)| *letter == TARGET);
            let nearest =
                targets.min_by_key(|(_, at, _)| (at.floor != from.floor, at.chebyshev(from)));
            if let Some(&(.., target)) = nearest {
                chaser.insert(Chasing(target));
            }
        }
        for (letter, cell) in drawn.markers {
            self.names.cells.entry(letter).or_default().push(cell);
        }
        map
    }

    /// The ECS world.
    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// The grid of the map.
    ///
    /// # Panics
    ///
    /// When the map is gone.
    #[track_caller]
    pub fn grid(&self) -> &Grid {
        self.get::<NavMap>(self.map).grid()
    }

    /// Returns all agents that are meant: of a letter, in reading order.
    ///
    /// # Panics
    ///
    /// When there is no agent with the letter.
    #[track_caller]
    pub fn agents(&self, agents: impl Agents) -> Vec<Entity> {
        or_panic(agents.find_agents(&self.names))
    }

    /// Returns the one agent that is meant.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn agent(&self, agent: impl Agents) -> Entity {
        only(&self.agents(agent), "agents")
    }

    /// Returns all cells that are meant: of a letter, in reading order, or under agents.
    ///
    /// # Panics
    ///
    /// When there is no cell or no agent with the letter, or an agent has no place.
    #[track_caller]
    pub fn cells(&self, cells: impl Cells) -> Vec<Cell> {
        or_panic(cells.find_cells(&self.names, self.app.world()))
    }

    /// Returns the one cell that is meant: of a letter, or under an agent.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn cell(&self, cell: impl Cells) -> Cell {
        only(&self.cells(cell), "cells")
    }

    /// The name of an agent in messages: its letter, or else its entity.
    pub fn name_of(&self, agent: Entity) -> String {
        let letter = self.names.letter(agent);
        letter.map_or_else(|| agent.to_string(), String::from)
    }

    /// Returns a component of an agent, or of any entity.
    ///
    /// # Panics
    ///
    /// When it has none, or not exactly one agent is meant.
    #[track_caller]
    pub fn get<C: Component>(&self, agent: impl Agents) -> &C {
        let agent = self.agent(agent);
        or_panic(self.app.world().get(agent).ok_or_else(|| {
            let (name, component) = (self.name_of(agent), std::any::type_name::<C>());
            format!("{name} has no {component}")
        }))
    }

    /// Returns a component of an agent, or of any entity, to change.
    ///
    /// # Panics
    ///
    /// When it has none, or not exactly one agent is meant.
    #[track_caller]
    pub fn get_mut<C: Component<Mutability = Mutable>>(
        &mut self,
        agent: impl Agents,
    ) -> Mut<'_, C> {
        let agent = self.agent(agent);
        // Panics at the line of the test if there is none.
        self.get::<C>(agent);
        let component = self.world().get_mut(agent);
        component.expect("it was found")
    }

    /// The path and the state of a chaser.
    ///
    /// # Panics
    ///
    /// When it is no chaser, or not exactly one agent is meant.
    #[track_caller]
    pub fn cursor(&self, chaser: impl Agents) -> &PathCursor {
        self.get(chaser)
    }

    /// The number of the plugin's last tick.
    pub fn ticks(&self) -> u64 {
        self.diagnostics().ticks
    }

    /// The plugin's counters.
    pub fn diagnostics(&self) -> &NavDiagnostics {
        self.app.world().resource()
    }

    /// The plugin's clock.
    pub fn clock(&self) -> &NavClock {
        self.app.world().resource()
    }

    /// The fingerprint of the world: see [`digest`](nav::digest).
    pub fn digest(&mut self) -> u64 {
        nav::digest(self.world())
    }
}
