//! The harness of the whole-app tests: a world on a drawn map whose time is driven by hand.
//!
//! A test draws a map, puts targets and chasers on it, runs ticks of 50 ms and looks at what
//! became of them. Every tick ends with a check of what must hold in every chase, see
//! [`TestWorld::tick`].
//!
//! ```
//! use nav_tests::TestWorld;
//!
//! let mut world = TestWorld::new(&[
//!     ".....", //
//!     ".###.",
//!     ".....",
//! ]);
//! let player = world.target((4, 1));
//! let npc = world.chaser((0, 1), player);
//! world.seconds(5);
//! assert!(world.is_beside(npc, player));
//! assert_eq!(world.arrivals(npc).len(), 1);
//! ```

pub mod apart;
pub mod crowd;
pub mod oracle;
mod rules;

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{
    prelude::*,
    schedule::{ScheduleLabel, SingleThreadedExecutor},
};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::{
    CellPosition, Chaser, Chasing, EditRefused, NavClock, NavDiagnostics, NavMap, NavPlugin, OnMap,
    PathBroken, PathCursor, PathFailed, PathFailure, PathFound, TargetReached, ValueRefused,
    WorldPosition,
};
use nav_grid::{Cell, Grid, map::text};

/// Ticks per second of simulated time.
pub const TICK_RATE: u64 = 20;

/// Ticks from one step to the next by default.
pub const STEP_TICKS: u64 = 5;

/// Ticks between two searches of one chaser by default.
pub const REPATH_TICKS: u64 = 10;

/// An app with the plugin, its first map, and everything the plugin has said so far.
pub struct TestWorld {
    /// The app itself, for what the harness has no word for.
    pub app: App,
    /// The first map.
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
}

impl TestWorld {
    /// A world on a map drawn with `.` and `#`, ticking 20 times a second in [`FixedUpdate`].
    ///
    /// # Panics
    ///
    /// When the drawing is not a map.
    pub fn new(rows: &[&str]) -> Self {
        Self::on(draw(rows))
    }

    /// A world on open ground.
    ///
    /// # Panics
    ///
    /// When a side is 0 or too large.
    pub fn open(width: u16, height: u16) -> Self {
        Self::on(Grid::open(width, height).expect("sides of a test map"))
    }

    /// A world on a map that was made elsewhere.
    pub fn on(grid: Grid) -> Self {
        Self::with_plugin(grid, NavPlugin::default())
    }

    /// A world whose plugin runs where the test says.
    pub fn with_plugin(grid: Grid, plugin: impl Plugin) -> Self {
        let mut app = app();
        app.add_plugins(plugin);
        Self::with_app(app, grid)
    }

    /// A world in an app that the test composed.
    ///
    /// Runs one update, whose delta is zero by Bevy's rules, so that from here on one update is
    /// one tick.
    pub fn with_app(mut app: App, grid: Grid) -> Self {
        app.update();
        let map = app.world_mut().spawn(NavMap::new(grid)).id();
        Self {
            app,
            map,
            found: Vec::new(),
            failed: Vec::new(),
            reached: Vec::new(),
            broken: Vec::new(),
            refused: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The ECS world.
    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// Spawns one more map.
    pub fn add_map(&mut self, rows: &[&str]) -> Entity {
        self.world().spawn(NavMap::new(draw(rows))).id()
    }

    /// Spawns something to chase in the middle of a cell.
    pub fn target(&mut self, at: impl Into<Cell>) -> Entity {
        let place = (CellPosition::at(at.into()), OnMap(self.map));
        self.world().spawn(place).id()
    }

    /// Spawns a default chaser with a target.
    pub fn chaser(&mut self, at: impl Into<Cell>, target: Entity) -> Entity {
        self.chaser_with(Chaser::default(), at, target)
    }

    /// Spawns a tuned chaser with a target.
    pub fn chaser_with(&mut self, chaser: Chaser, at: impl Into<Cell>, target: Entity) -> Entity {
        let place = (CellPosition::at(at.into()), OnMap(self.map));
        self.world().spawn((chaser, place, Chasing(target))).id()
    }

    /// Moves an agent by force, as a game does with players and with teleports.
    pub fn put(&mut self, agent: Entity, at: impl Into<Cell>) {
        let place = CellPosition::at(at.into());
        self.world().entity_mut(agent).insert(place);
    }

    /// Moves an agent to world coordinates; on a default frame these are column and row.
    pub fn put_at(&mut self, agent: Entity, column: f64, row: f64) {
        let place = WorldPosition([column, 0.0, row]);
        self.world().entity_mut(agent).insert(place);
    }

    /// Sets the chase of a chaser, as starting it and switching targets do.
    pub fn chase(&mut self, chaser: Entity, target: Entity) {
        self.world().entity_mut(chaser).insert(Chasing(target));
    }

    /// Opens or blocks a cell of the first map.
    ///
    /// # Panics
    ///
    /// When the cell is not on the map.
    pub fn edit(&mut self, cell: impl Into<Cell>, walkable: bool) {
        let map = self.map;
        self.get_mut::<NavMap>(map)
            .set_walkable(cell.into(), walkable)
            .expect("a cell of the map");
    }

    /// Runs so many ticks and keeps what the plugin says.
    ///
    /// # Panics
    ///
    /// As [`update`].
    pub fn tick(&mut self, ticks: u64) {
        for _ in 0..ticks {
            update(&mut self.app);
            self.listen();
        }
    }

    /// Runs so many seconds of simulated time, as [`TestWorld::tick`] does.
    pub fn seconds(&mut self, seconds: u64) {
        self.tick(seconds * TICK_RATE);
    }

    /// Runs ticks until something holds and returns how many that took.
    ///
    /// # Panics
    ///
    /// When it does not come to hold within a minute of simulated time, and as
    /// [`TestWorld::tick`].
    pub fn tick_until(&mut self, mut holds: impl FnMut(&mut Self) -> bool) -> u64 {
        for ticks in 0..60 * TICK_RATE {
            if holds(self) {
                return ticks;
            }
            self.tick(1);
        }
        panic!("a minute passed, and what was waited for did not happen");
    }

    fn listen(&mut self) {
        let tick = self.ticks();
        let world = self.app.world_mut();
        self.found.extend(heard(world, tick));
        self.failed.extend(heard(world, tick));
        self.reached.extend(heard(world, tick));
        self.broken.extend(heard(world, tick));
        self.refused.extend(heard(world, tick));
        self.values.extend(heard(world, tick));
    }

    /// The number of the last tick.
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

    /// The fingerprint of the world.
    pub fn digest(&mut self) -> u64 {
        nav::digest(self.world())
    }

    /// A component of an entity.
    ///
    /// # Panics
    ///
    /// When the entity does not have it.
    pub fn get<C: Component>(&self, entity: Entity) -> &C {
        let component = self.app.world().get(entity);
        component.expect("an entity with this component")
    }

    /// A component of an entity, to change.
    ///
    /// # Panics
    ///
    /// When the entity does not have it.
    pub fn get_mut<C: Component<Mutability = bevy_ecs::component::Mutable>>(
        &mut self,
        entity: Entity,
    ) -> Mut<'_, C> {
        let component = self.app.world_mut().get_mut(entity);
        component.expect("an entity with this component")
    }

    /// Where an agent is.
    pub fn cell(&self, agent: Entity) -> Cell {
        self.get::<CellPosition>(agent).cell
    }

    /// What a chaser follows.
    pub fn cursor(&self, chaser: Entity) -> &PathCursor {
        self.get(chaser)
    }

    /// Whether one agent is exactly one legal step away from another, by the default rules.
    pub fn is_beside(&self, agent: Entity, other: Entity) -> bool {
        let map = self.get::<NavMap>(self.get::<OnMap>(agent).0);
        let (from, to) = (self.cell(agent), self.cell(other));
        map.grid().allows_step(from, to, nav_grid::Rules::default())
    }

    /// The ticks in which a chaser searched, with or without success, in order.
    pub fn searches(&self, chaser: Entity) -> Vec<u64> {
        let found = self.found.iter().filter(|(_, m)| m.chaser == chaser);
        let failed = self.failed.iter().filter(|(_, m)| m.chaser == chaser);
        let mut ticks: Vec<u64> = found
            .map(|&(tick, _)| tick)
            .chain(failed.map(|&(tick, _)| tick))
            .collect();
        ticks.sort_unstable();
        ticks
    }

    /// Why a chaser's searches failed, in order.
    pub fn failures(&self, chaser: Entity) -> Vec<PathFailure> {
        let failed = self.failed.iter().filter(|(_, m)| m.chaser == chaser);
        failed.map(|(_, message)| message.reason).collect()
    }

    /// The ticks in which a chaser reached its target.
    pub fn arrivals(&self, chaser: Entity) -> Vec<u64> {
        let reached = self.reached.iter().filter(|(_, m)| m.chaser == chaser);
        reached.map(|&(tick, _)| tick).collect()
    }
}

/// Runs one update of an app with the plugin.
///
/// # Panics
///
/// When a chaser made another move than one legal step or link, entered a wall, stepped before its
/// move tick, or stepped onto its target's cell.
pub fn update(app: &mut App) {
    let before = rules::Snapshot::take(app.world_mut());
    app.update();
    before.check(app.world_mut());
}

/// An app with time by hand and no plugin yet: every update is one fixed step of 50 ms.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        .insert_resource(Time::<Fixed>::from_hz(TICK_RATE as f64))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Runs all schedules of an app that exist so far on one thread, without any task pool.
pub fn without_threads(app: &mut App) {
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// The grid of a drawing in `.` and `#`.
///
/// # Panics
///
/// When the drawing is not a map.
pub fn draw(rows: &[&str]) -> Grid {
    text::read(rows.join("\n").as_bytes()).expect("a map drawn with '.' and '#'")
}

/// Adds a system that runs before the plugin's in [`FixedUpdate`], as a game's own do.
pub fn before_nav<M>(
    app: &mut App,
    system: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>,
) {
    app.add_systems(FixedUpdate, system.before(nav::NavSystems::Observe));
}

/// Makes every schedule error of a schedule's build a panic: systems whose order is open, too.
pub fn forbid_ambiguity(app: &mut App, schedule: impl ScheduleLabel) {
    use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings};
    app.edit_schedule(schedule, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..ScheduleBuildSettings::default()
        });
    });
}

fn heard<M: Message>(world: &mut World, tick: u64) -> impl Iterator<Item = (u64, M)> {
    let messages: Vec<M> = world.resource_mut::<Messages<M>>().drain().collect();
    messages.into_iter().map(move |message| (tick, message))
}
