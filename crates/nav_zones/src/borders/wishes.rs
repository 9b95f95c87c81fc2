//! Wishes: steps that bodies of this zone wait for, since when, and which zones have to lend them.

use super::{
    border::{Border, BorderStep},
    lists::{LatestLists, WishedStep, newly_covered},
};
use crate::{Zone, ZoneId};
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, CellPosition, OnMap, extend::Mirror};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that solid bodies of this zone wait for.
#[derive(Default)]
pub(super) struct Wishes(BTreeMap<AgentId, OwnWish>);

/// Step that a body of this zone waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OwnWish {
    step: BorderStep,
    since: u64,
    /// Zones of the cells that the body would newly cover.
    owners: BTreeSet<ZoneId>,
}

/// Ticks after which a loan expires.
///
/// The lender may be taken over by a process that does not know the loan. That process lends
/// nothing for [as long](super::settling::TICKS).
const LOAN_MAX: u64 = super::settling::TICKS;

/// Ticks after which a request to several zones is renewed, unless all of them granted it.
///
/// Each zone may have lent its part to another body that waits for the rest. The renewed request
/// comes after those of such bodies, which resolves the deadlock. 64 ticks are a second at 64 Hz,
/// and a loan that nothing blocks takes two.
const TICKS_MAX: u64 = 64;

impl OwnWish {
    /// Returns the request as the lending zones receive it.
    pub(super) const fn wished(&self) -> WishedStep {
        WishedStep {
            since: self.since,
            to: self.step.to,
        }
    }

    /// Returns whether all owners of the cells lent the step, and not too long ago.
    fn is_lent(&self, agent: AgentId, tick: u64, latest: &LatestLists) -> bool {
        let loan = (agent, self.wished());
        self.owners.iter().all(|owner| {
            latest.get(owner).is_some_and(|latest| {
                let is_valid = tick <= latest.tick + LOAN_MAX;
                is_valid && latest.list.loans.binary_search(&loan).is_ok()
            })
        })
    }

    /// Returns whether a zone has to lend this step.
    pub(super) fn is_of(&self, owner: ZoneId) -> bool {
        self.owners.contains(&owner)
    }
}

impl Wishes {
    /// Returns the step that a body waits for.
    pub(super) fn of(&self, agent: AgentId) -> Option<&OwnWish> {
        self.0.get(&agent)
    }

    /// Returns the bodies that wait for a step.
    pub(super) fn wishers(&self) -> impl Iterator<Item = Entity> {
        self.0.values().map(|wish| wish.step.agent)
    }

    /// Collects the requests since the last tick. An unchanged one keeps its tick; others get this
    /// one.
    pub(super) fn update(&mut self, world: &World, zone: &Zone) {
        let Some(border) = world.get_resource::<Border>() else {
            return;
        };
        let before = std::mem::take(&mut self.0);
        for step in border.wishes() {
            let Ok(wisher) = world.get_entity(step.agent) else {
                continue;
            };
            let (Some(&id), Some(body)) = (wisher.get::<AgentId>(), wisher.get::<Body>()) else {
                continue;
            };
            // The game may have moved the body after its request.
            let is_there = wisher
                .get::<CellPosition>()
                .is_some_and(|at| at.cell == step.from)
                && wisher.get::<OnMap>().is_some_and(|on| on.0 == step.map);
            if !is_there || wisher.contains::<Mirror>() {
                continue;
            }
            let cells = newly_covered(body.footprint, step.from, step.to);
            let zones = cells.map(|cell| zone.layout.zone_of(cell));
            let owners: BTreeSet<ZoneId> = zones.filter(|&owner| owner != zone.id).collect();
            let since = since(before.get(&id), step, owners.len(), zone.tick());
            self.0.insert(
                id,
                OwnWish {
                    step,
                    since,
                    owners,
                },
            );
        }
    }

    /// Applies the steps that all owners of their cells lent.
    pub(super) fn follow_loans(&self, world: &mut World, tick: u64, latest: &LatestLists) {
        let wishes = self.0.iter();
        let lent = wishes.filter(|&(&agent, wish)| wish.is_lent(agent, tick, latest));
        if let Some(mut border) = world.get_resource_mut::<Border>() {
            border.lend(lent.map(|(_, wish)| wish.step));
        }
    }
}

/// Returns the tick since which a step has been requested of `owners` other zones.
fn since(before: Option<&OwnWish>, step: BorderStep, owners: usize, tick: u64) -> u64 {
    match before {
        Some(before) if before.step == step => {
            let is_stale = owners > 1 && tick.saturating_sub(before.since) >= TICKS_MAX;
            if is_stale { tick } else { before.since }
        }
        _ => tick,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Cell;

    fn wish(x: u16, since: u64) -> OwnWish {
        OwnWish {
            step: BorderStep {
                agent: Entity::PLACEHOLDER,
                map: Entity::PLACEHOLDER,
                from: Cell::new(63, 5),
                to: Cell::new(x, 5),
            },
            since,
            owners: BTreeSet::new(),
        }
    }

    #[test]
    fn repeated_request_has_new_tick() {
        let step = wish(64, 0).step;
        assert_eq!(since(None, step, 1, 9), 9);
        assert_eq!(since(Some(&wish(64, 4)), step, 1, 9), 4);
        assert_eq!(since(Some(&wish(65, 4)), step, 1, 9), 9);
    }

    #[test]
    fn partly_lent_step() {
        let (step, late) = (wish(64, 0).step, 4 + TICKS_MAX);
        assert_eq!(since(Some(&wish(64, 4)), step, 2, late - 1), 4);
        assert_eq!(since(Some(&wish(64, 4)), step, 2, late), late);
        assert_eq!(
            since(Some(&wish(64, 4)), step, 1, late),
            4,
            "one zone lends it or does not"
        );
    }
}
