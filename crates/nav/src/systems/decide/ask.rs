//! Asking for a search: which query, where it looks and where its path may end; and answers that
//! are known without one.

use super::systems::{DecideParams, DecideScratch};
use crate::{
    CellPosition, PathFailure,
    components::Event,
    systems::{
        guidance::{TargetView, reach},
        search::{Looks, PastStage, PathEnd, Request, is_outside, leaves_window, may_leave_window},
        storage::columns::ChaserView,
    },
};
use nav_grid::{
    Method, Outcome, Path, PathQuery, Planner, Search as _, Status,
    methods::Sweep,
    query::{Fallback, QueryEnd},
    rules::{BodyPolicy, ClassCosts},
};

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// A way to the target.
    Way,
    /// A way of a ghost around the bodies that are walls to it.
    Around,
    /// A way of a body past bodies that hold it up.
    Past,
}

impl DecideParams<'_, '_> {
    /// Stops a chaser that sees no target.
    #[cold]
    pub(super) fn give_up(
        &self,
        mut chaser: ChaserView,
        failure: PathFailure,
        scratch: &mut DecideScratch,
    ) {
        // What it followed is on another map.
        if chaser.cursor.searched_for().is_some() {
            chaser.apply(Event::Interrupted);
        }
        if self.now() >= chaser.search_timer.next_search() {
            self.refuse(&mut chaser, None, failure, scratch);
        }
    }

    /// Requests a search, unless there is nothing to search.
    #[inline(never)]
    pub(super) fn request(
        &self,
        mut chaser: ChaserView,
        view: &TargetView,
        ask: Ask,
        scratch: &mut DecideScratch,
    ) {
        let may_end_beside = may_end_beside(&chaser, view);
        let end = path_end(&chaser, view, may_end_beside);
        let query = ask.limit(query_to(&end, &chaser, view));
        if ask != Ask::Past
            && let Some(known) = refused_at_once(&chaser, view, &query)
        {
            let place = Some(view.target.seen.position);
            self.refuse(&mut chaser, place, PathFailure::Search(known), scratch);
            return;
        }
        let (method, looks) = ask.limit_looks(chaser.chaser.method, looks(&chaser, view, &query));
        scratch.requests.push(Request {
            asker: *chaser.entity,
            id: *chaser.id,
            target: chaser.chasing.0,
            map: view.target.seen.map,
            interval: chaser.chaser.repath_interval,
            period: chaser.move_timer.chasing,
            since: chaser.search_timer.next_search(),
            place: view.target.seen.position,
            query,
            end,
            looks,
            past: ask.past_stage(may_end_beside),
            may_leave: may_leave_window(chaser.chaser.method, view.map, &query),
            method,
            path: Path::new(),
            outcome: None,
            is_repeated: false,
            sets_off: chaser.cursor.path().is_empty() && chaser.search_timer.failures() == 0,
        });
    }

    /// Records a search that cannot be made, and reports the first in a row. With the place of the
    /// target if the answer stays the same until the target or the chaser is elsewhere.
    fn refuse(
        &self,
        chaser: &mut ChaserView,
        for_good: Option<CellPosition>,
        failure: PathFailure,
        scratch: &mut DecideScratch,
    ) {
        if chaser.search_timer.failures() == 0 {
            let refusals = &mut scratch.events.refusals;
            refusals.push((*chaser.id, *chaser.entity, (chaser.chasing.0, failure)));
        }
        let from = chaser.cell();
        chaser.apply(Event::Refused {
            now: self.now(),
            interval: chaser.chaser.repath_interval,
            for_good: for_good.map(|place| (place, from)),
        });
    }
}

impl Ask {
    /// Limits a query to the target to this purpose.
    fn limit(self, mut query: PathQuery) -> PathQuery {
        if self != Self::Way {
            // For a whole path: were bodies further off no walls, the chaser could go to and fro
            // between two of them.
            query.rules.bodies = BodyPolicy::AvoidAll;
            query.fallback = Fallback::None;
        }
        if self == Self::Past {
            // As far as such a search takes microseconds.
            query.limits.radius = query.limits.radius.min(Sweep::SUPPORT.radius_max);
        }
        query
    }

    /// Limits a method, and where it looks, to this purpose.
    fn limit_looks(self, method: Method, looks: Looks) -> (Method, Looks) {
        match self {
            Self::Past => (Method::Auto, Looks::WindowOnly),
            Self::Way | Self::Around => (method, looks),
        }
    }

    /// The first stage of a search past bodies. Where a way onto the target need not lead beside
    /// it, no search for one says where there is room.
    fn past_stage(self, may_end_beside: bool) -> Option<PastStage> {
        match self {
            Self::Past if may_end_beside => Some(PastStage::Through),
            Self::Past => Some(PastStage::Around),
            Self::Way | Self::Around => None,
        }
    }
}

/// Whether the way onto the target may not lead beside it: for large bodies, where bodies are
/// walls, where a link leads onto it, where it is on ground that the chaser may not enter, and for
/// chasers that shoot.
fn may_end_beside(chaser: &ChaserView, view: &TargetView) -> bool {
    let (grid, seen, rules) = (view.grid(), &view.target.seen, chaser.chaser.rules);
    !seen.is_entered
        && (!reach::are_single(rules, seen)
            || rules.bodies != BodyPolicy::Ignore
            || chaser.chaser.shoots()
            || !grid.links().is_empty() && !grid.links_to(view.cell()).is_empty()
            || rules.classes != ClassCosts::ALL && !may_enter(chaser, view))
}

/// Whether the target stands on ground that the chaser may enter.
fn may_enter(chaser: &ChaserView, view: &TargetView) -> bool {
    let grid = view.grid().for_rules(chaser.chaser.rules);
    grid.is_walkable(view.cell())
}

/// Where the path of a search should end. A chaser that shoots, failed by the way onto the target,
/// or is blocked there, searches for a place.
fn path_end(chaser: &ChaserView, view: &TargetView, may_end_beside: bool) -> PathEnd {
    let crowding = chaser.crowding();
    let wants_place =
        chaser.chaser.shoots() || chaser.search_timer.failures() > 0 || crowding.is_blocked();
    match (may_end_beside, wants_place) {
        (false, _) => PathEnd::Goal,
        (true, false) => PathEnd::GoalFirst,
        (true, true) => PathEnd::Place(view.approach(chaser), view.target.seen),
    }
}

/// The query of a way to the target.
fn query_to(end: &PathEnd, chaser: &ChaserView, view: &TargetView) -> PathQuery {
    let (tuning, seen, from) = (chaser.chaser, &view.target.seen, chaser.cell());
    let nearest_to = match end {
        // Turning to another place of the target at each step would bring it no nearer.
        PathEnd::Place(..) => view.cell(),
        _ => from,
    };
    // A target that goes on will have left the end of its link.
    let needs_step = view.is_standing && !tuning.reach_through_links && !seen.is_entered;
    let mut query = reach::query(tuning, view.grid(), (from, nearest_to), seen);
    let is_textbook = tuning.method != Method::Auto && query.fallback == Fallback::None;
    if is_textbook && !may_enter(chaser, view) {
        // A method of the textbook does not look at the ground of its goal: it leads beside it.
        query.fallback = Fallback::ClosestReached;
    }
    query.with_last_step(needs_step)
}

/// The answer of a query to which the map alone says no.
fn refused_at_once(chaser: &ChaserView, view: &TargetView, query: &PathQuery) -> Option<Outcome> {
    let answer = match chaser.chaser.method {
        Method::Auto => Planner::answer_at_once(view.grid(), query),
        _ => None,
    };
    answer.filter(|outcome| {
        matches!(
            outcome.status,
            Status::TooFar | Status::Invalid(QueryEnd::Goal, _)
        )
    })
}

/// Where a search looks first.
fn looks(chaser: &ChaserView, view: &TargetView, query: &PathQuery) -> Looks {
    if !may_leave_window(chaser.chaser.method, view.map, query) {
        Looks::WindowOnly
    } else if chaser.search_timer.looks_beyond()
        || is_outside(query.goal, query)
        || leaves_window(chaser.cursor.path(), query)
    {
        Looks::Beyond
    } else {
        Looks::Window
    }
}
