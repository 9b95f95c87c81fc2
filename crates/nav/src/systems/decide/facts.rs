//! Looking up what a decision about a chaser is made from.

use super::{guide_table::Facts, systems::DecideParams};
use crate::{
    BodyKind, Crowding,
    state::Fingerprint,
    systems::{
        fields::{FarSharer, FieldAnswer, FieldRequests},
        guidance::{Guide, TargetView, reach},
        storage::columns::ChaserView,
    },
};
use nav_grid::{Footprint, rules::BodyPolicy};

/// The facts about a chaser that sees its target.
pub(super) struct ChaserFacts<'s, 'a, 'c> {
    pub(super) params: &'s DecideParams<'s, 's>,
    pub(super) chaser: &'s ChaserView<'c>,
    pub(super) view: &'s TargetView<'a>,
    pub(super) requests: &'s mut FieldRequests,
}

impl ChaserFacts<'_, '_, '_> {
    /// Whether the target is in the cell where it was when something was last found for it.
    #[inline]
    fn is_target_where_it_was(&self) -> bool {
        let place = self.chaser.cursor.searched_for();
        place.is_some_and(|place| place.cell == self.view.cell())
    }

    /// Whether the only way by a shared field ends on the target, out of reach of it, for a chaser
    /// that failed.
    #[cold]
    fn is_led_onto_target(&self, guide: Guide) -> bool {
        let from = self.chaser.cell();
        let rules = self.view.approach(self.chaser).rules;
        let next = guide.next(self.view, from, || rules);
        next.is_some_and(|next| {
            let off = self.view.clear_of_target(next, from, rules);
            !next.is_empty() && off.tiers[0].is_empty() && off.link.is_none()
        })
    }

    /// Whether a search for a way past bodies is of use: not around a target that moves on, as
    /// bodies in the way do, unless one of them stays; nor again while no body moves.
    #[cold]
    fn may_pass(&self) -> bool {
        let chaser = self.chaser;
        let crowding = chaser.crowding();
        // A chaser that avoids bodies searches around them anyway.
        let makes_room = chaser.chaser.rules.bodies == BodyPolicy::Ignore || self.view.is_pressed;
        let is_of_use = makes_room && (self.view.is_standing || crowding.held);
        is_of_use && (crowding.looks == 0 || !self.has_looked_in_vain()) && self.has_turn()
    }

    /// Whether no body moved since the last search for a way past bodies, of a moment ago.
    fn has_looked_in_vain(&self) -> bool {
        let (map, size) = (self.view.target.seen.map, self.view.grid().size());
        let (timer, looks) = (&self.chaser.search_timer, self.chaser.crowding().looks);
        let interval = self.chaser.chaser.repath_interval;
        timer.is_within_rest(self.params.now())
            && !(self.params.last_move(map, size))
                .is_some_and(|moved| timer.looked_before(moved, interval, looks))
    }

    /// Whether it is the turn of a body that was stopped on its detour to search again: drawn at
    /// each move tick, evenly, once it was stopped often and pushed nobody, or bodies push no more.
    /// Two that met would else go to and fro in step, for ever.
    fn has_turn(&self) -> bool {
        let crowding = self.chaser.crowding();
        let pushes_none = crowding.failed_pushes == 0 && crowding.waits >= Crowding::WAITS_MAX;
        let draws = self.chaser.cursor.is_on_detour() && (pushes_none || !self.view.is_pressed);
        let (id, now) = (self.chaser.id, self.params.now());
        !draws || Fingerprint::of(&(id, now)).is_multiple_of(2)
    }

    /// Whether bodies that are walls to the chaser may have moved since its last search, which
    /// failed.
    #[inline]
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

    #[inline]
    fn far_answer(&mut self) -> FieldAnswer {
        let Self { chaser, view, .. } = *self;
        let sharer = FarSharer {
            chaser: chaser.chaser,
            cell: chaser.cell(),
            shares: chaser.cursor.shares_far(),
        };
        let period = chaser.move_timer.chasing;
        view.fields.far_answer(view, sharer, period, self.requests)
    }
}

impl Facts for ChaserFacts<'_, '_, '_> {
    #[inline]
    fn is_held_up(&self) -> bool {
        let chaser = self.chaser;
        chaser.cursor.stands()
            && (chaser.crowding().is_blocked()
                || chaser.crowding().waits > 0 && chaser.cursor.is_on_path())
            && chaser.body.is_some_and(|body| body.kind == BodyKind::Solid)
            && self.is_due()
            && self.may_pass()
    }

    #[inline]
    fn keeps_detour(&self) -> bool {
        let cursor = &self.chaser.cursor;
        cursor.is_on_detour() && {
            let drift = cursor.path().len() / DETOUR_SHARE;
            !cursor.is_displaced(self.view.target.seen.position, drift as f32) && !self.is_barred()
        }
    }

    #[inline]
    fn shared_field(&mut self) -> (FieldAnswer, bool) {
        let Some(field) = self.view.shared_field() else {
            return (FieldAnswer::Nothing, false);
        };
        let (chaser, target) = (self.chaser, self.view.target);
        let answer = field.answer(target, chaser.chaser, chaser.cell(), self.requests);
        let (answer, is_far) = match answer {
            FieldAnswer::Nothing if field.sees_far() => (self.far_answer(), true),
            answer => (answer, false),
        };
        let guide = if is_far {
            Guide::Far
        } else {
            Guide::Near(field)
        };
        if answer == FieldAnswer::Leads && self.is_failing() && self.is_led_onto_target(guide) {
            return (FieldAnswer::Nothing, false);
        }
        (answer, is_far)
    }

    #[inline]
    fn has_path(&self) -> bool {
        let cursor = &self.chaser.cursor;
        // A chaser that follows a path has waypoints; they lie elsewhere in memory.
        cursor.is_on_path() || cursor.is_reached() && !cursor.path().is_empty()
    }

    #[inline]
    fn is_failing(&self) -> bool {
        self.chaser.search_timer.failures() > 0
    }

    #[inline]
    fn is_queued(&self) -> bool {
        self.chaser.cursor.is_queued()
    }

    #[inline]
    fn is_due(&self) -> bool {
        let (timer, now) = (&self.chaser.search_timer, self.params.now());
        now >= timer.next_search() && !timer.waits_for_turn(now)
    }

    #[inline]
    fn awaits_change(&self) -> bool {
        let (timer, from) = (&self.chaser.search_timer, self.chaser.cell());
        timer.awaits_change(from, self.params.now())
            && self.is_target_where_it_was()
            && !self.have_bodies_moved()
    }

    #[inline]
    fn may_be_shorter(&self) -> bool {
        self.chaser.search_timer.may_be_shorter()
    }

    #[inline]
    fn is_barred(&self) -> bool {
        let chaser = self.chaser;
        // A body goes round others where it meets them: some will have moved on by then.
        let has_body = chaser.body.is_some();
        let meets_none = has_body && !chaser.crowding().is_blocked();
        let has_looked_around = self.is_failing() || has_body && !chaser.cursor.is_on_detour();
        if chaser.chaser.rules.bodies == BodyPolicy::Ignore
            || meets_none
            || has_looked_around && !self.have_bodies_moved()
        {
            return false;
        }
        let ahead = self.chaser.cursor.path().iter().take(FAR);
        let occupancy = &self.params.occupancy;
        self.view.is_barred(self.chaser, occupancy, ahead)
    }

    #[inline]
    fn has_target_moved(&self) -> bool {
        let ChaserView { cursor, chaser, .. } = self.chaser;
        let place = self.view.target.seen.position;
        // Most targets did not move at all: then the widest column is not read.
        cursor.is_displaced(place, 0.0) && cursor.is_displaced(place, chaser.repath_distance)
    }

    #[inline]
    fn path_ends_at_target(&self) -> bool {
        let end = self.chaser.cursor.path().end();
        let rules = self.view.approach(self.chaser).rules;
        end.is_some_and(|end| reach::leads_to(rules, end, &self.view.target.seen))
    }

    #[inline]
    fn is_path_far_off(&self) -> bool {
        let ChaserView { cursor, chaser, .. } = self.chaser;
        let drift = if self.is_failing() {
            // The path leads nearer only: what is left is at least the straight way.
            let straight = self.view.away(self.chaser.cell());
            chaser.share_of(NEARER_KEPT * usize::from(straight))
        } else {
            // For near targets the chaser's own threshold is enough.
            let waypoints = cursor.path().len();
            chaser.share_of(if waypoints > FAR { waypoints } else { 0 })
        };
        cursor.is_displaced(self.view.target.seen.position, drift)
    }

    #[inline]
    fn is_one_step_on(&self) -> bool {
        let path = self.chaser.cursor.path();
        path.end().is_some_and(|end| {
            let (to, rules) = (self.view.cell(), self.view.approach(self.chaser).rules);
            let straight = usize::from(self.chaser.cell().chebyshev(to));
            rules.footprint == Footprint::ONE
                && path.len() < straight + WINDING_MAX
                && self.view.grid().allows_step(end, to, rules)
        })
    }
}

/// Waypoints more than the straight way from which on a path is searched again rather than
/// extended: a target that circles would draw it out without end.
///
/// Measured on the scenario `mmo`: with 1 it takes 14 % more searches, with 16 there are 14 % fewer
/// arrivals.
const WINDING_MAX: usize = 4;

/// More waypoints than paths in a default window mostly have. Bodies that are walls to a chaser are
/// seen this far ahead: a default search sees no further.
const FAR: usize = 32;

/// How many times the drift of a path to the target is allowed to a path that only leads nearer: it
/// ends short of the target wherever that goes, and the chaser searches again from there.
///
/// Measured on the scenario `crowd-10k`: once takes 14 % more searches, and the chasers are no
/// longer beside their targets.
const NEARER_KEPT: usize = 2;

/// A detour is kept until the target moved by one part in this many of it: it was found past bodies
/// that move on, and is soon no longer the way to go.
const DETOUR_SHARE: usize = 4;
