//! Snapshots of a zone, from which another process continues.

use super::{
    link::Work,
    statement::Extent,
    writing::{Ledger, SnapshotPolicy},
};
use crate::{
    Agents, Epoch, Zone, ZoneError,
    carried_agents::CarriedAgents,
    seal::{Format, Versioned},
};
use bevy_ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// All agents of a zone after a tick.
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) tick: u64,
    /// Part of the ledger that the snapshot contains.
    pub(super) extent: Extent,
    /// How often the store was lost while a process had the zone in memory: less than for the world
    /// if the zone had none then.
    pub(super) losses: u64,
    pub(super) agents: CarriedAgents,
}

impl Versioned for Snapshot {
    const FORMAT: Format = Format::STATE;
}

/// Takes a snapshot if one is due and all earlier work is done. Later changes are in the ledger.
///
/// Runs before the writes of the tick: a zone that writes in every tick is never idle after them.
pub(crate) fn take_snapshot(world: &mut World) {
    let tick = world.resource::<Zone>().tick();
    let mut ledger = world.resource_mut::<Ledger>();
    ledger.is_idle = ledger.link.is_idle();
    let SnapshotPolicy { every, last, .. } = ledger.snapshots;
    // Agents without a birth are in no snapshot, and are not spawned again where there is one.
    if ledger.is_idle && !ledger.has_unborn && tick >= last + every {
        take_snapshot_now(world);
    }
}

/// Takes a snapshot. All earlier work must be done.
pub(crate) fn take_snapshot_now(world: &mut World) {
    let mut all = world.resource::<Agents>().living(world);
    // Births that are not in the ledger yet are written after the snapshot.
    all.retain(|&(_, agent)| world.get::<Epoch>(agent).is_some());
    let (tick, ledger) = (world.resource::<Zone>().tick(), world.resource::<Ledger>());
    let snapshot = CarriedAgents::of(world, &all).and_then(|agents| {
        let snapshot = Snapshot {
            tick,
            extent: ledger.extent.clone(),
            losses: ledger.losses,
            agents,
        };
        snapshot.to_bytes()
    });
    match snapshot {
        Ok(snapshot) => {
            let mut ledger = world.resource_mut::<Ledger>();
            let places = ledger.extent.places;
            ledger.snapshots.last = tick;
            ledger.link.give(Work::PutSnapshot(snapshot, places));
        }
        Err(why) => world
            .resource_mut::<Zone>()
            .exchange
            .fail(ZoneError::Unwritten(why)),
    }
}
