//! Hand-over of agents that cross a border, by the ledger.

use crate::{
    Zone, ZoneError,
    agents::maps,
    carried::Carried,
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
    let maps = maps(world);
    world.resource_scope(|world, carried: Mut<Carried>| {
        for (to, agents) in leaving {
            ledger.write_agents(world, &agents, to, (tick, &maps, &carried))?;
            leave_mirrors(world, &agents, to, &carried);
            let mut departed = world.resource_mut::<Departed>();
            for &(id, _) in &agents {
                departed.note(id, to, tick);
            }
            zone.counts.handed_over += agents.len() as u64;
        }
        Ok(())
    })
}

/// Takes over the agents that arrived, and records the writes that were confirmed.
pub(crate) fn receive_news(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            while let Some(news) = ledger.link.next_news() {
                match news {
                    KeeperNews::Appended(place) => ledger.places.written = place,
                    KeeperNews::Announced => {}
                    // One at a time is under way.
                    KeeperNews::SnapshotKept => ledger.snapshots.note_kept(),
                    KeeperNews::Entry(entry) => {
                        ledger.places.read = entry.sequence;
                        if !take_over(world, &mut zone, &mut ledger, &entry) {
                            zone.exchange.refuse();
                        }
                    }
                    KeeperNews::Event(place, event) => {
                        if !ledger.events.note(place, &event) {
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
    let read = LedgerEntry::from_bytes(&entry.contents);
    let Ok(LedgerEntry {
        number,
        tick,
        agents,
        ..
    }) = read
    else {
        return false;
    };
    if !ledger.received.note(entry.from, number) {
        // Written again, since the store had lost it.
        return true;
    }
    let Some(agents) = agents else {
        return true;
    };
    let ids: Vec<_> = agents.ids().iter().map(|&(id, _)| id).collect();
    let maps = maps(world);
    let is_inserted = world.resource_scope(|world, carried: Mut<Carried>| {
        insert_news(world, agents, (&maps, &carried))
    });
    if is_inserted {
        let count = ids.len() as u64;
        let mut departed = world.resource_mut::<Departed>();
        for id in ids {
            departed.forget(id);
        }
        zone.counts.taken_over += count;
        let under_way = zone.tick().saturating_sub(tick) as usize;
        let longest = zone.counts.under_way.len() - 1;
        zone.counts.under_way[under_way.min(longest)] += count;
    }
    is_inserted
}
