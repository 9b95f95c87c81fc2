//! The facts of a decision as they are looked up: in the chaser's components, its target's view and
//! the fields.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    params::DecideParams,
    rules::{Facts, FieldRange},
};
use crate::systems::{
    fields::{FarRequests, FarSharer, FieldAnswer, SharedField},
    reach::{self, Approach},
    storage::chaser::ChaserView,
    target_view::TargetView,
};
use nav_grid::{Footprint, rules::BodyPolicy};

/// Whether chasers that follow the field around their target keep to it.
#[inline]
pub(super) fn keeps_field(view: &TargetView) -> bool {
    view.field.is_some_and(SharedField::leads_on)
}

/// The facts about a chaser that sees its target.
pub(super) struct ChaserFacts<'s, 'a, 'c> {
    pub(super) params: &'s DecideParams<'s, 's>,
    pub(super) chaser: &'s ChaserView<'c>,
    pub(super) has_new_target: bool,
    pub(super) view: &'s TargetView<'a>,
    pub(super) far: &'s mut FarRequests,
}

impl ChaserFacts<'_, '_, '_> {
    #[inline]
    fn approach(&self) -> Approach {
        self.view.approach(self.chaser)
    }

    /// Whether the target is in the cell where it was when something was last found for it.
    #[inline]
    fn is_target_where_it_was(&self) -> bool {
        let place = self.chaser.cursor.searched_for();
        place.is_some_and(|place| place.cell == self.view.cell())
    }

    #[inline]
    fn answer_of(&self, field: SharedField) -> FieldAnswer {
        let Self { view, chaser, .. } = self;
        field.answer(view.target, chaser.chaser, chaser.cell())
    }

    /// Whether all that the field has for a chaser that failed is a way onto the target, which is not
    /// within reach.
    #[inline]
    fn is_led_onto_target(&self, field: SharedField) -> bool {
        self.is_failing()
            && self
                .view
                .leads_onto_target(field.rules(), self.chaser.cell())
    }

    /// Whether bodies that are walls to the chaser may have moved since its last search, which failed.
    #[inline(always)]
    fn have_bodies_moved(&self) -> bool {
        let tuning = self.chaser.chaser;
        if tuning.rules.bodies == BodyPolicy::Ignore {
            return false;
        }
        let (map, size) = (self.view.target.seen.map, self.view.grid().size());
        self.params.last_move(map, size).is_some_and(|moved| {
            let timer = &self.chaser.search_timer;
            timer.may_have_failed_before(moved, tuning.repath_interval)
        })
    }

    #[inline(always)]
    fn far_answer(&mut self) -> FieldAnswer {
        let Self { chaser, view, .. } = *self;
        let sharer = FarSharer {
            chaser: chaser.chaser,
            cell: chaser.cell(),
            map: view.map,
            now: self.params.now(),
            period: chaser.move_timer.chasing,
            shares: chaser.cursor.shares_far(),
        };
        let (fields, field) = (&self.params.fields, (view.tuning.group(), view.slot));
        fields.far_answer(field, view.target, sharer, self.far)
    }
}

impl Facts for ChaserFacts<'_, '_, '_> {
    #[inline]
    fn follows_field(&self) -> bool {
        self.chaser.cursor.shares_near()
    }

    #[inline]
    fn field_leads_on(&self) -> bool {
        keeps_field(self.view)
    }

    #[inline]
    fn is_prepared(&self) -> bool {
        let footprint = match self.view.field {
            Some(field) => field.rules().footprint,
            None => self.chaser.chaser.rules.footprint,
        };
        self.view.grid().is_prepared(footprint)
    }

    #[inline]
    fn asks_for_field_again(&mut self) -> bool {
        let field = self.view.shared_field();
        if let Some(field) = field {
            self.answer_of(field);
        }
        field.is_some()
    }

    #[inline]
    fn is_in_reach(&mut self) -> bool {
        self.view.is_reached(self.chaser, self.chaser.cell())
    }

    #[inline]
    fn goes_along(&self) -> bool {
        let chaser = self.chaser;
        chaser.cursor.is_reached()
            && chaser.body.is_some()
            && self
                .view
                .step_along(&chaser.cursor, chaser.cell())
                .is_some()
    }

    #[inline]
    fn is_under_target(&self) -> bool {
        self.view.is_over(self.chaser)
    }

    #[inline]
    fn keeps_beside(&mut self) -> bool {
        let Some(field) = self.view.shared_field().filter(|_| !self.view.is_standing) else {
            return false;
        };
        // One that is made in this tick leads from the next decision on: whether others asked for
        // it before does not show.
        self.answer_of(field) == FieldAnswer::Leads
    }

    #[inline]
    fn keeps_detour(&self) -> bool {
        let (cursor, has_body) = (&self.chaser.cursor, self.chaser.body.is_some());
        let is_on_detour = cursor.is_on_detour() && has_body;
        // Who was held up would come back to where it was.
        is_on_detour && cursor.was_held_up()
            || (is_on_detour || cursor.goes_around()) && self.is_target_where_it_was()
    }

    #[inline(always)]
    fn shared_field(&mut self) -> (FieldAnswer, FieldRange) {
        let Some(field) = self.view.shared_field() else {
            return (FieldAnswer::Nothing, FieldRange::Near);
        };
        match self.answer_of(field) {
            FieldAnswer::Leads if self.is_led_onto_target(field) => {
                (FieldAnswer::Nothing, FieldRange::Near)
            }
            FieldAnswer::Nothing if field.sees_far() => (self.far_answer(), FieldRange::Far),
            answer => (answer, FieldRange::Near),
        }
    }

    #[inline]
    fn has_new_target(&self) -> bool {
        self.has_new_target
    }

    #[inline]
    fn has_path(&self) -> bool {
        let cursor = &self.chaser.cursor;
        // A chaser that follows a path has waypoints; they lie elsewhere in memory.
        cursor.is_on_path() || cursor.is_reached() && !cursor.path().is_empty()
    }

    #[inline]
    fn has_target_moved(&self) -> bool {
        let ChaserView { cursor, chaser, .. } = self.chaser;
        let place = self.view.target.seen.position;
        // Most targets did not move at all: then the widest column is not read.
        cursor.is_displaced(place, 0.0) && cursor.is_displaced(place, chaser.displacement)
    }

    #[inline]
    fn is_due(&self) -> bool {
        self.params.now() >= self.chaser.search_timer.next_search()
    }

    #[inline]
    fn is_failing(&self) -> bool {
        self.chaser.search_timer.failures() > 0
    }

    #[inline]
    fn is_queued(&self) -> bool {
        self.chaser.cursor.is_queued()
    }

    #[inline(always)]
    fn awaits_change(&self) -> bool {
        let (timer, from) = (&self.chaser.search_timer, self.chaser.cell());
        timer.awaits_change(from, self.params.now())
            && self.is_target_where_it_was()
            && !self.have_bodies_moved()
    }

    #[inline]
    fn may_detour(&self) -> bool {
        let away = self.view.away(self.chaser.cell());
        self.chaser.body.is_some() && self.view.allows_detour(away)
    }

    #[inline]
    fn may_be_shorter(&self) -> bool {
        self.chaser.search_timer.may_be_shorter()
    }

    #[inline]
    fn path_ends_at_target(&self) -> bool {
        let end = self.chaser.cursor.path().end();
        let rules = self.approach().rules;
        end.is_some_and(|end| reach::leads_to(rules, end, &self.view.target.seen))
    }

    #[inline]
    fn is_path_far_off(&self) -> bool {
        let cursor = &self.chaser.cursor;
        let drift = if self.is_failing() {
            // The path leads nearer only: what is left is at least the straight way.
            let straight = self.view.away(self.chaser.cell());
            f32::from(straight / NEARER_DRIFT_SHARE)
        } else {
            far_drift(cursor.path().len())
        };
        cursor.is_displaced(self.view.target.seen.position, drift)
    }

    #[inline]
    fn is_one_step_on(&self) -> bool {
        let path = self.chaser.cursor.path();
        path.end().is_some_and(|end| {
            let (to, rules) = (self.view.cell(), self.approach().rules);
            let straight = usize::from(self.chaser.cell().chebyshev(to));
            rules.footprint == Footprint::ONE
                && path.len() < straight + DETOUR_MAX
                && self.view.grid().allows_step(end, to, rules)
        })
    }
}

/// How many waypoints more than the straight way a path may have that is extended by a step.
const DETOUR_MAX: usize = 4;

/// A target is worth another search when it went away by one part in so many of the way that is left.
const DRIFT_SHARE: u16 = 8;

/// The same for who comes nearer only: its way ends short of the target wherever that goes, and it searches
/// again from there.
const NEARER_DRIFT_SHARE: u16 = 4;

/// How far, in cells, the target of a far chase must go from where the path leads to be worth
/// another search: an eighth of the way that is left. For near targets the chaser's own threshold
/// is enough.
fn far_drift(waypoints: usize) -> f32 {
    const FAR: usize = 32;
    if waypoints > FAR {
        (waypoints / usize::from(DRIFT_SHARE)) as f32
    } else {
        0.0
    }
}
