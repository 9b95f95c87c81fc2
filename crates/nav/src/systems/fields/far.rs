//! Fields for chasers beyond the window of their target's field.

use super::{Fields, Lead, Made, RADIUS_MAX, Share, Shared};
use crate::{CellPosition, Chaser, NavMap, NavTime, Period, systems::targets::Target};
use nav_grid::{
    Cell, Terrain,
    fields::{PortalField, PortalFlow},
};

/// From so many chasers of a target on, one field over the portals of a map costs less than a
/// path over them for each. To aim one costs about as much as three paths across a map, and
/// those who are far apart have it look at clusters of their own.
pub(super) const FAR_CHASERS_MIN: u32 = 8;

/// A field is worth aiming anew when one in so many chasers would else search: all the others have
/// it look at the ground around them again, each of which costs a part of a search.
pub(super) const FAR_DRIFT_SHARE: u32 = 8;

/// The field of a target over the portals of its map.
#[derive(Default)]
pub(super) struct Far {
    pub(super) field: PortalField,
    pub(super) made: Option<Made>,
    /// From where chasers ask about it in this tick.
    pub(super) asked: Vec<Cell>,
}

/// A chaser that asks about the far field of its target.
#[derive(Clone, Copy)]
pub(crate) struct FarAsk {
    pub(super) kind: usize,
    pub(super) slot: usize,
    pub(super) cell: Cell,
}

/// A chaser whose target went so far from where the far field leads that it searches for itself.
#[derive(Clone, Copy)]
pub(crate) struct Drift {
    pub(super) slot: usize,
    /// How often it is heard: once in so much time.
    pub(super) period: Period,
}

/// What chasers have to say of the far fields of their targets.
#[derive(Default)]
pub(crate) struct FarNotes {
    pub(super) asks: Vec<FarAsk>,
    pub(super) drifts: Vec<Drift>,
}

impl FarNotes {
    pub(crate) fn is_empty(&self) -> bool {
        self.asks.is_empty() && self.drifts.is_empty()
    }

    pub(crate) fn append(&mut self, more: &mut Self) {
        self.asks.append(&mut more.asks);
        self.drifts.append(&mut more.drifts);
    }
}

/// Who wants to share a far field.
#[derive(Clone, Copy)]
pub(crate) struct FarSharer<'a> {
    pub(crate) chaser: &'a Chaser,
    pub(crate) cell: Cell,
    pub(crate) map: &'a NavMap,
    pub(crate) now: NavTime,
    /// How often it is decided for.
    pub(crate) period: Period,
    /// Whether it follows the field already.
    pub(crate) shares: bool,
}

impl FarSharer<'_> {
    /// Whether its searches may look so far, and the map is prepared for it.
    fn may_share(self, target: &Target) -> bool {
        let Chaser { limits, rules, .. } = *self.chaser;
        let portals = self.map.portals();
        limits.radius > RADIUS_MAX
            && self.cell.chebyshev(target.seen.position.cell) <= limits.radius
            && portals.is_some_and(|portals| portals.serves(self.map.grid(), rules))
    }

    /// Whether a target went away from a place by more than an eighth of the way to there.
    fn has_drifted(self, target: &Target, place: CellPosition) -> bool {
        let eighth = f32::from(self.cell.chebyshev(target.seen.position.cell) / 8);
        let threshold = self.chaser.displacement.max(eighth);
        target.seen.position.displaced(&place, threshold)
    }
}

impl Fields {
    /// What the far field of a target has for a chaser of a kind. Asks for it to be made if it has
    /// to be, and notes if it leads too far beside the target for this chaser.
    pub(crate) fn share_far(
        &self,
        (kind, slot): (usize, usize),
        target: &Target,
        sharer: FarSharer<'_>,
        notes: &mut FarNotes,
    ) -> Share {
        let Some(shared) = self.shapes[kind].shared.get(slot) else {
            return Share::Nothing;
        };
        if target.chasers < FAR_CHASERS_MIN || !sharer.may_share(target) {
            return Share::Nothing;
        }
        if let Some((place, since)) = target.anchor.far
            && sharer.has_drifted(target, place)
        {
            if sharer.now >= since.after(sharer.chaser.repath_interval) {
                let period = sharer.period;
                notes.drifts.push(Drift { slot, period });
            }
            return Share::Nothing;
        }
        let terrain = terrain(sharer.map);
        let far = shared.far.as_ref();
        let made = far.and_then(|far| Some((far, far.made_for(target, sharer.map)?)));
        match made {
            Some((_, made)) if !made.serves => Share::Nothing,
            Some((far, _)) if far.field.is_prepared(terrain, sharer.cell) => {
                // Who shares it already sees when it steps.
                if sharer.shares || far.field.look(terrain, sharer.cell).is_some() {
                    Share::Leads
                } else {
                    Share::Nothing
                }
            }
            _ => {
                let cell = sharer.cell;
                notes.asks.push(FarAsk { kind, slot, cell });
                Share::Coming
            }
        }
    }

    /// What leads on from a cell by the far field of a target. What it says of cells that no
    /// chaser [asked](Self::share_far) from, nor from beside them, is not to be relied on.
    pub(crate) fn look_far(
        &self,
        (kind, slot): (usize, usize),
        target: &Target,
        map: &NavMap,
        cell: Cell,
    ) -> Option<Lead> {
        let Shared { far, .. } = self.shapes[kind].shared.get(slot)?;
        let far = far.as_ref()?;
        far.made.filter(|made| made.serves && made.is_of(target))?;
        let PortalFlow {
            nearer,
            level,
            link,
            ..
        } = far.field.look(terrain(map), cell)?;
        Some(Lead {
            nearer,
            level,
            link,
        })
    }
}

impl Far {
    /// What it was made for, if that is a target where its anchor is now, on the map as it is.
    pub(super) fn made_for(&self, target: &Target, map: &NavMap) -> Option<&Made> {
        let (anchor, _) = target.anchor.far?;
        let made = self.made.as_ref()?;
        let is_current = made.place == anchor && made.version == map.grid().version();
        (made.is_of(target) && is_current).then_some(made)
    }
}

/// A map with what was prepared of it. Nobody is in the way of a field.
pub(super) fn terrain(map: &NavMap) -> Terrain<'_> {
    Terrain::from(map.indexed())
}
