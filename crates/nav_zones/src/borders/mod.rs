//! Borders: zones send each other the bodies near them, and lend each other cells, so that no two solid bodies come to
//! stand on one.
//!
//! The zone that has a cell decides who stands on it. A solid body steps onto cells of others only if all of
//! them lent it that step. What zones send before each tick is how they stand, each list as a whole, with a number: what
//! each does depends on the latest list of every other one, however old that is.

mod lists;
mod loans;
mod view;
mod wishes;

pub(crate) use loans::Lent;

use self::{
    lists::{BorderList, Left},
    loans::{Loan, LoanKey},
    wishes::OwnWish,
};
use crate::{Zone, ZoneId, agents::maps, rounds::Topic};
use bevy_ecs::prelude::*;
use nav::AgentId;
use std::collections::{BTreeMap, BTreeSet};

/// What a zone knows of its borders.
#[derive(Resource, Default)]
pub(crate) struct Borders {
    /// How many lists were sent.
    number: u64,
    /// The latest list of each other zone.
    latest: BTreeMap<ZoneId, BorderList>,
    /// What solid bodies of this zone wish for.
    wishes: BTreeMap<AgentId, OwnWish>,
    /// What this zone lent.
    lent: BTreeMap<LoanKey, Loan>,
    /// Those with bodies who lived here after the last tick.
    lived: BTreeSet<AgentId>,
    /// Those who were handed over, until the zones where they live list them.
    left: BTreeMap<AgentId, Left>,
    /// Whom other zones list: these mirrors are kept.
    in_view: BTreeSet<AgentId>,
}

impl Borders {
    /// Whether a body is near enough to be listed by its zone.
    pub(crate) fn is_in_view(&self, agent: AgentId) -> bool {
        self.in_view.contains(&agent)
    }
}

/// Sends the other zones which bodies are near them and what these wish for, receives theirs, and lends them cells.
///
/// Runs before navigation, when the game moved and spawned whom it wanted, and when agents were handed over: each lives
/// in one zone then, which lists it.
pub(crate) fn share_borders(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        world.resource_scope(|world, mut borders: Mut<Borders>| {
            exchange(world, &mut zone, &mut borders);
        });
    });
}

fn exchange(world: &mut World, zone: &mut Zone, borders: &mut Borders) {
    let maps = maps(world);
    borders.number += 1;
    borders.number_wishes(world, zone);
    let bodies = borders.bodies_in_view(world, zone, &maps);
    let mut sent = 0;
    let received = zone.rounds.exchange(Topic::Borders, |to| {
        let list = borders.list_for(to, zone, &bodies);
        sent += list.bodies.len() as u64;
        list
    });
    zone.counts.bodies_sent += sent;
    borders.latest.extend(received);
    borders.show(world, &maps);
    zone.counts.steps_lent += borders.lend(world, zone, &maps);
    borders.follow_loans(world);
}
