//! Snapshots of a zone, from which another process continues.

use super::{
    link::Work,
    writing::{Ledger, SnapshotPolicy},
};
use crate::{
    Agents, Zone, ZoneError, agents::maps, carried::Carried, carried_agents::CarriedAgents,
    keeper::Sequence, seal::Versioned,
};
use bevy_ecs::prelude::*;
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// All agents of a zone after a tick.
#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) tick: u64,
    /// Last entry for the zone that the snapshot contains, and last entry of its own.
    pub(super) read: Sequence,
    pub(super) written: Sequence,
    pub(super) agents: CarriedAgents,
}

impl Versioned for Snapshot {
    const VERSION: u16 = 1;
}

/// Takes a snapshot if one is due and all earlier work is done. Later changes are in the ledger.
pub(crate) fn take_snapshot(world: &mut World) {
    let tick = world.resource::<Zone>().tick();
    let ledger = world.resource::<Ledger>();
    let SnapshotPolicy { every, last, .. } = ledger.snapshots;
    if tick < last + every || !ledger.link.is_idle() {
        return;
    }
    take_snapshot_now(world);
}

/// Takes a snapshot. All earlier work must be done.
pub(crate) fn take_snapshot_now(world: &mut World) {
    let (tick, ledger) = (world.resource::<Zone>().tick(), world.resource::<Ledger>());
    let (read, written) = (ledger.read, ledger.written);
    let all: Vec<(AgentId, Entity)> = world.resource::<Agents>().living(world).collect();
    let maps = maps(world);
    let agents = CarriedAgents::of(world, &all, &maps, world.resource::<Carried>());
    let snapshot = agents.and_then(|agents| {
        let snapshot = Snapshot {
            tick,
            read,
            written,
            agents,
        };
        snapshot.to_bytes()
    });
    match snapshot {
        Ok(snapshot) => {
            let mut ledger = world.resource_mut::<Ledger>();
            ledger.snapshots.last = tick;
            ledger.link.give(Work::PutSnapshot(snapshot));
        }
        Err(why) => world
            .resource_mut::<Zone>()
            .exchange
            .fail(ZoneError::Unwritten(why)),
    }
}
