//! The field that chasers of one group and one target share, as they look at it.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    group::FieldKey,
    target_fields::{NearField, TargetFields},
    worth,
};
use crate::{Chaser, systems::storage::targets::Target};
use nav_grid::{Cell, Directions, Grid, Rules};
use std::sync::atomic::Ordering::Relaxed;

/// The field that chasers of one group and one target share.
#[derive(Clone, Copy)]
pub(crate) struct SharedField<'a> {
    key: &'a FieldKey,
    fields: &'a TargetFields,
}

/// The next cells from one, as a field ranks them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NextCells {
    /// Steps onto the best ways; none at the end.
    pub(crate) best: Directions,
    /// Steps past who is on those, that lead on nearly as well.
    pub(crate) sides: Directions,
    /// A link onto the best way.
    pub(crate) link: Option<Cell>,
}

impl NextCells {
    /// Whether nothing leads on: the field ends here.
    #[inline]
    pub(crate) const fn is_end(&self) -> bool {
        self.best.is_empty() && self.link.is_none()
    }
}

/// Whether a field has something for a chaser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldAnswer {
    /// The chaser is on it.
    Leads,
    /// It is made, or made anew, in this tick.
    Pending,
    /// It does not reach the chaser, or cannot serve the ground.
    Nothing,
}

impl<'a> SharedField<'a> {
    #[inline]
    pub(super) const fn new(key: &'a FieldKey, fields: &'a TargetFields) -> Self {
        Self { key, fields }
    }

    /// How chasers of the group move.
    #[inline]
    pub(crate) const fn rules(self) -> Rules {
        self.key.rules
    }

    /// Whether chasers of the group may see further than a field around their target reaches.
    pub(crate) const fn sees_far(self) -> bool {
        self.key.sees_far()
    }

    /// Whether they share it only close to their target, and while that moves.
    pub(crate) const fn is_close(self) -> bool {
        self.key.is_close()
    }

    /// What the field has for a chaser at a cell; asks for it to be made if it has to be.
    #[inline]
    pub(crate) fn answer(self, target: &Target, chaser: &Chaser, cell: Cell) -> FieldAnswer {
        let answer = self.look(target, cell);
        if answer == FieldAnswer::Pending {
            self.ask(target, chaser);
        }
        answer
    }

    /// What the field has for a chaser at a cell, as it is now.
    #[inline]
    pub(crate) fn look(self, target: &Target, cell: Cell) -> FieldAnswer {
        let Self { key, fields } = self;
        let anchor = target.anchor.aimed.map(|(place, _)| place);
        let centre = anchor.unwrap_or(target.seen.position);
        if centre.cell.chebyshev(cell) > key.reach {
            return FieldAnswer::Nothing;
        }
        match fields.made_for(target) {
            Some(made) if !(made.wants_more && worth::whole_weighted_field(target.chasers)) => {
                if made.serves && self.reaches(cell) {
                    FieldAnswer::Leads
                } else {
                    FieldAnswer::Nothing
                }
            }
            _ => FieldAnswer::Pending,
        }
    }

    /// Whether the field leads chasers to where it is anchored.
    #[inline]
    pub(crate) fn leads(self) -> bool {
        self.fields.leads
    }

    /// Whether chasers that follow the field keep to it: it leads, or is made anew in this tick.
    #[inline]
    pub(crate) fn leads_on(self) -> bool {
        self.fields.leads || self.fields.asked.load(Relaxed)
    }

    /// Has the field follow its target as closely as a chaser asks for that comes to it.
    pub(crate) fn follow_for(self, target: &Target, chaser: &Chaser) {
        self.fields.wish.note(chaser, &target.anchor);
    }

    /// Has the field be aimed anew as soon as the target is in another cell.
    #[inline]
    pub(crate) fn want(self) {
        if !self.fields.wanted.load(Relaxed) {
            self.fields.wanted.store(true, Relaxed);
        }
    }

    fn ask(self, target: &Target, chaser: &Chaser) {
        self.follow_for(target, chaser);
        // Read first: all chasers of a target ask for the same.
        if !self.fields.asked.load(Relaxed) {
            self.fields.asked.store(true, Relaxed);
        }
    }

    /// Whether a way leads from a cell to where the field is anchored.
    #[inline]
    fn reaches(self, cell: Cell) -> bool {
        match &self.fields.near {
            Some(NearField::Flow(flow)) => flow.reaches(cell),
            Some(NearField::Weighted(field)) => field.cost(cell).is_some(),
            None => false,
        }
    }

    /// The next cells from one of a map, which is looked at by fields of costs only. Nothing where the field does
    /// not reach, and nothing from one that leads elsewhere than to the anchor of the target.
    #[inline(always)]
    pub(crate) fn next_cells<'g>(
        self,
        cell: Cell,
        grid: impl FnOnce() -> Option<&'g Grid>,
    ) -> Option<NextCells> {
        match &self.fields.near {
            _ if !self.fields.leads => None,
            // Nobody is in the way of the others.
            Some(NearField::Flow(flow)) if !self.key.has_bodies => Some(NextCells {
                best: flow.nearer(cell)?,
                sides: Directions::NONE,
                link: None,
            }),
            Some(NearField::Flow(flow)) => {
                let flow = flow.look(cell)?;
                Some(NextCells {
                    best: flow.nearer,
                    sides: flow.level,
                    link: None,
                })
            }
            _ => self.next_cells_weighted(cell, grid()?),
        }
    }

    /// Whether a side of a cell is nearer to the target than that is. Where all steps cost the same none is. Those
    /// that are not are less than a straight step further away, so that best steps from there lead nearer.
    pub(crate) fn is_nearer(self, side: Cell, cell: Cell) -> bool {
        let Some(NearField::Weighted(field)) = &self.fields.near else {
            return false;
        };
        let costs = field.cost(side).zip(field.cost(cell));
        costs.is_some_and(|(of_side, of_cell)| of_side < of_cell)
    }

    #[inline(never)]
    fn next_cells_weighted(self, cell: Cell, grid: &Grid) -> Option<NextCells> {
        let Some(NearField::Weighted(field)) = &self.fields.near else {
            return None;
        };
        if self.key.has_bodies {
            let flow = field.look(grid, cell)?;
            return Some(NextCells {
                best: flow.best,
                sides: flow.sides,
                link: flow.link,
            });
        }
        // Nobody is in the way of the others: one way will do.
        field.cost(cell)?;
        let next = field.next(cell);
        let step = next.and_then(|next| cell.direction_to(next));
        let best = step.map_or(Directions::NONE, Directions::from);
        Some(NextCells {
            best,
            sides: Directions::NONE,
            link: next.filter(|_| step.is_none()),
        })
    }
}
