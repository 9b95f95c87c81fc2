//! The field that chasers of one group and one target share, as these chasers see it.

use super::target_fields::{FieldKey, FieldRequests, NearField, TargetFields};
use crate::{
    Chaser,
    systems::{guidance::Ranked, storage::targets::Target},
};
use nav_grid::{Cell, Directions, Grid, Rules, fields::CostField};
use std::sync::atomic::Ordering::Relaxed;

/// From this many chasers on, a cost field of a whole window is worth its work: it costs some fifty
/// searches.
pub(super) const WHOLE_COST_FIELD_CHASERS_MIN: u32 = 48;

/// The field that chasers of one group and one target share.
#[derive(Clone, Copy)]
pub(crate) struct SharedField<'a> {
    pub(super) key: &'a FieldKey,
    pub(super) fields: &'a TargetFields,
}

/// The answer of a field to a chaser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldAnswer {
    /// The field leads from the chaser's cell.
    Leads,
    /// The field is made, or made again, in this tick.
    Pending,
    /// The field does not reach the chaser, or cannot serve the ground.
    Nothing,
}

impl SharedField<'_> {
    /// How chasers of the group move.
    pub(crate) const fn rules(self) -> Rules {
        self.key.rules
    }

    /// Whether chasers of the group may share a field beyond the near one.
    pub(crate) const fn sees_far(self) -> bool {
        !self.is_close()
    }

    /// Whether chasers of the group share the field only close to the target, and while that moves.
    pub(crate) const fn is_close(self) -> bool {
        self.key.reach < self.key.radius
    }

    /// Returns what the field has for a chaser at a cell, and asks for the field if it is missing.
    #[inline]
    pub(crate) fn answer(
        self,
        target: &Target,
        chaser: &Chaser,
        cell: Cell,
        requests: &mut FieldRequests,
    ) -> FieldAnswer {
        let answer = self.look(target, cell);
        if answer == FieldAnswer::Pending {
            requests.note_wish(target, chaser);
            // Read first: all chasers of a target ask for the same.
            if !self.fields.asked.load(Relaxed) {
                self.fields.asked.store(true, Relaxed);
            }
        }
        answer
    }

    /// Returns what the field has for a chaser at a cell, as the field is now.
    #[inline]
    pub(crate) fn look(self, target: &Target, cell: Cell) -> FieldAnswer {
        let anchor = target.anchor.aimed.map(|(place, _)| place);
        let centre = anchor.unwrap_or(target.seen.position);
        if centre.cell.chebyshev(cell) > self.key.reach {
            return FieldAnswer::Nothing;
        }
        let is_whole_worth_it = target.chasers >= WHOLE_COST_FIELD_CHASERS_MIN;
        match self.fields.made_for(target) {
            Some(made) if !(made.wants_more && is_whole_worth_it) => {
                if made.serves && self.fields.reaches(cell) {
                    FieldAnswer::Leads
                } else {
                    FieldAnswer::Nothing
                }
            }
            _ => FieldAnswer::Pending,
        }
    }

    /// Whether the field leads chasers to its anchor.
    pub(crate) fn leads(self) -> bool {
        self.fields.leads
    }

    /// Whether chasers keep following the field: it leads, or is made again in this tick.
    #[inline]
    pub(crate) fn leads_on(self) -> bool {
        self.fields.leads || self.fields.asked.load(Relaxed)
    }

    /// Requests a re-aim as soon as the target is in another cell.
    #[inline]
    pub(crate) fn want(self) {
        if !self.fields.wanted.load(Relaxed) {
            self.fields.wanted.store(true, Relaxed);
        }
    }

    /// Returns the moves from a cell along the field, without the direction of the target; none at
    /// the end of the field. `None` where the field does not reach, or does not lead to the anchor.
    ///
    /// Only cost fields read the grid.
    #[inline(always)]
    pub(crate) fn next_cells<'g>(
        self,
        cell: Cell,
        grid: impl FnOnce() -> Option<&'g Grid>,
    ) -> Option<Ranked> {
        let (best, sides) = match &self.fields.near {
            _ if !self.fields.leads => return None,
            // Ghosts block nothing, so they need no sides.
            Some(NearField::Flow(flow)) if !self.key.has_bodies => {
                (flow.nearer(cell)?, Directions::NONE)
            }
            Some(NearField::Flow(flow)) => {
                let flow = flow.look(cell)?;
                (flow.nearer, flow.level)
            }
            Some(NearField::Cost(field)) => {
                return self.next_cells_by_cost(field, cell, grid()?);
            }
            None => return None,
        };
        Some(Ranked::ways(best, sides, None))
    }

    #[inline(never)]
    fn next_cells_by_cost(self, field: &CostField, cell: Cell, grid: &Grid) -> Option<Ranked> {
        let flow = field.look(grid, cell)?;
        let sides = if self.key.has_bodies {
            flow.sides
        } else {
            Directions::NONE
        };
        Some(Ranked::ways(flow.best, sides, flow.link))
    }
}
