//! A world on drawn maps, and how to look at it.

use crate::{
    app::app,
    cursors::{Cursors, read},
    drawing::{Drawing, Drawn, TARGET},
    names::Names,
    selectors::{Agents, Cells},
};
use bevy_app::{App, PluginsState, TaskPoolPlugin};
use bevy_ecs::{component::Mutable, prelude::*, schedule::SingleThreadedExecutor};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use nav::{
    CellPosition, Chaser, Chasing, EditRefused, NavClock, NavDiagnostics, NavMap, NavPlugin, OnMap,
    PathBroken, PathCursor, PathFailed, PathFound, TargetReached, ValueRefused,
};
use nav_grid::{Cell, Grid};

/// An app with the plugin, a drawn map with agents on it, and everything that the plugin has said.
///
/// It prints as a picture with a legend, as a failing assertion does.
pub struct Scene {
    /// The app itself, for what the harness has no word for.
    pub app: App,
    /// The map.
    pub map: Entity,
    /// New paths, each with the tick it was found in; ticks count from 1.
    pub found: Vec<(u64, PathFound)>,
    /// Failures, each with its tick.
    pub failed: Vec<(u64, PathFailed)>,
    /// Arrivals, each with its tick.
    pub reached: Vec<(u64, TargetReached)>,
    /// Paths that edits broke, each with its tick.
    pub broken: Vec<(u64, PathBroken)>,
    /// Edits that were refused, each with its tick.
    pub refused: Vec<(u64, EditRefused)>,
    /// Values that were refused, each with its tick.
    pub values: Vec<(u64, ValueRefused)>,
    /// Whether [`tick`](Scene::tick) judges the steps of chasers; true by default. Set it to false where
    /// systems of the game move chasers or targets while the plugin runs or after it: the judge sees only
    /// where everybody was before and after a tick.
    pub judges_steps: bool,
    pub(super) names: Names,
    cursors: Cursors,
}

impl Scene {
    /// A scene as it is drawn, in an app that has nothing but the plugin and ticks 20 times a second.
    /// [`Drawing`] says what the signs mean.
    ///
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn new(rows: &[impl AsRef<str>]) -> Self {
        Self::with_app(app(), rows)
    }

    /// A scene on open ground, with nobody on it.
    ///
    /// # Panics
    ///
    /// When a side is 0 or too large.
    #[track_caller]
    pub fn open(width: u16, height: u16) -> Self {
        match Grid::open(width, height) {
            Ok(grid) => Self::on(grid),
            Err(error) => panic!("{width} columns and {height} rows are no map: {error}"),
        }
    }

    /// A scene on a map that was made elsewhere, with nobody on it.
    pub fn on(grid: Grid) -> Self {
        Self::with_app(app(), grid)
    }

    /// A scene in an app with the plugins, systems and settings of a game.
    ///
    /// Adds [`NavPlugin`] and [`TimePlugin`] where they are missing, and sets time so that an update is
    /// one timestep of [`Time<Fixed>`](bevy_time::Fixed), 1/64 s unless the app has another one;
    /// [`app`](crate::app()) has one of 50 ms. Schedules run on one thread, unless the app has a
    /// [`TaskPoolPlugin`]: handing systems to and fro would take longer than the systems of a scene do. Runs one
    /// update, in which no time passes, so that what the game does at startup is done; then the map and its agents
    /// are spawned.
    ///
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn with_app(mut app: App, drawing: impl Into<Drawing>) -> Self {
        let drawn = checked(drawing);
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
            // Those that the first update made.
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

    /// Spawns one more map with those drawn on it. Letters and names may be those of other maps: then
    /// they stand for all of them.
    ///
    /// # Panics
    ///
    /// When the drawing is wrong.
    #[track_caller]
    pub fn add_map(&mut self, drawing: impl Into<Drawing>) -> Entity {
        let drawn = checked(drawing);
        self.spawn(drawn)
    }

    fn spawn(&mut self, drawn: Drawn) -> Entity {
        let Drawn {
            grid,
            agents,
            markers,
        } = drawn;
        let world = self.app.world_mut();
        let map = world.spawn(NavMap::new(grid)).id();
        let agents = agents.into_iter().map(|(letter, cell)| {
            let agent = world.spawn((CellPosition::at(cell), OnMap(map))).id();
            (letter, cell, agent)
        });
        let agents: Vec<(char, Cell, Entity)> = agents.collect();
        let target_nearest_to = |from: Cell| {
            let targets = agents.iter().filter(|(letter, ..)| *letter == TARGET);
            let far = |at: Cell| (at.floor != from.floor, at.chebyshev(from));
            targets.min_by_key(|&&(_, at, _)| far(at)).map(|of| of.2)
        };
        for &(letter, cell, agent) in &agents {
            self.names.add_agent(letter, agent);
            if letter == TARGET || letter.is_ascii_digit() {
                continue;
            }
            world.entity_mut(agent).insert(Chaser::default());
            if let Some(target) = target_nearest_to(cell) {
                world.entity_mut(agent).insert(Chasing(target));
            }
        }
        for (name, cell) in markers {
            self.names.add_marker(name, cell);
        }
        map
    }

    /// The ECS world.
    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// The ground of the map.
    ///
    /// # Panics
    ///
    /// When the map is gone.
    #[track_caller]
    pub fn grid(&self) -> &Grid {
        self.get::<NavMap>(self.map).grid()
    }

    /// All agents that are meant: those with a letter in reading order.
    ///
    /// # Panics
    ///
    /// When there is no agent with the letter.
    #[track_caller]
    pub fn agents(&self, agents: impl Agents) -> Vec<Entity> {
        match agents.find_agents(&self.names) {
            Ok(agents) => agents,
            Err(wrong) => panic!("{wrong}"),
        }
    }

    /// The one agent that is meant.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn agent(&self, agent: impl Agents) -> Entity {
        let all = self.agents(agent);
        match all[..] {
            [agent] => agent,
            _ => panic!(
                "{} agents are meant here, and it must be one: take one of Scene::agents",
                all.len()
            ),
        }
    }

    /// All cells that are meant: those with a name in reading order, or where agents are.
    ///
    /// # Panics
    ///
    /// When no cell has the name, there is no agent with the letter, or an agent has no place.
    #[track_caller]
    pub fn cells(&self, cells: impl Cells) -> Vec<Cell> {
        match cells.find_cells(&self.names, self.app.world()) {
            Ok(cells) => cells,
            Err(wrong) => panic!("{wrong}"),
        }
    }

    /// The one cell that is meant: that with a name, or where an agent is.
    ///
    /// # Panics
    ///
    /// When there is none, or more than one.
    #[track_caller]
    pub fn cell(&self, cell: impl Cells) -> Cell {
        let all = self.cells(cell);
        match all[..] {
            [cell] => cell,
            _ => panic!(
                "{} cells are meant here, and it must be one: take one of Scene::cells",
                all.len()
            ),
        }
    }

    /// How an agent is named in messages: by its letter, or else by its entity.
    pub fn name_of(&self, agent: Entity) -> String {
        let letter = self.names.letter(agent);
        letter.map_or_else(|| agent.to_string(), String::from)
    }

    /// A component of an agent, or of any entity.
    ///
    /// # Panics
    ///
    /// When it does not have one, or not one agent is meant.
    #[track_caller]
    pub fn get<C: Component>(&self, agent: impl Agents) -> &C {
        let agent = self.agent(agent);
        match self.app.world().get(agent) {
            Some(component) => component,
            None => panic!("{}", self.lacks::<C>(agent)),
        }
    }

    /// A component of an agent, or of any entity, to change.
    ///
    /// # Panics
    ///
    /// When it does not have one, or not one agent is meant.
    #[track_caller]
    pub fn get_mut<C: Component<Mutability = Mutable>>(
        &mut self,
        agent: impl Agents,
    ) -> Mut<'_, C> {
        let agent = self.agent(agent);
        let has_one = self.app.world().get::<C>(agent).is_some();
        assert!(has_one, "{}", self.lacks::<C>(agent));
        let component = self.app.world_mut().get_mut(agent);
        component.expect("it has one, as was just seen")
    }

    fn lacks<C>(&self, agent: Entity) -> String {
        let component = std::any::type_name::<C>();
        format!("{} has no {component}", self.name_of(agent))
    }

    /// What a chaser follows.
    ///
    /// # Panics
    ///
    /// When it is no chaser, or not one agent is meant.
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

    /// Reads what the plugin has said since it was last read.
    pub(super) fn listen(&mut self) {
        let tick = self.ticks();
        let (world, cursors) = (self.app.world(), &mut self.cursors);
        read(&mut cursors.found, world, tick, &mut self.found);
        read(&mut cursors.failed, world, tick, &mut self.failed);
        read(&mut cursors.reached, world, tick, &mut self.reached);
        read(&mut cursors.broken, world, tick, &mut self.broken);
        read(&mut cursors.refused, world, tick, &mut self.refused);
        read(&mut cursors.values, world, tick, &mut self.values);
    }
}

/// Runs all schedules of an app that exist so far on one thread, without any task pool.
pub fn run_on_one_thread(app: &mut App) {
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

#[track_caller]
fn checked(drawing: impl Into<Drawing>) -> Drawn {
    match drawing.into().0 {
        Ok(drawn) => drawn,
        Err(wrong) => panic!("{wrong}"),
    }
}
