//! What a world in zones is, as the broker keeps it for all who join.

use crate::ZonesError;
use chase::Scenario;
use nav_formats::{MapFile, binary};
use nav_grid::Size;
use nav_zones::{
    ZoneLayout,
    keeper::Keeper,
    nats::{NatsConnection, NatsKeeper, NatsOptions},
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How zones keep time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clock {
    /// Each goes on in real time, whatever the others do.
    #[default]
    Free,
    /// A tick begins when all have ended the last one; as fast as that goes.
    Lockstep,
}

/// Where a world is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPlace {
    /// The URL of the broker.
    pub url: String,
    /// The name of the world there.
    pub world: String,
    /// How long the lease of a zone lasts, in milliseconds.
    pub lease: u64,
}

impl WorldPlace {
    /// How long a process holds a zone that does not renew its lease, in milliseconds, if nothing else is said: far more
    /// than a hiccup of a machine, and little for players to wait.
    pub const LEASE: u64 = 3_000;

    /// A world at a broker, for who takes no zone of it.
    pub fn new(url: &str, world: &str) -> Self {
        Self {
            url: url.to_owned(),
            world: world.to_owned(),
            lease: Self::LEASE,
        }
    }

    /// Connects.
    pub(crate) fn connect(&self) -> Result<NatsConnection, ZonesError> {
        let options = NatsOptions::new(&self.url, &self.world);
        let options = options.lease(Duration::from_millis(self.lease));
        Ok(NatsConnection::open(options)?)
    }
}

/// What a world is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Everything but the map and the number of threads is as in one process.
    pub scenario: Scenario,
    /// The name of the map at the broker, by its contents.
    pub map: String,
    /// How the world is cut when it begins.
    pub layout: ZoneLayout,
    /// How zones keep time.
    pub clock: Clock,
    /// When the world began, in milliseconds since 1970.
    pub began: u64,
    /// How often a snapshot is taken, in milliseconds.
    pub snapshots: u64,
    /// Ticks of zones in step.
    pub ticks: u64,
}

/// The name by which the plan is kept.
const PLAN: &str = "plan";

impl Plan {
    /// Writes a world down, with its map.
    pub(crate) fn keep(
        keeper: &mut NatsKeeper,
        scenario: &Scenario,
        map: &MapFile,
        (columns, rows): (u16, u16),
        (clock, began, snapshots): (Clock, u64, u64),
    ) -> Result<Self, ZonesError> {
        let damaged = |why: String| ZonesError::Damaged(why);
        let size: Size = map.grid.size();
        let layout = ZoneLayout::new(size, columns, rows)?;
        let bytes = binary::write(map).map_err(|error| damaged(error.to_string()))?;
        let name = map_name(&bytes);
        keeper.put_named(&name, &bytes)?;
        let plan = Self {
            scenario: Scenario {
                map: None,
                heights: None,
                ..scenario.clone()
            },
            map: name,
            layout,
            clock,
            began,
            snapshots,
            ticks: scenario.ticks(),
        };
        let text = serde_json::to_vec(&plan).map_err(|error| damaged(error.to_string()))?;
        keeper.put_named(PLAN, &text)?;
        Ok(plan)
    }

    /// Reads the plan of a world.
    pub(crate) fn of(keeper: &mut NatsKeeper, place: &WorldPlace) -> Result<Self, ZonesError> {
        let none = || ZonesError::NoWorld(place.world.clone());
        let text = keeper.named(PLAN)?.ok_or_else(none)?;
        serde_json::from_slice(&text).map_err(|error| ZonesError::Damaged(error.to_string()))
    }

    /// Its map.
    pub(crate) fn map(&self, keeper: &mut NatsKeeper) -> Result<MapFile, ZonesError> {
        let damaged = |why: &str| ZonesError::Damaged(format!("{}: {why}", self.map));
        let bytes = keeper.named(&self.map)?;
        let bytes = bytes.ok_or_else(|| damaged("it is not there"))?;
        if map_name(&bytes) != self.map {
            return Err(damaged("its contents are not those of its name"));
        }
        binary::read(&bytes).map_err(|error| damaged(&error.to_string()))
    }

    /// How long a tick takes.
    pub(crate) fn tick(&self) -> Duration {
        Duration::from_secs(1) / self.scenario.hz
    }
}

/// The name of a map, by its contents.
fn map_name(bytes: &[u8]) -> String {
    format!("map-{:08x}-{}", crc32fast::hash(bytes), bytes.len())
}
