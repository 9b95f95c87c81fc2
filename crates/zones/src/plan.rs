//! The plan of a world in zones, which the broker keeps for all processes that join.

use crate::{Formats, ZonesError, clock::since_1970};
use nav_formats::{MapFile, binary};
use nav_sim::Scenario;
use nav_zones::{
    Backoff, Format, ZoneLayout,
    keeper::Keeper,
    nats::{NatsConnection, NatsKeeper},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{thread, time::Duration};

/// The plan of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Versions of its data.
    pub formats: Formats,
    /// Whether the world was ended. Another `zones run` continues it.
    pub has_ended: bool,
    /// The scenario. Only its map and number of threads do not apply.
    pub scenario: Scenario,
    /// Name of the map at the broker, derived from its contents.
    pub map: String,
    /// Layout at the start.
    pub layout: ZoneLayout,
    /// Start of the world in milliseconds since 1970, moved by all pauses: time 0 of the world.
    pub began: u64,
    /// Time between two snapshots, in milliseconds.
    pub snapshots: u64,
    /// Duration of a lease, the same for all processes, in milliseconds.
    pub lease: u64,
}

/// The part that a plan of any version has.
#[derive(Deserialize)]
struct Head {
    formats: Formats,
    has_ended: bool,
}

/// Longest time between two attempts to write the plan again: far below what an operator waits for.
const WRITE_AGAIN: Duration = Duration::from_secs(1);

/// The name of the plan at the broker.
const PLAN: &str = "plan";

impl Plan {
    /// Creates the plan of a world that begins.
    pub(crate) fn new(
        scenario: &Scenario,
        map: String,
        layout: ZoneLayout,
        (snapshots, lease): (u64, u64),
    ) -> Self {
        Self {
            formats: Formats::OWN,
            has_ended: false,
            scenario: Scenario {
                map: None,
                heights: None,
                ..scenario.clone()
            },
            map,
            layout,
            began: 0,
            snapshots,
            lease,
        }
    }

    /// Writes the plan over a revision of it, 0 for none.
    ///
    /// # Errors
    ///
    /// [`ZonesError::Changed`] if another program wrote it meanwhile.
    pub(crate) fn keep(&self, keeper: &mut NatsKeeper, revision: u64) -> Result<(), ZonesError> {
        let text =
            serde_json::to_vec(self).map_err(|error| ZonesError::Damaged(error.to_string()))?;
        if keeper.replace_record(PLAN, revision, &text)? {
            return Ok(());
        }
        Err(ZonesError::Changed)
    }

    /// Reads the plan of a world with its revision; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`ZonesError::State`] if the world is kept in a version that this program does not read.
    pub(crate) fn of(keeper: &mut NatsKeeper) -> Result<Option<(u64, Self)>, ZonesError> {
        let Some((revision, text)) = keeper.record(PLAN)? else {
            return Ok(None);
        };
        // First: another version may have other fields.
        let Head { formats, .. } = read(&text)?;
        if !Format::STATE.reads(formats.state) {
            return Err(ZonesError::State(formats.state));
        }
        Ok(Some((revision, read(&text)?)))
    }

    /// Returns whether a world was ended, whatever its version.
    pub(crate) fn has_ended(keeper: &mut NatsKeeper) -> Result<bool, ZonesError> {
        let plan = keeper.record(PLAN)?;
        let head = plan.map(|(_, text)| read::<Head>(&text)).transpose()?;
        Ok(head.is_some_and(|head| head.has_ended))
    }

    /// Marks a world as ended.
    pub(crate) fn end(keeper: &mut NatsKeeper) -> Result<(), ZonesError> {
        let Some((revision, mut plan)) = Self::of(keeper)? else {
            return Ok(());
        };
        plan.has_ended = true;
        plan.keep(keeper, revision)
    }

    /// Fails if processes of this program cannot run zones beside the processes that have some now.
    ///
    /// # Errors
    ///
    /// [`ZonesError::Formats`]; [`ZonesError::HasEnded`].
    pub(crate) fn require_running(&self, world: &str) -> Result<(), ZonesError> {
        if self.has_ended {
            return Err(ZonesError::HasEnded(world.to_owned()));
        }
        if self.formats != Formats::OWN {
            return Err(ZonesError::Formats(self.formats));
        }
        Ok(())
    }

    /// Writes the plan and the map again, in a thread, since the broker lost its store. All zones
    /// do.
    pub(crate) fn write_again(&self, map: &MapFile, connection: &NatsConnection) {
        let (plan, map, connection) = (self.clone(), map.clone(), connection.clone());
        thread::spawn(move || {
            let mut backoff = Backoff::new(WRITE_AGAIN);
            while let Err(error) = plan.try_write_again(&map, &connection) {
                tracing::warn!(%error, "the plan is not written again");
                thread::sleep(backoff.failed());
            }
        });
    }

    fn try_write_again(
        &self,
        map: &MapFile,
        connection: &NatsConnection,
    ) -> Result<(), ZonesError> {
        let mut keeper = NatsKeeper::new(connection)?;
        let bytes = binary::write(map).map_err(|error| ZonesError::Damaged(error.to_string()))?;
        keeper.put_named(&self.map, &bytes)?;
        match Self::of(&mut keeper)? {
            Some((_, plan)) if plan == *self => Ok(()),
            found => self.keep(&mut keeper, found.map_or(0, |(revision, _)| revision)),
        }
    }

    /// Reads its map.
    pub(crate) fn map(&self, keeper: &mut NatsKeeper) -> Result<MapFile, ZonesError> {
        let read = match keeper.named(&self.map)? {
            None => Err("it is not there".to_owned()),
            Some(bytes) if map_name(&bytes) != self.map => {
                Err("its contents are not those of its name".to_owned())
            }
            Some(bytes) => binary::read(&bytes).map_err(|error| error.to_string()),
        };
        read.map_err(|why| ZonesError::Damaged(format!("{}: {why}", self.map)))
    }

    /// Returns the time of the world, from 0 at its start.
    pub(crate) fn time(&self) -> Duration {
        since_1970().saturating_sub(Duration::from_millis(self.began))
    }

    /// Moves the start, so that the time of the world is that of a tick.
    pub(crate) fn continue_at(&mut self, tick: u64) {
        let time = self
            .tick()
            .saturating_mul(u32::try_from(tick).unwrap_or(u32::MAX));
        self.began = since_1970().saturating_sub(time).as_millis() as u64;
    }

    /// Returns the duration of a tick.
    pub(crate) fn tick(&self) -> Duration {
        Duration::from_secs(1) / self.scenario.hz
    }
}

fn read<T: DeserializeOwned>(plan: &[u8]) -> Result<T, ZonesError> {
    serde_json::from_slice(plan).map_err(|error| ZonesError::Damaged(error.to_string()))
}

/// Returns the name of a map, derived from its contents.
pub(crate) fn map_name(bytes: &[u8]) -> String {
    format!("map-{:08x}-{}", crc32fast::hash(bytes), bytes.len())
}
