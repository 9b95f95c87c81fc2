//! How a zone is kept at present.

use super::writing::Ledger;
use bevy_ecs::prelude::*;
use std::time::Duration;

/// How the zone of an app is kept at present.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeeperStatus {
    /// Entries, snapshots and events that are not confirmed yet.
    pub waiting: u64,
    /// For how long the process still holds the zone, unless it renews its lease.
    pub lease_left: Duration,
    /// Tick of the last snapshot that was confirmed.
    pub snapshot: u64,
    /// Why the last call of the keeper failed.
    pub trouble: Option<String>,
}

impl KeeperStatus {
    /// Returns the status of the zone of an app. `None` if the zone writes no ledger.
    pub fn of(world: &World) -> Option<Self> {
        let ledger = world.get_resource::<Ledger>()?;
        Some(Self {
            waiting: ledger.link.waiting(),
            lease_left: ledger.link.lease_left(),
            snapshot: ledger.snapshots.kept,
            trouble: ledger.link.trouble(),
        })
    }
}
