//! Hand-over of agents that cross a border, by the ledger.

use crate::{
    Zone, ZoneError,
    departure::{Departed, leave_mirrors, leaving},
    keeper::Entry,
    ledger::{KeeperNews, Ledger, LedgerEntry, insert_news},
    seal::Versioned,
};
use bevy_ecs::prelude::*;

/// Writes the agents that stand in another zone to the ledger.
///
/// Agents stay while earlier writes are not confirmed. Agents without bodies meanwhile walk on
/// beyond the border.
pub(crate) fn hand_over(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            if zone.exchange.failure().is_some() || !ledger.is_idle {
                return;
            }
            if let Err(error) = write(world, &mut zone, &mut ledger) {
                zone.exchange.fail(error);
            }
        });
    });
}

fn write(world: &mut World, zone: &mut Zone, ledger: &mut Ledger) -> Result<(), ZoneError> {
    let (tick, leaving) = (zone.tick(), leaving(world, zone));
    world.resource_mut::<Departed>().forget_before(tick);
    if leaving.is_empty() {
        return Ok(());
    }
    for (to, agents) in leaving {
        ledger.write_agents(world, &agents, to, tick)?;
        leave_mirrors(world, &agents, to);
        let mut departed = world.resource_mut::<Departed>();
        for &(id, _) in &agents {
            departed.note(id, to, tick);
        }
        zone.counts.handed_over += agents.len() as u64;
    }
    Ok(())
}

/// Takes over the agents that arrived, and records the writes that were confirmed.
pub(crate) fn receive_news(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            while let Some(news) = ledger.link.next_news() {
                match news {
                    KeeperNews::Appended(place) => ledger.extent.places.written = place,
                    KeeperNews::Announced => {}
                    // One at a time is under way.
                    KeeperNews::SnapshotKept => ledger.snapshots.kept = ledger.snapshots.last,
                    KeeperNews::Entry(entry) => {
                        ledger.extent.places.read = entry.sequence;
                        if !take_over(world, &mut zone, &mut ledger, &entry) {
                            zone.exchange.refuse();
                        }
                    }
                    KeeperNews::Event(event) => {
                        if !ledger.events.note(&event) {
                            zone.exchange.refuse();
                        }
                    }
                    KeeperNews::StoreLost(restart) => ledger.restart(zone.tick(), restart),
                    KeeperNews::Refused => zone.exchange.refuse(),
                    KeeperNews::Failed(error) => zone.exchange.fail(error.into()),
                }
            }
        });
    });
}

/// Makes the agents of an entry live here. Returns whether the entry was valid.
fn take_over(world: &mut World, zone: &mut Zone, ledger: &mut Ledger, entry: &Entry) -> bool {
    let Ok(read) = LedgerEntry::from_bytes(&entry.contents) else {
        return false;
    };
    if !ledger.extent.received.note(entry.from, read.number) {
        // Written again, since the store had lost it.
        return true;
    }
    let Some(agents) = read.agents else {
        return true;
    };
    let ids = agents.ids().to_vec();
    if !insert_news(world, agents) {
        return false;
    }
    let mut departed = world.resource_mut::<Departed>();
    for agent in &ids {
        departed.forget(agent.id);
    }
    let count = ids.len() as u64;
    zone.counts.taken_over += count;
    let under_way = zone.tick().saturating_sub(read.tick) as usize;
    let longest = zone.counts.under_way.len() - 1;
    zone.counts.under_way[under_way.min(longest)] += count;
    true
}
