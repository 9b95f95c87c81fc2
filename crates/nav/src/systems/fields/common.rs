//! What the chasers of one target have in common.

use super::{Field, Kind, RADIUS_MAX, Shared, WEIGHTED_CHASERS_MIN};
use crate::systems::targets::Target;
use nav_grid::{Cell, Directions, Rules, fields::FlowField};
use std::sync::atomic::Ordering::Relaxed;

/// What chasers of a kind share who are after one target.
#[derive(Clone, Copy)]
pub(crate) struct Common<'a> {
    kind: &'a Kind,
    shared: &'a Shared,
}

/// What there is to follow from a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    /// Steps that lead nearer; none at the end.
    pub(crate) nearer: Directions,
    /// Steps that lead neither nearer nor away.
    pub(crate) level: Directions,
    /// A link that leads nearer.
    pub(crate) link: Option<Cell>,
}

/// What a shared field has for a chaser.
pub(crate) enum Share {
    /// It is on it.
    Leads,
    /// It is made, or made anew, in this tick.
    Coming,
    /// It does not reach the chaser, or cannot serve the ground.
    Nothing,
}

impl<'a> Common<'a> {
    #[inline]
    pub(super) const fn new(kind: &'a Kind, shared: &'a Shared) -> Self {
        Self { kind, shared }
    }

    /// How those of the kind move.
    #[inline]
    pub(crate) const fn rules(self) -> Rules {
        self.kind.rules
    }

    /// How far a target goes that is worth another search of theirs.
    #[inline]
    pub(crate) const fn displacement(self) -> f32 {
        self.kind.displacement
    }

    /// Whether those of the kind may look further than a field around their target reaches.
    pub(crate) const fn looks_far(self) -> bool {
        self.kind.radius >= RADIUS_MAX
    }

    /// What the field has for a chaser at a cell; asks for it to be made if it has to be.
    #[inline]
    pub(crate) fn share(self, target: &Target, cell: Cell) -> Share {
        let Self { kind, shared } = self;
        let anchor = target.anchor.aimed.map(|(place, _)| place);
        let centre = anchor.unwrap_or(target.seen.position);
        if centre.cell.chebyshev(cell) > kind.radius {
            return Share::Nothing;
        }
        match shared.made_for(target) {
            Some(made) if !(made.wants_more && target.chasers >= WEIGHTED_CHASERS_MIN) => {
                let serves = made.serves && shared.is_worth_it(target.chasers);
                if serves && self.reaches(cell) {
                    Share::Leads
                } else {
                    Share::Nothing
                }
            }
            _ => self.ask(),
        }
    }

    /// Whether chasers that follow the field go on by it: it leads, or is made anew in this tick.
    #[inline]
    pub(crate) fn goes_on(self) -> bool {
        self.shared.leads || self.shared.asked.load(Relaxed)
    }

    fn ask(self) -> Share {
        // Read first: all chasers of a target ask for the same.
        if !self.shared.asked.load(Relaxed) {
            self.shared.asked.store(true, Relaxed);
        }
        Share::Coming
    }

    /// Whether a way leads from a cell to where the field is anchored.
    #[inline]
    fn reaches(self, cell: Cell) -> bool {
        match &self.shared.field {
            Some(Field::Flow(flow)) => flow.reaches(cell),
            Some(Field::Weighted(field)) => field.cost(cell).is_some(),
            None => false,
        }
    }

    /// The field, if it is one of flow that leads.
    #[inline]
    pub(crate) fn flow(self) -> Option<&'a FlowField> {
        match &self.shared.field {
            Some(Field::Flow(flow)) if self.shared.leads => Some(flow),
            _ => None,
        }
    }

    /// What leads on from a cell to the anchor of the target. Nothing where the field does not
    /// reach, and nothing from one that leads elsewhere.
    #[inline]
    pub(crate) fn look(self, cell: Cell) -> Option<Lead> {
        match &self.shared.field {
            _ if !self.shared.leads => None,
            Some(Field::Flow(flow)) => {
                let flow = flow.look(cell)?;
                Some(Lead {
                    nearer: flow.nearer,
                    level: flow.level,
                    link: None,
                })
            }
            _ => self.look_weighted(cell),
        }
    }

    #[inline(never)]
    fn look_weighted(self, cell: Cell) -> Option<Lead> {
        let Some(Field::Weighted(field)) = &self.shared.field else {
            return None;
        };
        field.cost(cell)?;
        let next = field.next(cell);
        let step = next.and_then(|next| cell.direction_to(next));
        Some(Lead {
            nearer: step.map_or(Directions::NONE, Directions::from),
            level: Directions::NONE,
            link: next.filter(|_| step.is_none()),
        })
    }

    /// Whether a chaser that keeps further away than a step is near enough: whether the way from a
    /// cell to where the target is takes at most as many steps as it keeps away, by a field that is
    /// aimed there.
    pub(crate) fn is_within(self, target: &Target, mut cell: Cell, steps: u16) -> bool {
        let place = target.seen.position.cell;
        let aimed = target.anchor.aimed;
        if cell.chebyshev(place) > steps || aimed.is_none_or(|(aimed, _)| aimed.cell != place) {
            return false;
        }
        for _ in 0..steps {
            let lead = self.look(cell);
            let nearer = lead.and_then(|lead| lead.nearer.into_iter().next());
            match nearer.and_then(|way| cell.step(way)) {
                Some(next) if next == place => return true,
                Some(next) => cell = next,
                None => return false,
            }
        }
        false
    }
}
