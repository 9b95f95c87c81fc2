//! One far field to make or to extend, and how much it may expand.

use super::{
    budget::{FieldBudget, Grant},
    far_field::{FarField, terrain},
    origin::FieldOrigin,
};
use crate::{NavMap, NavTime, systems::reach::covering};
use nav_grid::{Rules, fields::PortalField};

/// A far field to make, or to extend.
pub(crate) struct FarJob {
    pub(super) group: usize,
    pub(super) slot: usize,
    pub(super) rules: Rules,
    /// What it is to be made for.
    pub(super) made: FieldOrigin,
    /// When its anchor was set.
    pub(super) since: NavTime,
    /// Whether it is made for something else.
    pub(super) is_new: bool,
    /// Whether it waits for the budget of a later tick.
    pub(super) waits: bool,
    /// What it may expand to look at the ground.
    pub(super) allowed: u32,
    pub(super) far: Box<FarField>,
    pub(super) expanded: u32,
}

/// What it takes at most to prepare the ground around a chaser.
pub(super) const AROUND: u32 = PortalField::CLUSTERS_AROUND * PortalField::CLUSTER_EXPANSIONS;

impl FarJob {
    /// Whether it is made in this tick. One that no tick has room for is noted to be of no use.
    pub(super) fn is_granted(&mut self, map: &NavMap, budget: &mut FieldBudget) -> bool {
        if budget.whole().is_none() {
            return true;
        }
        let portals = map.portals();
        // Each is met from both sides, in most cases once.
        let most = portals.map_or(0, |portals| 2 * portals.count() as u32);
        let grant = budget.ask(most);
        if grant == Grant::Never {
            self.far.made = Some(self.made);
        }
        grant == Grant::Now
    }

    pub(super) fn make(&mut self, map: &NavMap) {
        if self.is_new && !self.waits {
            self.aim(map);
        }
        let FarField { field, asked, .. } = &mut *self.far;
        if !self.waits {
            let begun = field.counters().expanded;
            let looked = |field: &PortalField| field.counters().expanded - begun;
            for &cell in &*asked {
                if looked(field) + AROUND > self.allowed {
                    break;
                }
                field.prepare(terrain(map), cell);
            }
            self.expanded += looked(field);
        }
        asked.clear();
    }

    fn aim(&mut self, map: &NavMap) {
        let FarField { field, made, .. } = &mut *self.far;
        // A field knows maps by their versions only.
        if made.is_none_or(|made| made.map != self.made.map) {
            *field = PortalField::new();
        }
        // The place from which a large body covers the target, nearest to its own anchor.
        let target = self.made.place.cell;
        let place = covering(map.grid(), self.rules.footprint, target)
            .min_by_key(|&anchor| (anchor.chebyshev(target), anchor));
        let place = place.unwrap_or(target);
        self.made.serves = field.aim(terrain(map), self.rules, place).is_ok();
        *made = Some(self.made);
        self.expanded = field.counters().expanded;
    }
}
