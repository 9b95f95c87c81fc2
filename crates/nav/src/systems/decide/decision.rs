//! Deciding for one chaser: contact first, then what it follows; and carrying out the decision.

use super::{
    facts::ChaserFacts,
    guide_table::{NextGuide, next_guide},
    systems::{DecideParams, DecideScratch},
};
use crate::{
    PathFailure,
    systems::{
        fields::{FieldAnswer, FieldRequests, SharedField},
        guidance::{Contact, TargetView, TargetViews, reach},
        search::{Looks, PastStage, PathEnd, Request, is_outside, leaves_window, may_leave_window},
        storage::columns::ChaserView,
    },
};
use nav_grid::{
    Method, Path, Planner, Search as _, Status,
    methods::Sweep,
    query::{Fallback, QueryEnd},
    rules::{BodyPolicy, ClassCosts},
};

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// A way to the target.
    Way,
    /// A way of a ghost around the bodies that are walls to it.
    Around,
    /// A way of a body past those that hold it up.
    Past,
}

impl DecideParams<'_, '_> {
    /// Decides for a chaser.
    #[inline(always)]
    pub(super) fn decide_for(
        &self,
        chaser: &mut ChaserView,
        views: &mut TargetViews,
        scratch: &mut DecideScratch,
    ) {
        let Some(view) = views.of(chaser) else {
            let failure = views.why_none(chaser.on_map.map(|of| of.0), chaser.chasing.0);
            self.give_up(chaser.reborrow(), failure, scratch);
            return;
        };
        // Most of a crowd: whether the field leads on for this chaser shows when it steps.
        let shares_near = chaser.cursor.shares_near();
        let may_be_held_up = chaser.cursor.stands() && !chaser.cursor.is_reached();
        let is_blocked = may_be_held_up && chaser.crowding().is_blocked();
        if is_blocked || !(shares_near && view.field.is_some_and(SharedField::leads_on)) {
            self.decide_contact(chaser.reborrow(), view, is_blocked, scratch);
        }
    }

    /// Decides for a chaser that follows no field which leads on: by its contact, and out of reach
    /// by what may guide it.
    #[inline(never)]
    fn decide_contact(
        &self,
        mut chaser: ChaserView,
        view: &TargetView,
        is_blocked: bool,
        scratch: &mut DecideScratch,
    ) {
        let chaser = &mut chaser;
        if !is_prepared(view, chaser) {
            scratch.unprepared.push(*chaser.entity);
            return;
        }
        let keeps_field = chaser.cursor.shares_near() && !is_blocked;
        if let Some(field) = view.shared_field().filter(|_| keeps_field) {
            // Asks for it again.
            let requests = &mut scratch.fields;
            field.answer(view.target, chaser.chaser, chaser.cell(), requests);
            return;
        }
        match view.contact(chaser, chaser.cell()) {
            Contact::Under => {
                let is_new = chaser.cursor.stand_under(view.target.seen.position);
                note_arrival(chaser, scratch, is_new);
            }
            Contact::Alongside(_) => view.want_field(view.away(chaser.cell())),
            Contact::Reached if keeps_beside(view, chaser, &mut scratch.fields) => {
                if !chaser.cursor.is_beside() {
                    let was_reached = chaser.cursor.is_reached();
                    chaser.cursor.share(view.target.seen.position, false);
                    chaser.cursor.keep_beside(true);
                    note_arrival(chaser, scratch, !was_reached);
                }
            }
            Contact::Reached => self.rest(chaser, view, scratch),
            Contact::Apart => self.decide_guide(chaser, view, scratch),
        }
    }

    /// Decides what a chaser out of reach follows.
    #[inline]
    fn decide_guide(
        &self,
        chaser: &mut ChaserView,
        view: &TargetView,
        scratch: &mut DecideScratch,
    ) {
        let next = next_guide(&mut ChaserFacts {
            params: self,
            chaser,
            view,
            requests: &mut scratch.fields,
        });
        let place = view.target.seen.position;
        match next {
            NextGuide::KeepDetour => return,
            NextGuide::Await => {
                scratch.awaiting_field.push(*chaser.entity);
                return;
            }
            NextGuide::Join { far } => {
                join(chaser, view, far, &mut scratch.fields);
                return;
            }
            NextGuide::SearchPast => {
                self.request(chaser.reborrow(), view, Ask::Past, scratch);
                return;
            }
            NextGuide::Search
            | NextGuide::SearchAround
            | NextGuide::Extend
            | NextGuide::KeepPath
            | NextGuide::Wait => {}
        }
        // From now on it follows a path, or nothing.
        if chaser.cursor.is_sharing() {
            chaser.cursor.drop_path();
        }
        if next == NextGuide::Extend {
            chaser.cursor.extend(place);
        }
        // Read first: writing marks the component as changed.
        if chaser.cursor.is_reached() {
            chaser.cursor.set_reached(false);
        }
        if matches!(next, NextGuide::Search | NextGuide::SearchAround) {
            // Whatever is found is found on the ground as it is now.
            chaser.search_timer.set_may_be_shorter(false);
            let ask = if next == NextGuide::SearchAround {
                Ask::Around
            } else {
                Ask::Way
            };
            self.request(chaser.reborrow(), view, ask, scratch);
        }
    }

    /// Rests within reach: for the idle period, or the chasing one if the target moves about.
    #[inline]
    fn rest(&self, chaser: &mut ChaserView, view: &TargetView, scratch: &mut DecideScratch) {
        let place = view.target.seen.position;
        if chaser.cursor.is_beside() {
            chaser.cursor.rest_beside(place);
        } else if chaser.cursor.is_sharing() {
            chaser.cursor.drop_path();
        }
        if !chaser.cursor.is_reached() {
            chaser.cursor.set_reached(true);
            note_arrival(chaser, scratch, true);
        }
        view.want_field(view.away(chaser.cell()));
        let (now, previous) = (self.clock.now(), self.clock.previous());
        let is_due = chaser.move_timer.tick(now, previous, !view.is_standing);
        if is_due {
            // Not between two move ticks, when it may have just stepped: a standing body may be asked
            // to make room.
            chaser.set_stands();
        }
        if chaser.body.is_some()
            && chaser.cursor.searched_for().map(|before| before.cell) != Some(place.cell)
        {
            chaser.cursor.rest_beside(place);
        }
    }

    /// Stops a chaser that sees no target.
    #[cold]
    fn give_up(&self, mut chaser: ChaserView, failure: PathFailure, scratch: &mut DecideScratch) {
        // What it followed is on another map.
        if chaser.cursor.searched_for().is_some() {
            chaser.cursor.interrupt();
        }
        if self.now() >= chaser.search_timer.next_search() {
            self.refuse(chaser, failure, scratch);
        }
    }

    /// Requests a search, unless there is nothing to search.
    #[inline(never)]
    fn request(
        &self,
        mut chaser: ChaserView,
        view: &TargetView,
        ask: Ask,
        scratch: &mut DecideScratch,
    ) {
        let (tuning, from) = (*chaser.chaser, chaser.cell());
        let (grid, seen) = (view.grid(), &view.target.seen);
        // The way onto the target may not lead beside it: for large bodies, where bodies are walls,
        // where a link leads onto it, and where it is on ground that the chaser may not enter.
        let is_linked = |cell| !grid.links_to(cell).is_empty();
        let may_enter = || grid.for_rules(tuning.rules).is_walkable(view.cell());
        let may_end_beside = !seen.is_entered
            && (!reach::are_single(tuning.rules, seen)
                || tuning.rules.bodies != BodyPolicy::Ignore
                || !grid.links().is_empty() && is_linked(view.cell())
                || tuning.rules.classes != ClassCosts::ALL && !may_enter());
        // A chaser that failed by the way onto it, or is blocked there, searches for a place.
        let crowding = chaser.crowding();
        let is_stuck =
            chaser.search_timer.failures() > 0 || crowding.stands && crowding.has_waited();
        let to_place = may_end_beside && is_stuck;
        let end = match (may_end_beside, to_place) {
            (false, _) => PathEnd::Goal,
            (true, false) => PathEnd::GoalFirst,
            (true, true) => PathEnd::Place(view.approach(&chaser), *seen),
        };
        // Turning to another place of the target at each step would bring it no nearer.
        let nearest_to = if to_place { view.cell() } else { from };
        // A target that goes on will have left the end of its link.
        let needs_step = view.is_standing && !tuning.reach_through_links && !seen.is_entered;
        let query = reach::query(&tuning, grid, (from, nearest_to), seen);
        let mut query = query.with_last_step(needs_step);
        if ask != Ask::Way {
            // For a whole path: were bodies further off no walls, the chaser could go to and fro between
            // two of them.
            query.rules.bodies = BodyPolicy::AvoidAll;
            query.fallback = Fallback::None;
        }
        if ask == Ask::Past {
            // As far as such a search takes microseconds.
            query.limits.radius = query.limits.radius.min(Sweep::SUPPORT.radius_max);
        }
        let known = match tuning.method {
            Method::Auto => Planner::answer_at_once(grid, &query),
            _ => None,
        };
        if let Some(outcome) = known
            && ask != Ask::Past
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
        let may_leave = may_leave_window(tuning.method, view.map, &query);
        let looks = if !may_leave {
            Looks::WindowOnly
        } else if chaser.search_timer.looks_beyond()
            || is_outside(query.goal, &query)
            || leaves_window(chaser.cursor.path(), &query)
        {
            Looks::Beyond
        } else {
            Looks::Window
        };
        let past = match ask {
            Ask::Past if may_end_beside => Some(PastStage::Through),
            Ask::Past => Some(PastStage::Around),
            Ask::Way | Ask::Around => None,
        };
        scratch.requests.push(Request {
            asker: *chaser.entity,
            id: *chaser.id,
            target: chaser.chasing.0,
            map: seen.map,
            interval: tuning.repath_interval,
            period: chaser.move_timer.chasing,
            since: chaser.search_timer.next_search(),
            place: seen.position,
            query,
            end,
            looks: if past.is_some() {
                Looks::WindowOnly
            } else {
                looks
            },
            past,
            may_leave,
            method: if past.is_some() {
                Method::Auto
            } else {
                tuning.method
            },
            path: Path::new(),
            outcome: None,
            is_repeated: false,
        });
    }

    /// Records a search that cannot be made, and reports the first in a row.
    fn refuse(&self, mut chaser: ChaserView, failure: PathFailure, scratch: &mut DecideScratch) {
        let interval = chaser.chaser.repath_interval;
        let is_first = chaser.search_timer.failures() == 0;
        chaser.search_timer.refused(self.now(), interval);
        if is_first {
            let refusal = (chaser.chasing.0, failure);
            scratch
                .events
                .refusals
                .push((*chaser.id, *chaser.entity, refusal));
        }
    }
}

/// Whether the map is prepared for the chaser's footprint and classes.
#[inline]
fn is_prepared(view: &TargetView, chaser: &ChaserView) -> bool {
    let rules = match view.field {
        Some(field) => field.rules(),
        None => chaser.chaser.rules,
    };
    view.grid().is_prepared(rules)
}

/// Whether the target moves about, and the near field leads the chaser after it. A field that is made
/// in this tick counts from the next decision on, so that it does not show whether others asked for
/// it before.
#[inline]
fn keeps_beside(view: &TargetView, chaser: &ChaserView, requests: &mut FieldRequests) -> bool {
    let field = view.shared_field().filter(|_| !view.is_standing);
    field.is_some_and(|field| {
        let answer = field.answer(view.target, chaser.chaser, chaser.cell(), requests);
        answer == FieldAnswer::Leads
    })
}

/// Reports an arrival. The chaser begins its failures again when it loses its target later.
fn note_arrival(chaser: &mut ChaserView, scratch: &mut DecideScratch, is_new: bool) {
    if is_new {
        chaser.search_timer.set_failures(0);
        let (id, entity) = (*chaser.id, *chaser.entity);
        scratch.events.arrivals.push((id, entity, chaser.chasing.0));
    }
}

/// Follows a shared field from now on.
fn join(chaser: &mut ChaserView, view: &TargetView, is_far: bool, requests: &mut FieldRequests) {
    // Read first: writing marks the component as changed.
    if !chaser.cursor.is_sharing() || is_far != chaser.cursor.shares_far() {
        chaser.cursor.share(view.target.seen.position, is_far);
        if !is_far {
            requests.note_wish(view.target, chaser.chaser);
        }
    }
}
