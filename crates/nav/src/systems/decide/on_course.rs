//! Decide: who goes on as before, told by little.

use crate::{
    CellPosition, ChaseState, NavTime,
    systems::{
        fields::{Common, Fields, Share},
        pursuers::Pursues,
        reach,
        scene::Scene,
    },
};
/// By what those who are after one target are told who go on as before, and so need no decision.
///
/// What it says of them follows from what many have in common and from little of their own, so that
/// most of a crowd is passed over without a look at all that a decision looks at.
pub(super) struct OnCourse<'a> {
    scene: Scene<'a>,
    common: Common<'a>,
    /// Whether those who share the field around the target go on by it. How shows when they step.
    pub(super) shares: bool,
    /// Whether the others can be told at all.
    plain: bool,
}

/// What a decision comes to that needs little.
pub(super) enum Foreseen {
    /// Nothing.
    GoesOn,
    /// The chaser follows the field around its target from now on, after a target at this place.
    Joins(CellPosition),
}

impl<'a> OnCourse<'a> {
    /// For those who see a target, if they are of a kind that shares.
    pub(super) fn of(scene: &Scene<'a>) -> Option<Self> {
        let (common, grid) = (scene.common?, scene.grid());
        Some(Self {
            scene: *scene,
            common,
            shares: common.goes_on(),
            plain: Fields::is_worth_it(scene.target.chasers)
                && !(common.looks_far() && scene.map.portals().is_some())
                && grid.links().is_empty()
                && grid.is_prepared(common.rules().footprint),
        })
    }

    /// What a decision for a chaser that does not share would come to, if that is told by little.
    /// Far from the target nobody comes within reach but by a link.
    #[inline]
    pub(super) fn foresee(&self, pursuer: &impl Pursues, now: NavTime) -> Option<Foreseen> {
        let Self { scene, common, .. } = self;
        let (from, cursor, timer) = (pursuer.cell(), pursuer.cursor(), pursuer.timer());
        let seen = &scene.target.seen;
        if !self.plain {
            return None;
        }
        let state = cursor.state();
        if scene.is_near(from, 0) {
            let stays = state == ChaseState::Reached
                && reach::touches(common.rules(), scene.grid(), from, seen);
            return stays.then_some(Foreseen::GoesOn);
        }
        match common.share(scene.target, from) {
            Share::Leads => return Some(Foreseen::Joins(seen.position)),
            Share::Coming => return None,
            Share::Nothing => {}
        }
        let is_early = || now < timer.next_search();
        // The least first: what lies in one place with what was looked at before.
        let rests = match state {
            ChaseState::Following => {
                !cursor.is_displaced(seen.position, common.displacement()) || is_early()
            }
            ChaseState::Waiting => timer.failures() > 0 && is_early(),
            _ => false,
        };
        rests.then_some(Foreseen::GoesOn)
    }
}
