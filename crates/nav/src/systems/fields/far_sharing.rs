//! Sharing far fields: what one has for a chaser, and what chasers ask of it.

use super::{
    far_field::terrain,
    group::RADIUS_MAX,
    shared_field::{FieldAnswer, NextCells},
    store::Fields,
    worth::FAR_CHASERS_MIN,
};
use crate::{CellPosition, Chaser, NavMap, NavTime, Period, systems::storage::targets::Target};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, fields::PortalFlow};

/// A chaser that asks about the far field of its target.
#[derive(Clone, Copy)]
pub(super) struct FarAsk {
    pub(super) group: usize,
    pub(super) slot: usize,
    pub(super) cell: Cell,
}

/// A chaser whose target went so far from where the far field leads that it searches for itself.
#[derive(Clone, Copy)]
pub(super) struct Drift {
    pub(super) slot: usize,
    /// How often it is counted: once in so much time.
    pub(super) period: Period,
}

/// What chasers ask of the far fields of their targets in a tick.
#[derive(Resource, Default)]
pub(crate) struct FarRequests {
    pub(super) asks: Vec<FarAsk>,
    pub(super) drifts: Vec<Drift>,
}

impl FarRequests {
    pub(crate) fn is_empty(&self) -> bool {
        self.asks.is_empty() && self.drifts.is_empty()
    }

    pub(crate) fn append(&mut self, more: &mut Self) {
        self.asks.append(&mut more.asks);
        self.drifts.append(&mut more.drifts);
    }
}

/// What a far field has for a chaser, as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FarLook {
    /// The chaser is on it.
    Leads,
    /// It is to be made, or more of it is to be prepared.
    Pending {
        /// That of the chaser.
        group: usize,
    },
    /// It leads too far beside the target for this chaser.
    Drifted {
        /// When it was aimed.
        since: NavTime,
    },
    /// It does not serve the chaser.
    Nothing,
}

/// A chaser that wants to share a far field.
#[derive(Clone, Copy)]
pub(crate) struct FarSharer<'a> {
    pub(crate) chaser: &'a Chaser,
    pub(crate) cell: Cell,
    pub(crate) map: &'a NavMap,
    pub(crate) now: NavTime,
    /// How often a decision is made for it.
    pub(crate) period: Period,
    /// Whether it follows the field already.
    pub(crate) shares: bool,
}

impl FarSharer<'_> {
    /// Whether its searches may reach so far, and the map has portals for it.
    fn may_share(self, target: &Target) -> bool {
        let Chaser { limits, rules, .. } = *self.chaser;
        let portals = self.map.portals();
        limits.radius > RADIUS_MAX
            && self.cell.chebyshev(target.seen.position.cell) <= limits.radius
            && portals.is_some_and(|portals| portals.serves(self.map.grid(), rules))
    }

    /// Whether a target moved away from a place by more than an eighth of the way to there.
    fn has_drifted(self, target: &Target, place: CellPosition) -> bool {
        let eighth = f32::from(self.cell.chebyshev(target.seen.position.cell) / 8);
        let threshold = self.chaser.displacement.max(eighth);
        target.seen.position.displaced(&place, threshold)
    }
}

impl Fields {
    /// What the far field of a target has for a chaser of a group. Asks for it to be made if it has
    /// to be, and notes if it leads too far beside the target for this chaser.
    #[inline(never)]
    pub(crate) fn far_answer(
        &self,
        (group, slot): (Option<usize>, usize),
        target: &Target,
        sharer: FarSharer<'_>,
        requests: &mut FarRequests,
    ) -> FieldAnswer {
        match self.far_look((group, slot), target, sharer) {
            FarLook::Leads => FieldAnswer::Leads,
            FarLook::Nothing => FieldAnswer::Nothing,
            FarLook::Pending { group } => {
                let cell = sharer.cell;
                requests.asks.push(FarAsk { group, slot, cell });
                FieldAnswer::Pending
            }
            FarLook::Drifted { since } => {
                if sharer.now >= since.after(sharer.chaser.repath_interval) {
                    let period = sharer.period;
                    requests.drifts.push(Drift { slot, period });
                }
                FieldAnswer::Nothing
            }
        }
    }

    /// What the far field of a target has for a chaser of a group, as it is now.
    pub(crate) fn far_look(
        &self,
        (group, slot): (Option<usize>, usize),
        target: &Target,
        sharer: FarSharer<'_>,
    ) -> FarLook {
        let Some((group, fields)) = group.and_then(|group| Some((group, self.of(group, slot)?)))
        else {
            return FarLook::Nothing;
        };
        if target.chasers < FAR_CHASERS_MIN || !sharer.may_share(target) {
            return FarLook::Nothing;
        }
        if let Some((place, since)) = target.anchor.far
            && sharer.has_drifted(target, place)
        {
            return FarLook::Drifted { since };
        }
        let terrain = terrain(sharer.map);
        let far = fields.far.as_ref();
        let made = far.and_then(|far| Some((far, far.made_for(target, sharer.map)?)));
        match made {
            Some((_, made)) if !made.serves => FarLook::Nothing,
            Some((far, _)) if far.field.is_prepared(terrain, sharer.cell) => {
                // A chaser that shares it already finds out when it steps.
                if sharer.shares || far.field.look(terrain, sharer.cell).is_some() {
                    FarLook::Leads
                } else {
                    FarLook::Nothing
                }
            }
            _ => FarLook::Pending { group },
        }
    }

    /// The next cells from one by the far field of a target. Unspecified for cells from which no
    /// chaser [asked](Self::far_answer), nor from beside them.
    pub(crate) fn far_next_cells(
        &self,
        (group, slot): (usize, usize),
        target: &Target,
        map: &NavMap,
        cell: Cell,
    ) -> Option<NextCells> {
        let far = self.of(group, slot)?.far.as_ref()?;
        far.made.filter(|made| made.serves && made.is_of(target))?;
        let PortalFlow {
            nearer,
            level,
            link,
            ..
        } = far.field.look(terrain(map), cell)?;
        Some(NextCells {
            best: nearer,
            sides: level,
            link,
        })
    }
}
