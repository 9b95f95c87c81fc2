//! The plan of a world in zones, which the broker keeps for all processes that join.

use crate::ZonesError;
use nav_formats::{MapFile, binary};
use nav_grid::Size;
use nav_sim::Scenario;
use nav_zones::{ZoneLayout, keeper::Keeper, nats::NatsKeeper};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The plan of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The scenario. Only its map and number of threads do not apply.
    pub scenario: Scenario,
    /// Name of the map at the broker, derived from its contents.
    pub map: String,
    /// Layout at the start.
    pub layout: ZoneLayout,
    /// Start of the world, in milliseconds since 1970.
    pub began: u64,
    /// Time between two snapshots, in milliseconds.
    pub snapshots: u64,
    /// Duration of a lease, the same for all processes, in milliseconds.
    pub lease: u64,
}

/// The name of the plan at the broker.
const PLAN: &str = "plan";

impl Plan {
    /// Writes the plan and the map of a world to the broker.
    pub(crate) fn keep(
        keeper: &mut NatsKeeper,
        scenario: &Scenario,
        map: &MapFile,
        (columns, rows): (u16, u16),
        began: u64,
        (snapshots, lease): (u64, u64),
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
            began,
            snapshots,
            lease,
        };
        let text = serde_json::to_vec(&plan).map_err(|error| damaged(error.to_string()))?;
        keeper.put_named(PLAN, &text)?;
        Ok(plan)
    }

    /// Reads the plan of a world; `None` if there is none.
    pub(crate) fn of(keeper: &mut NatsKeeper) -> Result<Option<Self>, ZonesError> {
        let text = keeper.named(PLAN)?;
        let plan = text.map(|text| serde_json::from_slice(&text)).transpose();
        plan.map_err(|error| ZonesError::Damaged(error.to_string()))
    }

    /// Reads its map.
    pub(crate) fn map(&self, keeper: &mut NatsKeeper) -> Result<MapFile, ZonesError> {
        let damaged = |why: &str| ZonesError::Damaged(format!("{}: {why}", self.map));
        let bytes = keeper.named(&self.map)?;
        let bytes = bytes.ok_or_else(|| damaged("it is not there"))?;
        if map_name(&bytes) != self.map {
            return Err(damaged("its contents are not those of its name"));
        }
        binary::read(&bytes).map_err(|error| damaged(&error.to_string()))
    }

    /// Returns the duration of a tick.
    pub(crate) fn tick(&self) -> Duration {
        Duration::from_secs(1) / self.scenario.hz
    }
}

/// Returns the name of a map, derived from its contents.
fn map_name(bytes: &[u8]) -> String {
    format!("map-{:08x}-{}", crc32fast::hash(bytes), bytes.len())
}
