//! A world of zones in one thread. Its processes, their broker and the network are driven by hand,
//! so that a seed determines everything.

use crate::{
    apps::TICK,
    net::Net,
    players::{Player, Players, step_all},
};
use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use nav::{
    AgentId, Body, CellPosition, ChasedBy, Chaser, Chasing, NavClock, NavMap, NavPlugin, OnMap,
};
use nav_grid::{Cell, Grid, Rules};
use nav_testing::run_on_one_thread;
use nav_zones::{
    Agents, Audit, ChaseAgent, KeeperTask, KeptState, Statement, Zone, ZoneError, ZoneId,
    ZoneLayout, ZonePlugin, ZoneSystems, audit, close,
    keeper::{Keeper, KeeperError, LocalKeeper, LocalStore},
};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// Ticks that a lease lasts.
pub const LEASE: u32 = 40;

/// The last tick in which players walk.
#[derive(Resource, Clone, Copy)]
struct WalkUntil(u64);

/// A process that has a zone.
pub struct Process {
    pub app: App,
    task: KeeperTask,
    number: u32,
    /// The tick until which it does nothing.
    pub stalled_until: u64,
}

/// A world with all its processes.
pub struct Simulation {
    pub store: LocalStore,
    pub net: Net,
    pub layout: ZoneLayout,
    pub grid: Grid,
    pub players: Vec<Cell>,
    pub chasers: Vec<(Cell, u32)>,
    /// Whether chasers have solid bodies.
    pub is_solid: bool,
    pub walk_until: u64,
    pub tick: u64,
    /// The processes that hold zones, or have not noticed their loss yet.
    pub processes: Vec<Process>,
    started: u32,
    /// The number of times that a zone was taken after another process had it.
    pub take_overs: u32,
}

impl Simulation {
    /// Makes four zones with pillars, walking players, and ghosts that chase them; or half as many
    /// solid chasers, for which there is room.
    pub fn new(seed: u64, is_solid: bool, walk_until: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut grid = Grid::open(192, 192).expect("a map of this size");
        for y in (0..192).step_by(4) {
            for x in (0..192).step_by(4) {
                if rng.random_bool(0.3) {
                    grid.set_walkable(Cell::new(x, y), false)
                        .expect("a cell of the map");
                }
            }
        }
        let layout = ZoneLayout::new(grid.size(), 2, 2).expect("three by three tiles");
        let mut taken = BTreeSet::new();
        let mut place = || loop {
            let cell = Cell::new(rng.random_range(0..192), rng.random_range(0..192));
            if grid.is_walkable(cell) && taken.insert(cell) {
                break cell;
            }
        };
        let players: Vec<Cell> = (0..5).map(|_| place()).collect();
        let count = if is_solid { 20 } else { 40 };
        let chasers = (0..count).map(|number| (place(), number % 5 + 1)).collect();
        Self {
            store: LocalStore::default(),
            net: Net::new(seed),
            layout,
            grid,
            players,
            chasers,
            is_solid,
            walk_until,
            tick: 0,
            processes: Vec::new(),
            started: 0,
            take_overs: 0,
        }
    }

    fn keeper(&self) -> LocalKeeper {
        LocalKeeper::new(self.store.clone(), TICK * LEASE)
    }

    fn now(&self) -> Duration {
        TICK * self.tick as u32
    }

    /// Returns the process that acts for a zone.
    pub fn process_of(&self, zone: ZoneId) -> Option<usize> {
        let of_zone = |process: &Process| process.task.zone() == zone;
        self.processes.iter().rposition(of_zone)
    }

    /// Ends a process without a word.
    pub fn kill(&mut self, place: usize) {
        let process = self.processes.remove(place);
        self.net.leave(process.number);
    }

    /// Ends a process that gives its zone back.
    pub fn hand_back(&mut self, place: usize) {
        let process = self.processes.remove(place);
        self.net.leave(process.number);
        process.task.release();
    }

    /// Ends a process in good order, and returns whether everything was written.
    pub fn close(&mut self, place: usize) -> bool {
        let now = self.now();
        let mut process = self.processes.remove(place);
        let task = RefCell::new(process.task);
        let is_written = close(process.app.world_mut(), || {
            task.borrow_mut().step(now);
        });
        self.net.leave(process.number);
        task.into_inner().release();
        is_written
    }

    /// Starts a new process for a zone without a holder, if the keeper allows it.
    pub fn take(&mut self, zone: ZoneId) -> Result<(), KeeperError> {
        let mut keeper = self.keeper();
        let name = format!("process {}", self.started);
        let lease = keeper.take(zone, &name)?;
        let state = KeptState::read(&mut keeper, &lease)?;
        let written = state.first_written();
        let (now, lasts) = (self.now(), TICK * LEASE);
        let (link, task) = KeeperTask::new(keeper, lease, state.progress(), lasts, now);
        let number = self.started;
        self.started += 1;
        let bus = self.net.join(number, zone);
        let plugin = ZonePlugin::new(self.layout.clone(), TICK, bus, link)
            .snapshots_every(TICK * 20)
            .in_schedule(Update)
            .carry::<Player>("player");
        let mut app = App::new();
        app.insert_resource(Time::<()>::default())
            .insert_resource(WalkUntil(self.walk_until))
            .add_plugins((TaskPoolPlugin::default(), NavPlugin::new(Update), plugin))
            .add_systems(Update, walk.before(ZoneSystems::Share));
        run_on_one_thread(&mut app);
        let map = app.world_mut().spawn(NavMap::plain(self.grid.clone())).id();
        if written.as_ref().is_none_or(|written| !written.is_empty()) {
            self.take_overs += 1;
        }
        if let Some(written) = written {
            self.populate(app.world_mut(), map, zone, &written);
        }
        let restored = state.restore(app.world_mut()).expect("snapshots are sound");
        assert_eq!(restored.refused, 0);
        self.processes.push(Process {
            app,
            task,
            number,
            stalled_until: 0,
        });
        Ok(())
    }

    fn populate(&self, world: &mut World, map: Entity, zone: ZoneId, written: &BTreeSet<AgentId>) {
        let is_here = |id: u32, cell: Cell| {
            self.layout.zone_of(cell) == zone && !written.contains(&AgentId(id))
        };
        let place = |cell| (OnMap(map), CellPosition::at(cell));
        for (id, &cell) in (1..)
            .zip(&self.players)
            .filter(|&(id, &cell)| is_here(id, cell))
        {
            world.spawn((AgentId(id), Player { steps: 0 }, place(cell)));
        }
        let chasers = (self.players.len() as u32 + 1..).zip(&self.chasers);
        for (id, &(cell, target)) in chasers.filter(|&(id, &(cell, _))| is_here(id, cell)) {
            let chase = ChaseAgent(AgentId(target));
            let agent = (AgentId(id), Chaser::default(), chase, place(cell));
            let mut agent = world.spawn(agent);
            if self.is_solid {
                agent.insert(Body::default());
            }
        }
    }

    /// Runs a tick: spare processes take free zones, and all others continue.
    pub fn step(&mut self) {
        self.tick += 1;
        self.store.pass(TICK);
        let zones: Vec<ZoneId> = self.layout.zones().collect();
        for zone in zones {
            // Refused while a process has it.
            let _ = self.take(zone);
        }
        let (now, tick) = (self.now(), self.tick);
        let mut ended = Vec::new();
        for (place, process) in self.processes.iter_mut().enumerate() {
            if tick < process.stalled_until {
                continue;
            }
            let world = process.app.world_mut();
            world.resource_mut::<Time>().advance_to(now);
            process.app.update();
            process.task.step(now);
            let zone = process.app.world().resource::<Zone>();
            match zone.failure() {
                None => {}
                Some(ZoneError::Keeper(KeeperError::Lost { .. })) => ended.push(place),
                Some(error) => panic!("zone {}: {error}", zone.id().0),
            }
        }
        for place in ended.into_iter().rev() {
            self.kill(place);
        }
    }

    /// Returns the result of an audit.
    pub fn audit(&self) -> Audit {
        let zones: Vec<ZoneId> = self.layout.zones().collect();
        let acting = zones.iter().filter_map(|&zone| self.process_of(zone));
        let statements =
            acting.filter_map(|place| Statement::of(self.processes[place].app.world()));
        let statements: Vec<Statement> = statements.collect();
        audit(&mut self.keeper(), &zones, &statements).expect("the keeper is there")
    }

    /// Returns the cells of all agents in the zones of processes that act for them.
    pub fn places(&self) -> BTreeMap<AgentId, Vec<(ZoneId, Cell)>> {
        let mut places: BTreeMap<AgentId, Vec<(ZoneId, Cell)>> = BTreeMap::new();
        for zone in self.layout.zones() {
            let Some(process) = self.process_of(zone) else {
                continue;
            };
            let world = self.processes[process].app.world();
            for (id, agent) in world.resource::<Agents>().living(world) {
                let cell = world.get::<CellPosition>(agent).map(|place| place.cell);
                places
                    .entry(id)
                    .or_default()
                    .extend(cell.map(|cell| (zone, cell)));
            }
        }
        places
    }

    /// Returns the chasers that share a cell, if they have bodies.
    pub fn overlaps(&self) -> Vec<(AgentId, AgentId, Cell)> {
        let mut there: BTreeMap<Cell, AgentId> = BTreeMap::new();
        let first_chaser = AgentId(self.players.len() as u32 + 1);
        let places = self.places();
        let chasers = places.range(first_chaser..).filter(|_| self.is_solid);
        let cells = chasers.flat_map(|(&id, at)| at.iter().map(move |&(_, cell)| (id, cell)));
        let shared = cells.filter_map(|(id, cell)| Some((there.insert(cell, id)?, id, cell)));
        shared.collect()
    }

    /// Describes the chasers that are not beside their targets though a place is free, and whether
    /// any process has them chase.
    pub fn uncaught(&self) -> Vec<String> {
        let places = self.places();
        let taken: BTreeSet<Cell> = places.values().flatten().map(|&(_, cell)| cell).collect();
        let has_room = |player: Cell| {
            // A chaser is within reach if a step leads from its cell to the player.
            let ways = self.grid.steps(player, Rules::default()).into_iter();
            let mut beside = ways.filter_map(|way| player.step(way));
            let is_free = |cell: Cell| self.grid.is_walkable(cell) && !taken.contains(&cell);
            !self.is_solid || beside.any(is_free)
        };
        let cell = |id| places.get(&AgentId(id)).map(|places| places[0].1);
        let chasers = (self.players.len() as u32 + 1..).zip(&self.chasers);
        let uncaught = chasers.filter_map(|(id, &(_, target))| {
            let (at, player) = (cell(id), cell(target));
            let is_caught = at
                .zip(player)
                .is_some_and(|(at, player)| at.chebyshev(player) <= 1);
            let chases = self.processes.iter().any(|process| {
                let world = process.app.world();
                let agent = world.resource::<Agents>().get(AgentId(id));
                agent.is_some_and(|agent| world.get::<Chasing>(agent).is_some())
            });
            (!is_caught && player.is_none_or(has_room))
                .then(|| format!("{id} at {at:?}, {target} at {player:?}, chases: {chases}"))
        });
        uncaught.collect()
    }

    /// Returns the targets that a zone with chasers of them sees more than `cells` cells from their
    /// true place.
    pub fn mirrors_far_off(&self, cells: u16) -> Vec<(ZoneId, AgentId, Cell, Cell)> {
        let places = self.places();
        let mut far = Vec::new();
        for process in &self.processes {
            let world = process.app.world();
            for id in (1..=self.players.len() as u32).map(AgentId) {
                let mirror = world.resource::<Agents>().get(id);
                let mirror = mirror.filter(|&mirror| world.get::<ChasedBy>(mirror).is_some());
                let seen = mirror.and_then(|mirror| world.get::<CellPosition>(mirror));
                let lives = places.get(&id).and_then(|places| places.first());
                if let (Some(seen), Some(&(_, at))) = (seen, lives)
                    && seen.cell.chebyshev(at) > cells
                {
                    far.push((process.task.zone(), id, seen.cell, at));
                }
            }
        }
        far
    }

    /// Returns the number of agents handed over by the processes that run now.
    pub fn handed_over(&self) -> u64 {
        let zones = self
            .processes
            .iter()
            .map(|process| process.app.world().resource::<Zone>());
        zones.map(|zone| zone.counts().handed_over).sum()
    }

    /// Returns the number of messages refused by all.
    pub fn refused(&self) -> u64 {
        let refused = |process: &Process| process.app.world().resource::<Zone>().refused();
        self.processes.iter().map(refused).sum()
    }
}

/// Moves players a step in every sixth tick, in a direction that changes now and then.
fn walk(
    (clock, until): (Res<NavClock>, Res<WalkUntil>),
    maps: Query<&NavMap>,
    mut players: Players,
) {
    let tick = clock.now().0 / TICK.as_nanos() as u64;
    if tick >= until.0 || !tick.is_multiple_of(6) {
        return;
    }
    step_all(&maps, &mut players, |id| {
        let seed = (u64::from(id.0) << 32) | (tick / 60);
        Xoshiro256PlusPlus::seed_from_u64(seed).random()
    });
}
