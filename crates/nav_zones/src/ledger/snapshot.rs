//! Snapshots of a zone, from which another process continues.

use super::{
    link::Work,
    received::Received,
    writing::{Ledger, SnapshotPolicy},
};
use crate::{
    Agents, Epoch, Zone, ZoneError,
    agents::maps,
    carried::Carried,
    carried_agents::CarriedAgents,
    keeper::Places,
    seal::{Format, Versioned},
};
use bevy_ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// All agents of a zone after a tick.
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) tick: u64,
    /// Last entries that the snapshot contains.
    pub(super) places: Places,
    /// Entries of other zones that it contains.
    pub(super) received: Received,
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
    let (tick, ledger) = (world.resource::<Zone>().tick(), world.resource::<Ledger>());
    let (places, received, losses) = (ledger.places, ledger.received.clone(), ledger.losses);
    let mut all = world.resource::<Agents>().living(world);
    // Births that are not in the ledger yet are written after the snapshot.
    all.retain(|&(_, agent)| world.get::<Epoch>(agent).is_some());
    let maps = maps(world);
    let agents = CarriedAgents::of(world, &all, &maps, world.resource::<Carried>());
    let snapshot = agents.and_then(|agents| {
        let snapshot = Snapshot {
            tick,
            places,
            received,
            losses,
            agents,
        };
        snapshot.to_bytes()
    });
    match snapshot {
        Ok(snapshot) => {
            let mut ledger = world.resource_mut::<Ledger>();
            ledger.snapshots.last = tick;
            ledger.link.give(Work::PutSnapshot(snapshot, places));
        }
        Err(why) => world
            .resource_mut::<Zone>()
            .exchange
            .fail(ZoneError::Unwritten(why)),
    }
}
