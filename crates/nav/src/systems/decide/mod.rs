//! Decide: which chasers search now, and why.

mod expectant;
mod on_course;
mod rules;
mod summons;

pub(crate) use expectant::{decide_for_expectant, some_are_expectant};
pub(crate) use summons::{
    Summons, decide_for_summoned, meet_newcomers, some_are_summoned, some_look_far,
};

use self::{
    on_course::{Foreseen, OnCourse},
    rules::{Decision, Situation, decide},
};
use super::{
    bags::Bags,
    fields::{Common, FarSharer, Fields, Share},
    pursuers::{Pursuer, PursuerItem, Pursues, Visit, visit_all},
    reach,
    rows::{Row, Rows},
    scene::{Outlooks, Scene, Scenes},
    search::{Notes, Request, SearchQueue},
    targets::{SeenTarget, Targets},
    turns::Turns,
};
use crate::{ChaseState, NavClock, NavMap, NavTime, NavTimer, PathFailure};
use bevy_ecs::{prelude::*, system::SystemParam};
use nav_grid::{Footprint, Grid, Method, Path, Planner, Status, query::QueryEnd};

/// What all decisions of a tick are made from.
#[derive(SystemParam)]
pub(crate) struct Ground<'w, 's> {
    clock: Res<'w, NavClock>,
    targets: Res<'w, Targets>,
    fields: Res<'w, Fields>,
    maps: Query<'w, 's, &'static NavMap>,
}

/// Decides for every chaser whose move tick it is: before, it could not step by what it found.
/// One that was set on another target in between is seen at once.
pub(crate) fn decide_searches(
    ground: Ground,
    pursuers: Query<Pursuer>,
    mut queue: ResMut<SearchQueue>,
    mut bags: Local<Bags<Notes>>,
    mut summons: ResMut<Summons>,
) {
    visit_all(pursuers, &bags, &ground);
    for notes in bags.iter_mut() {
        queue.take_up(notes);
        summons.take_up(notes);
    }
}

impl Visit<Notes> for Ground<'_, '_> {
    fn now(&self) -> NavTime {
        self.clock.now()
    }

    fn has_turn(&self, pursuer: &PursuerItem) -> bool {
        pursuer.has_turned() || pursuer.beat.is_due(self.now())
    }

    #[inline]
    fn turns(&self, rows: &Rows, turns: &mut Turns) {
        let Some(turned) = rows.turned() else {
            return turns.note_due(rows, self.now());
        };
        let due = rows.due(self.now());
        turns.note(0, due.zip(turned).map(|(due, turned)| due | turned));
    }

    fn scenes(&self) -> Scenes<'_> {
        Scenes::new(&self.targets, &self.fields, &self.maps)
    }

    #[inline]
    fn visit_rows<'a>(
        &'a self,
        rows: &mut Rows,
        turns: &mut Turns,
        scenes: &mut Scenes<'a>,
        _notes: &mut Notes,
    ) {
        let mut sharers = turns.split(|row| rows.cursor(row).shares_near());
        let now = self.now();
        let mut courses = Outlooks::new(scenes, OnCourse::of);
        sharers.retain(|row| {
            let sharer = Row::new(rows, row);
            let course = sharer.chase().and_then(|chase| courses.of(chase));
            sharer.has_turned() || !course.is_some_and(|course| course.shares)
        });
        turns.retain(|row| {
            let mut pursuer = Row::new(rows, row);
            let course = pursuer.chase().and_then(|chase| courses.of(chase));
            let Some(course) = course.filter(|_| !pursuer.has_turned()) else {
                return true;
            };
            match course.foresee(&pursuer, now) {
                None => return true,
                Some(Foreseen::GoesOn) => {}
                Some(Foreseen::Joins(place)) => pursuer.cursor_mut().share(place, false),
            }
            false
        });
        turns.append(&sharers);
    }

    #[inline]
    fn visit<'a>(&'a self, pursuer: &mut impl Pursues, scenes: &mut Scenes<'a>, notes: &mut Notes) {
        let turned = pursuer.has_turned();
        if turned {
            // The way to somebody else is of no use.
            pursuer.cursor_mut().interrupt();
            *pursuer.timer_mut() = NavTimer::default();
        }
        self.decide(pursuer, scenes, turned, notes);
    }
}

impl Ground<'_, '_> {
    /// Decides for a chaser, which may just have turned to another target.
    #[inline]
    fn decide(
        &self,
        pursuer: &mut impl Pursues,
        scenes: &mut Scenes,
        target_is_new: bool,
        notes: &mut Notes,
    ) {
        let Some(scene) = scenes.of(pursuer) else {
            self.give_up(pursuer, scenes.why_not(pursuer), notes);
            return;
        };
        // By the field around its target; how shows when it steps.
        let goes_on = pursuer.cursor().shares_near() && scene.common.is_some_and(Common::goes_on);
        if !goes_on {
            self.decide_in(pursuer, scene, target_is_new, notes);
        }
    }

    /// Has a chaser stop that has no target on its map.
    #[cold]
    fn give_up(&self, pursuer: &mut impl Pursues, failure: PathFailure, notes: &mut Notes) {
        // What there was to follow is for another map.
        if pursuer.cursor().searched_for().is_some() {
            pursuer.cursor_mut().interrupt();
        }
        if self.clock.now() >= pursuer.timer().next_search() {
            self.refuse(pursuer, failure, notes);
        }
    }

    /// Decides for a chaser that sees its target.
    fn decide_in(
        &self,
        pursuer: &mut impl Pursues,
        scene: &Scene,
        target_is_new: bool,
        notes: &mut Notes,
    ) {
        let Scene { target, common, .. } = *scene;
        let (from, grid, seen) = (pursuer.cell(), scene.grid(), &target.seen);
        let approach = scene.approach(pursuer);
        if !grid.is_prepared(approach.rules.footprint) {
            notes.newcomers.push(pursuer.entity());
            return;
        }
        let worth_it = Fields::is_worth_it(target.chasers);
        let common = common.filter(|_| worth_it);
        if pursuer.cursor().shares_near() {
            if let Some(common) = common {
                // Asks for the field. Whether that leads it on shows when it steps.
                common.share(target, from);
                return;
            }
            pursuer.cursor_mut().drop_path();
        }
        let in_reach = reach::in_reach(approach, grid, from, seen, pursuer.cursor())
            || worth_it && scene.is_in_ring(approach, from);
        if !in_reach
            && let Some(common) = common
            && self.shares(pursuer, scene, common, notes)
        {
            return;
        }
        let due = self.clock.now() >= pursuer.timer().next_search();
        let is_following = pursuer.cursor().state() == ChaseState::Following;
        if !in_reach && !due && !target_is_new && is_following {
            // It goes on by its path, whatever that is: it lies elsewhere in memory.
            return;
        }
        if pursuer.cursor().is_sharing() {
            pursuer.cursor_mut().drop_path();
        }
        // Within reach, as most of a crowd is, nothing else matters.
        let ahead = if in_reach {
            Situation::default()
        } else {
            look(pursuer, grid, seen)
        };
        let situation = Situation {
            target_is_new,
            in_reach,
            due,
            ..ahead
        };
        let decision = decide(situation);
        if decision == Decision::OneStepOn {
            pursuer.cursor_mut().extend(seen.position);
        }
        let reached = decision == Decision::InReach;
        // Looked at first: writing marks the component as changed.
        if reached != pursuer.cursor().is_reached() && pursuer.cursor_mut().set_reached(reached) {
            let (id, entity) = (pursuer.id(), pursuer.entity());
            notes.arrivals.push((id, entity, pursuer.target()));
        }
        if decision.is_search() {
            self.ask(pursuer, scene, notes);
        }
    }

    /// Asks for a search, unless there is nothing to search.
    fn ask(&self, pursuer: &mut impl Pursues, scene: &Scene, notes: &mut Notes) {
        let (chaser, from) = (*pursuer.chaser(), pursuer.cell());
        let (grid, seen) = (scene.grid(), &scene.target.seen);
        let goal = reach::goal(&chaser, grid, from, seen);
        let query = chaser
            .query(from, goal)
            .with_goal_body(reach::goal_body(&chaser, seen));
        let known = match chaser.method {
            Method::Auto => Planner::answer_at_once(grid, &query),
            _ => None,
        };
        if let Some(outcome) = known
            && matches!(
                outcome.status,
                Status::TooFar | Status::Invalid(QueryEnd::Goal, _)
            )
        {
            pursuer.cursor_mut().searched(seen.position, None);
            self.refuse(pursuer, PathFailure::Search(outcome), notes);
            return;
        }
        notes.requests.push(Request {
            chaser: pursuer.entity(),
            id: pursuer.id(),
            target: pursuer.target(),
            map: seen.map,
            interval: chaser.repath_interval,
            period: pursuer.beat().chasing,
            since: pursuer.timer().next_search(),
            place: seen.position,
            query,
            method: chaser.method,
            path: Path::new(),
            outcome: None,
        });
    }

    /// Notes that a chaser wanted to search and could not.
    fn refuse(&self, pursuer: &mut impl Pursues, failure: PathFailure, notes: &mut Notes) {
        let interval = pursuer.chaser().repath_interval;
        pursuer.timer_mut().refused(self.now(), interval);
        let refusal = (pursuer.target(), failure);
        notes
            .refusals
            .push((pursuer.id(), pursuer.entity(), refusal));
    }

    /// Whether a chaser has nothing to search for: it follows a field from now on, or is decided
    /// for again when that is made.
    fn shares(
        &self,
        pursuer: &mut impl Pursues,
        scene: &Scene,
        common: Common,
        notes: &mut Notes,
    ) -> bool {
        let Scene {
            slot, target, map, ..
        } = *scene;
        let (cell, kind) = (pursuer.cell(), scene.tuning.kind());
        let (share, far) = match common.share(target, cell) {
            Share::Nothing if common.looks_far() => {
                let sharer = FarSharer {
                    chaser: pursuer.chaser(),
                    cell,
                    map,
                    now: self.now(),
                    period: pursuer.beat().chasing,
                    shares: pursuer.cursor().shares_far(),
                };
                let far = &mut notes.far;
                let share = kind.map_or(Share::Nothing, |kind| {
                    let fields = &self.fields;
                    fields.share_far((kind, slot), target, sharer, far)
                });
                (share, true)
            }
            share => (share, false),
        };
        match share {
            Share::Leads => {
                let cursor = pursuer.cursor();
                // Looked at first: writing marks the component as changed.
                if !cursor.is_sharing() || far != cursor.shares_far() {
                    pursuer.cursor_mut().share(target.seen.position, far);
                }
            }
            Share::Coming => notes.expectant.push(pursuer.entity()),
            Share::Nothing => return false,
        }
        true
    }
}

/// What there is to follow, beside a target that is near or not.
fn look(pursuer: &impl Pursues, grid: &Grid, seen: &SeenTarget) -> Situation {
    let (chaser, cursor) = (pursuer.chaser(), pursuer.cursor());
    let path = cursor.path();
    let end = path.end();
    Situation {
        target_is_new: false,
        in_reach: false,
        has_path: end.is_some(),
        ends_at_target: end.is_some_and(|end| reach::leads_to(chaser.rules, end, seen)),
        displaced: cursor.is_displaced(
            seen.position,
            far_drift(path.len()).max(chaser.displacement),
        ),
        due: false,
        failing: pursuer.timer().failures() > 0,
        one_step_on: end.is_some_and(|end| {
            let to = seen.position.cell;
            let straight = usize::from(pursuer.cell().chebyshev(to));
            let single = chaser.rules.footprint == Footprint::ONE;
            single && path.len() < straight + DETOUR_MAX && grid.allows_step(end, to, chaser.rules)
        }),
    }
}

/// How many waypoints more than the straight way a path may have that is led on by a step.
const DETOUR_MAX: usize = 4;

/// How far the target of a far chase may go from where the path leads before it is worth another
/// search: an eighth of the way that is left. Near ones are searched for again at the chaser's own
/// threshold.
fn far_drift(waypoints: usize) -> f32 {
    const FAR: usize = 32;
    if waypoints > FAR {
        (waypoints / 8) as f32
    } else {
        0.0
    }
}
