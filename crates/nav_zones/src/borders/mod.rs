//! Borders: zones exchange the bodies near them and lend each other cells, so that two solid bodies
//! never share a cell.
//!
//! The zone that owns a cell decides which body may enter it. A solid body steps onto cells of
//! other zones only if all of them lent it that step. A request for such a step is a *wish*, and
//! its grant a *loan*.
//!
//! Before each tick a zone sends its whole state at the border, not changes of it. What a zone does
//! depends only on the latest list of each other zone and on that list's tick. A list may therefore
//! be late or lost.

mod border;
mod lists;
mod loans;
mod settling;
mod view;
mod watch;
mod wishes;

pub use border::{Border, BorderPlugin, BorderStep};
pub(crate) use loans::Lent;

use self::{
    lists::{BorderList, DatedList, LatestLists, SeenBody, SeenStand, WishedStep},
    loans::Loans,
    settling::Settling,
    view::{VIEW, View},
    watch::{Block, WatchedBlocks},
    wishes::Wishes,
};
use crate::{Zone, ZoneId, ZoneLayout, agents::maps, envelope::Topic};
use bevy_ecs::prelude::*;
use nav::AgentId;

/// Border state of a zone.
// Decision 26: docs/decisions/0026-borders-lend-steps.md
#[derive(Resource, Default)]
pub(crate) struct Borders {
    latest: LatestLists,
    wishes: Wishes,
    loans: Loans,
    view: View,
    settling: Settling,
}

/// Sends the other zones the bodies near them with their requests, receives theirs, and lends
/// cells.
///
/// Runs before navigation, after the game moved and spawned agents and after hand-over. Each agent
/// then lives in exactly one zone, which lists it.
pub(crate) fn share_borders(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        world.resource_scope(|world, mut borders: Mut<Borders>| {
            borders.exchange(world, &mut zone);
        });
    });
}

impl Borders {
    /// Returns whether another zone lists a body, whose mirror is then kept.
    pub(crate) fn is_in_view(&self, agent: AgentId) -> bool {
        self.view.has(agent)
    }

    fn exchange(&mut self, world: &mut World, zone: &mut Zone) {
        let maps = maps(world);
        let is_settled = self.settling.step(world, zone);
        self.latest
            .retain(|&other, _| zone.layout.area(other).is_some());
        self.wishes.update(world, zone);
        let bodies = self.view.bodies(world, zone, &maps, &self.wishes);
        let watched = watch::targets_watched(world, zone, &maps);
        // Another process may hold the zone once its lease ran out. Two lenders of one cell would
        // put two bodies on it.
        let lends = is_settled && zone.holds;
        let mut sent = 0;
        let Zone {
            exchange, layout, ..
        } = zone;
        let received = exchange.send_and_receive(Topic::Borders, |to| {
            let loans = if lends { self.loans.of(to) } else { Vec::new() };
            let list = self.list_for(to, layout, (&bodies, &watched), loans);
            sent += list.bodies.len() as u64;
            list
        });
        zone.counts.bodies_sent += sent;
        for (from, tick, list) in received {
            self.latest.insert(from, DatedList { tick, list });
        }
        self.view.show(world, &maps, &self.latest);
        // The mirrors have moved with their bodies, so that their cells need no placeholder any
        // more.
        self.loans.free_unwished(world, &self.latest);
        if lends {
            zone.counts.steps_lent += self.loans.lend(world, zone, &maps, &self.latest);
        }
        if is_settled {
            self.wishes.follow_loans(world, zone.tick(), &self.latest);
        }
    }

    /// Builds the list for another zone.
    fn list_for(
        &self,
        to: ZoneId,
        layout: &ZoneLayout,
        (bodies, watched): (&[SeenBody], &[Block]),
        loans: Vec<(AgentId, WishedStep)>,
    ) -> BorderList {
        let around = match self.latest.get(&to) {
            Some(latest) => WatchedBlocks::around(&latest.list.watched),
            None => WatchedBlocks::default(),
        };
        let mut list = BorderList {
            watched: watched.to_vec(),
            bodies: Vec::new(),
            left: Vec::new(),
            loans,
        };
        for body in bodies {
            if is_seen(body.stand, to, layout, &around) || self.asks(body, to) {
                list.bodies.push(*body);
            }
        }
        for left in self.view.left() {
            if left.to != to && is_seen(left.stand, to, layout, &around) {
                list.left.push(*left);
            }
        }
        list
    }

    /// Returns whether a body of this zone requests a step of another one.
    fn asks(&self, body: &SeenBody, of: ZoneId) -> bool {
        body.wish.is_some()
            && self
                .wishes
                .of(body.agent)
                .is_some_and(|wish| wish.is_of(of))
    }
}

/// Returns whether a zone sees a body: near it, or in blocks that it watches.
fn is_seen(stand: SeenStand, by: ZoneId, layout: &ZoneLayout, watched: &WatchedBlocks) -> bool {
    let area = stand.area();
    layout.is_near(by, area, VIEW) || watched.sees(stand.map, area)
}
