//! A world with a watcher.

use bevy_app::App;
use bevy_ecs::prelude::*;
use nav::{CellPosition, NavPlugin, OnMap, Screens};
use nav_grid::{Cell, Grid};
use nav_protocol::{Correct, Packet, PathAhead, Update};
use nav_sync::{NavSyncPlugin, SyncCounts, SyncId, SyncSettings, Watcher};
use nav_tests::TestWorld;

/// Makes an app in which watchers are sent packets.
pub fn app_with_sync() -> App {
    let mut app = nav_testing::app();
    app.add_plugins((NavPlugin::default(), NavSyncPlugin::default()));
    app
}

/// A world and a watcher without a body.
pub struct Watched {
    pub world: TestWorld,
    pub watcher: Entity,
    /// All packets that it was sent.
    pub sent: Vec<Packet>,
}

impl Watched {
    /// Makes a watcher on open ground.
    pub fn open(width: u16, height: u16, at: (u16, u16)) -> Self {
        Self::on(Grid::open(width, height).unwrap(), at)
    }

    /// Makes a watcher on a given map.
    pub fn on(grid: Grid, at: (u16, u16)) -> Self {
        Self::in_app(app_with_sync(), grid, at)
    }

    /// Makes a watcher in an app with other settings.
    pub fn in_app(app: App, grid: Grid, (x, y): (u16, u16)) -> Self {
        Self::around(TestWorld::with_app(app, grid), Cell::new(x, y))
    }

    /// Adds a watcher to a world.
    pub fn around(mut world: TestWorld, at: Cell) -> Self {
        let map = world.map;
        world.world().entity_mut(map).insert(Screens::default());
        let watcher = (Watcher::default(), OnMap(world.map), CellPosition::at(at));
        let watcher = world.world().spawn(watcher).id();
        Self {
            world,
            watcher,
            sent: Vec::new(),
        }
    }

    /// Runs a tick and returns the packets of the watcher.
    pub fn tick(&mut self) -> Vec<Packet> {
        self.world.tick(1);
        let watcher = self.watcher;
        let packets: Vec<Packet> = self.world.get_mut::<Watcher>(watcher).drain().collect();
        self.sent.extend(packets.iter().cloned());
        packets
    }

    /// Runs some ticks and returns the updates of all of them.
    pub fn ticks(&mut self, ticks: u32) -> Vec<Update> {
        let packets = (0..ticks).flat_map(|_| self.tick());
        packets.flat_map(|packet| packet.updates).collect()
    }

    pub fn settings(&mut self) -> Mut<'_, SyncSettings> {
        self.world.world().resource_mut::<SyncSettings>()
    }

    pub fn counts(&self) -> SyncCounts {
        *self.world.app.world().resource::<SyncCounts>()
    }

    /// Returns the last tick with a packet.
    pub fn last_tick(&self) -> u32 {
        self.sent.last().map_or(0, |packet| packet.tick)
    }
}

/// Returns the protocol's number of an agent without a number of the game.
pub fn id_of(agent: Entity) -> u64 {
    SyncId::of(agent, None).0
}

/// Returns the numbers of the agents that appear.
pub fn appeared(updates: &[Update]) -> Vec<u64> {
    let appears = updates.iter().filter_map(|update| match update {
        Update::Appear(appear) => Some(appear.id),
        _ => None,
    });
    appears.collect()
}

/// Returns the numbers of the agents that vanish.
pub fn vanished(updates: &[Update]) -> Vec<u64> {
    let vanishes = updates.iter().filter_map(|update| match update {
        Update::Vanish(vanish) => Some(vanish.id),
        _ => None,
    });
    vanishes.collect()
}

/// Returns the paths of an agent.
pub fn paths_of(updates: &[Update], agent: Entity) -> Vec<PathAhead> {
    let id = id_of(agent);
    let paths = updates.iter().filter_map(|update| match update {
        Update::Path(path) if path.id == id => Some(path.clone()),
        _ => None,
    });
    paths.collect()
}

/// Returns the corrections of an agent.
pub fn corrections_of(updates: &[Update], agent: Entity) -> Vec<Correct> {
    let id = id_of(agent);
    let corrections = updates.iter().filter_map(|update| match update {
        Update::Correct(correct) if correct.id == id => Some(*correct),
        _ => None,
    });
    corrections.collect()
}
