//! Deciding for one chaser: looking up the facts, and carrying out what the rules say.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    facts::ChaserFacts,
    new_target::begin_anew,
    params::DecideParams,
    rules::{Decision, FieldRange, decide},
    scratch::DecideScratch,
};
use crate::{
    PathFailure,
    systems::{
        reach,
        search::{PathEnd, Request, SearchScope, beyond_window, is_beyond_due},
        storage::chaser::ChaserView,
        target_view::{TargetView, TargetViews},
    },
};
use nav_grid::{Method, Path, Planner, Status, query::QueryEnd, rules::BodyPolicy};

impl DecideParams<'_, '_> {
    /// Decides for a chaser. One that got another target since the last decision forgets the old
    /// one first.
    #[inline(always)]
    pub(super) fn decide_for(
        &self,
        chaser: &mut ChaserView,
        has_new_target: bool,
        views: &mut TargetViews,
        scratch: &mut DecideScratch,
    ) {
        if has_new_target {
            let ChaserView {
                cursor,
                search_timer,
                move_timer,
                ..
            } = chaser;
            if !begin_anew(cursor, search_timer, move_timer, self.now()) {
                return;
            }
        }
        let Some(view) = views.of(chaser) else {
            let failure = views.why_none(chaser.on_map.map(|of| of.0), chaser.chasing.0);
            self.give_up(chaser.reborrow(), failure, scratch);
            return;
        };
        let decision = decide(&mut ChaserFacts {
            params: self,
            chaser,
            has_new_target,
            view,
            far: &mut scratch.far,
        });
        match decision {
            Decision::KeepField | Decision::KeepDetour => {}
            Decision::Prepare => scratch.unprepared.push(*chaser.entity),
            Decision::AwaitField => scratch.awaiting_field.push(*chaser.entity),
            Decision::JoinField(range) => join(chaser, view, range),
            Decision::KeepBeside => {
                let is_news = !chaser.cursor.is_reached();
                if is_news || !chaser.cursor.is_beside() {
                    chaser.cursor.share(view.target.seen.position, false);
                    chaser.cursor.keep_beside(true);
                }
                if is_news {
                    // Who loses it later fails anew.
                    chaser.search_timer.set_failures(0);
                    let (id, entity) = (*chaser.id, *chaser.entity);
                    scratch.arrivals.push((id, entity, chaser.chasing.0));
                }
            }
            Decision::GoAlong => {
                view.want_field(view.away(chaser.cell()));
                chaser.cursor.go_along();
            }
            Decision::StepAside | Decision::Detour => {
                let place = view.target.seen.position;
                chaser.cursor.detour(place);
            }
            _ => self.carry_out(decision, chaser, view, scratch),
        }
    }

    /// Carries out a decision for a chaser that follows no shared field from now on.
    #[inline(always)]
    fn carry_out(
        &self,
        decision: Decision,
        chaser: &mut ChaserView,
        view: &TargetView,
        scratch: &mut DecideScratch,
    ) {
        if decision == Decision::InReach && chaser.cursor.is_beside() {
            chaser.cursor.rest_beside(view.target.seen.position);
        } else if chaser.cursor.is_sharing() || chaser.cursor.is_on_detour() {
            chaser.cursor.drop_path();
        }
        if decision == Decision::OneStepOn {
            chaser.cursor.extend(view.target.seen.position);
        }
        let reached = decision == Decision::InReach;
        // Looked at first: writing marks the component as changed.
        if reached != chaser.cursor.is_reached() && chaser.cursor.set_reached(reached) {
            chaser.search_timer.set_failures(0);
            let (id, entity) = (*chaser.id, *chaser.entity);
            scratch.arrivals.push((id, entity, chaser.chasing.0));
        }
        if reached {
            view.want_field(view.away(chaser.cell()));
            self.rest(chaser, view);
        }
        if decision.is_search() {
            // Whatever it searches for: what is found is by the ground as it is now.
            chaser.search_timer.set_may_be_shorter(false);
            self.request(chaser.reborrow(), view, scratch);
        }
    }

    /// Has a chaser that is within reach rest: for its idle period, or if the target moves about for
    /// its chasing one.
    #[inline(always)]
    fn rest(&self, chaser: &mut ChaserView, view: &TargetView) {
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let is_due = chaser.move_timer.tick(now, previous, !view.is_standing);
        if is_due {
            chaser.come_to_rest();
        }
        if chaser.body.is_none() {
            return;
        }
        // Not between two move ticks: it may have just stepped, and who stands may be asked to make room.
        if is_due && !chaser.search_timer.stands() {
            chaser.search_timer.set_stands(true);
        }
        let place = view.target.seen.position;
        if chaser.cursor.searched_for().map(|before| before.cell) != Some(place.cell) {
            chaser.cursor.rest_beside(place);
        }
    }

    /// Has a chaser stop that sees no target.
    #[cold]
    fn give_up(&self, mut chaser: ChaserView, failure: PathFailure, scratch: &mut DecideScratch) {
        // What there was to follow is for another map.
        if chaser.cursor.searched_for().is_some() {
            chaser.cursor.interrupt();
        }
        if self.now() >= chaser.search_timer.next_search() {
            self.refuse(chaser, failure, scratch);
        }
    }

    /// Requests a search, unless there is nothing to search.
    #[inline(never)]
    fn request(&self, mut chaser: ChaserView, view: &TargetView, scratch: &mut DecideScratch) {
        let (tuning, from) = (*chaser.chaser, chaser.cell());
        let (grid, seen) = (view.grid(), &view.target.seen);
        // Of large bodies, where a link leads onto the target, and where others are walls, the way onto it may
        // not lead beside it.
        let is_linked = |cell| !grid.links_to(cell).is_empty();
        let may_end_beside = !seen.is_entered
            && (!reach::are_single(tuning.rules, seen)
                || tuning.rules.bodies != BodyPolicy::Ignore
                || !grid.links().is_empty() && is_linked(view.cell()));
        // Who failed by the way onto it, or stands there since others are in its way, searches for a place.
        let timer = &chaser.search_timer;
        let is_stuck = timer.failures() > 0 || timer.stands() && timer.has_waited();
        let to_place = may_end_beside && is_stuck;
        let end = match (may_end_beside, to_place) {
            (false, _) => PathEnd::Goal,
            (true, false) => PathEnd::GoalFirst,
            (true, true) => PathEnd::Place(view.approach(&chaser), *seen),
        };
        // It comes no nearer by turning to another place of the target at each step.
        let nearest_to = if to_place { view.cell() } else { from };
        let goal = reach::goal(&tuning, grid, nearest_to, seen);
        let query = tuning
            .query(from, goal)
            .with_goal_body(reach::goal_body(&tuning, seen))
            .with_last_step(!tuning.reach_through_links && !seen.is_entered);
        let known = match tuning.method {
            Method::Auto => Planner::answer_at_once(grid, &query),
            _ => None,
        };
        if let Some(outcome) = known
            && matches!(
                outcome.status,
                Status::TooFar | Status::Invalid(QueryEnd::Goal, _)
            )
        {
            chaser.cursor.searched(seen.position, None);
            let has_nothing = chaser.cursor.path().is_empty();
            let in_vain = has_nothing.then_some(from);
            chaser.search_timer.set_awaits_change(in_vain);
            self.refuse(chaser, PathFailure::Search(outcome), scratch);
            return;
        }
        let (query, scope) = if !is_beyond_due(&chaser) {
            (query, SearchScope::WindowFirst)
        } else if let Some(beyond) = beyond_window(tuning.method, view.map, &query) {
            (beyond, SearchScope::Beyond)
        } else {
            (query, SearchScope::Window)
        };
        scratch.requests.push(Request {
            chaser: *chaser.entity,
            id: *chaser.id,
            target: chaser.chasing.0,
            map: seen.map,
            interval: tuning.repath_interval,
            period: chaser.move_timer.chasing,
            since: chaser.search_timer.next_search(),
            place: seen.position,
            query,
            end,
            scope,
            method: tuning.method,
            path: Path::new(),
            outcome: None,
            is_repeated: false,
        });
    }

    /// Notes that a chaser wanted to search and could not. Says so when that begins.
    fn refuse(&self, mut chaser: ChaserView, failure: PathFailure, scratch: &mut DecideScratch) {
        let interval = chaser.chaser.repath_interval;
        let is_news = chaser.search_timer.failures() == 0;
        chaser.search_timer.refused(self.now(), interval);
        if is_news {
            let refusal = (chaser.chasing.0, failure);
            scratch.refusals.push((*chaser.id, *chaser.entity, refusal));
        }
    }
}

/// Has a chaser follow a shared field from now on.
fn join(chaser: &mut ChaserView, view: &TargetView, range: FieldRange) {
    let is_far = range == FieldRange::Far;
    let cursor = &chaser.cursor;
    // Looked at first: writing marks the component as changed.
    if !cursor.is_sharing() || is_far != cursor.shares_far() {
        let place = view.target.seen.position;
        chaser.cursor.share(place, is_far);
        if let Some(field) = view.field.filter(|_| !is_far) {
            field.follow_for(view.target, chaser.chaser);
        }
    }
}
