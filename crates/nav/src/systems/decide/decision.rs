//! Deciding for one chaser: contact first, then what it follows; looking up the facts, and carrying
//! out the decision.

use super::{
    guide_table::{Facts, NextGuide, next_guide},
    systems::{DecideParams, DecideScratch},
};
use crate::{
    PathFailure,
    systems::{
        fields::{FarSharer, FieldAnswer, FieldRequests, SharedField},
        guidance::{Contact, Guide, TargetView, TargetViews, reach},
        search::{Looks, PathEnd, Request, is_outside, leaves_window, may_leave_window},
        storage::columns::ChaserView,
    },
};
use nav_grid::{
    Footprint, Method, Path, Planner, Status,
    query::{Fallback, QueryEnd},
    rules::BodyPolicy,
};

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
        if !(shares_near && view.field.is_some_and(SharedField::leads_on)) {
            self.decide_contact(chaser.reborrow(), view, scratch);
        }
    }

    /// Decides for a chaser that follows no field which leads on: by its contact, and out of reach
    /// by what may guide it.
    #[inline(never)]
    fn decide_contact(
        &self,
        mut chaser: ChaserView,
        view: &TargetView,
        scratch: &mut DecideScratch,
    ) {
        let chaser = &mut chaser;
        if !is_prepared(view, chaser) {
            scratch.unprepared.push(*chaser.entity);
            return;
        }
        if let Some(field) = view.shared_field().filter(|_| chaser.cursor.shares_near()) {
            // Asks for it again.
            let requests = &mut scratch.fields;
            field.answer(view.target, chaser.chaser, chaser.cell(), requests);
            return;
        }
        match view.contact(chaser, chaser.cell()) {
            Contact::Under => chaser.cursor.detour(view.target.seen.position),
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
            NextGuide::Detour => {
                chaser.cursor.detour(place);
                return;
            }
            NextGuide::Search
            | NextGuide::SearchAround
            | NextGuide::Extend
            | NextGuide::KeepPath
            | NextGuide::Wait => {}
        }
        // From now on it follows a path, or nothing.
        if chaser.cursor.is_sharing() || chaser.cursor.is_on_detour() {
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
            let around = next == NextGuide::SearchAround;
            self.request(chaser.reborrow(), view, around, scratch);
        }
    }

    /// Rests within reach: for the idle period, or the chasing one if the target moves about.
    #[inline]
    fn rest(&self, chaser: &mut ChaserView, view: &TargetView, scratch: &mut DecideScratch) {
        let place = view.target.seen.position;
        if chaser.cursor.is_beside() {
            chaser.cursor.rest_beside(place);
        } else if chaser.cursor.is_sharing() || chaser.cursor.is_on_detour() {
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

    /// Requests a search, unless there is nothing to search. One `around` all bodies is for a whole
    /// path: were those further off no walls, the chaser could go to and fro between two of them.
    #[inline(never)]
    fn request(
        &self,
        mut chaser: ChaserView,
        view: &TargetView,
        around: bool,
        scratch: &mut DecideScratch,
    ) {
        let (tuning, from) = (*chaser.chaser, chaser.cell());
        let (grid, seen) = (view.grid(), &view.target.seen);
        // The way onto the target may not lead beside it: for large bodies, where bodies are walls,
        // and where a link leads onto it.
        let is_linked = |cell| !grid.links_to(cell).is_empty();
        let may_end_beside = !seen.is_entered
            && (!reach::are_single(tuning.rules, seen)
                || tuning.rules.bodies != BodyPolicy::Ignore
                || !grid.links().is_empty() && is_linked(view.cell()));
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
        let goal = reach::goal(&tuning, grid, nearest_to, seen);
        let mut query = tuning
            .query(from, goal)
            .with_goal_body(reach::goal_body(&tuning, seen))
            .with_last_step(!tuning.reach_through_links && !seen.is_entered);
        if around {
            query.rules.bodies = BodyPolicy::AvoidAll;
            query.fallback = Fallback::None;
        }
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
            looks,
            may_leave,
            method: tuning.method,
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
            scratch.refusals.push((*chaser.id, *chaser.entity, refusal));
        }
    }
}

/// Whether the map is prepared for the chaser's footprint.
#[inline]
fn is_prepared(view: &TargetView, chaser: &ChaserView) -> bool {
    let footprint = match view.field {
        Some(field) => field.rules().footprint,
        None => chaser.chaser.rules.footprint,
    };
    view.grid().is_prepared(footprint)
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
        scratch.arrivals.push((id, entity, chaser.chasing.0));
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

/// The facts about a chaser that sees its target.
struct ChaserFacts<'s, 'a, 'c> {
    params: &'s DecideParams<'s, 's>,
    chaser: &'s ChaserView<'c>,
    view: &'s TargetView<'a>,
    requests: &'s mut FieldRequests,
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
    fn keeps_detour(&self) -> bool {
        let (cursor, has_body) = (&self.chaser.cursor, self.chaser.body.is_some());
        if cursor.is_on_detour() {
            // A body that was held up would come back to where it was.
            return has_body && (cursor.is_kept() || self.is_target_where_it_was());
        }
        cursor.is_kept() && self.is_target_where_it_was() && !self.is_barred()
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
        self.params.now() >= self.chaser.search_timer.next_search()
    }

    #[inline]
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
    fn is_barred(&self) -> bool {
        // A body goes round others where it meets them: some will have moved on by then.
        if self.chaser.body.is_some() || self.is_failing() && !self.have_bodies_moved() {
            return false;
        }
        let ahead = self.chaser.cursor.path().iter().take(LOOK_AHEAD);
        let occupancy = &self.params.occupancy;
        self.view.is_barred(self.chaser, occupancy, ahead)
    }

    #[inline]
    fn has_target_moved(&self) -> bool {
        let ChaserView { cursor, chaser, .. } = self.chaser;
        let place = self.view.target.seen.position;
        // Most targets did not move at all: then the widest column is not read.
        cursor.is_displaced(place, 0.0) && cursor.is_displaced(place, chaser.displacement)
    }

    #[inline]
    fn path_ends_at_target(&self) -> bool {
        let end = self.chaser.cursor.path().end();
        let rules = self.view.approach(self.chaser).rules;
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
            let (to, rules) = (self.view.cell(), self.view.approach(self.chaser).rules);
            let straight = usize::from(self.chaser.cell().chebyshev(to));
            rules.footprint == Footprint::ONE
                && path.len() < straight + WINDING_MAX
                && self.view.grid().allows_step(end, to, rules)
        })
    }
}

/// Waypoints more than the straight way from which on a path is searched again rather than extended:
/// a target that circles would draw it out without end. A guess.
const WINDING_MAX: usize = 4;

/// Waypoints on which bodies that are walls to a chaser are seen. A guess: at the default pace
/// four seconds of walking, in which it searches eight times.
const LOOK_AHEAD: usize = 16;

/// A target is worth another search when it moved by one part in this many of the way that is left. An
/// eighth: less costs more searches, and the path would not be much shorter. A guess.
const DRIFT_SHARE: u16 = 8;

/// The same for a path that only leads nearer: it ends short of the target wherever that goes, and
/// the chaser searches again from there. A guess.
const NEARER_DRIFT_SHARE: u16 = 4;

/// How far, in cells, the target of a far chase must move from where the path leads to be worth
/// another search. For near targets the chaser's own threshold is enough.
fn far_drift(waypoints: usize) -> f32 {
    /// More waypoints than paths in a default window mostly have.
    const FAR: usize = 32;
    if waypoints > FAR {
        (waypoints / usize::from(DRIFT_SHARE)) as f32
    } else {
        0.0
    }
}
