//! Decide: who goes on as before, told by little.

use crate::{
    CellPosition, ChaseState, NavTime, PathCursor,
    systems::{
        fields::{Common, Fields, Share},
        pursuers::Pursues,
        reach,
        scene::Scene,
        targets::Target,
    },
};
use nav_grid::Grid;

/// By what those who are after one target are told who go on as before, and so need no decision.
///
/// What it says of them follows from what many have in common and from little of their own, so that
/// most of a crowd is passed over without a look at all that a decision looks at.
pub(super) struct OnCourse<'a> {
    target: &'a Target,
    grid: &'a Grid,
    common: Common<'a>,
    /// Who is so many cells from the target or less may have come within reach.
    near: u16,
    /// Whether those who share the field around the target go on by it.
    shares: bool,
    /// Whether the others can be told at all.
    plain: bool,
}

/// What a decision comes to that needs little.
pub(super) enum Foreseen {
    /// Nothing.
    GoesOn,
    /// The chaser follows the field around its target from now on.
    Joins,
}

impl<'a> OnCourse<'a> {
    /// For those who see a target, if they are of a kind that shares.
    pub(super) fn of(scene: &Scene<'a>) -> Option<Self> {
        let (common, map, grid) = (scene.common?, scene.map, scene.grid());
        Some(Self {
            target: scene.target,
            grid,
            common,
            near: scene.near(),
            shares: common.goes_on(),
            plain: Fields::is_worth_it(scene.target.chasers)
                && !(common.looks_far() && map.charts().portals.is_some())
                && grid.links().is_empty()
                && grid.is_prepared(common.rules().footprint),
        })
    }

    /// Whether those who share the field around the target go on by it. How shows when they step.
    #[inline]
    pub(super) fn shares(&self) -> bool {
        self.shares
    }

    /// Where the target is.
    #[inline]
    pub(super) const fn target_place(&self) -> CellPosition {
        self.target.seen.position
    }

    /// What a decision for a chaser that does not share would come to, if that is told by little.
    /// Far from the target nobody comes within reach but by a link.
    #[inline]
    pub(super) fn foresee(&self, pursuer: &impl Pursues, now: NavTime) -> Option<Foreseen> {
        let (from, cursor) = (pursuer.cell(), pursuer.cursor());
        let (seen, timer) = (&self.target.seen, pursuer.timer());
        if !self.plain {
            return None;
        }
        let state = cursor.state();
        if from.chebyshev(seen.position.cell) <= self.near {
            let stays = state == ChaseState::Reached
                && reach::touches(self.common.rules(), self.grid, from, seen);
            return stays.then_some(Foreseen::GoesOn);
        }
        match self.common.share(self.target, from) {
            Share::Leads => return Some(Foreseen::Joins),
            Share::Coming => return None,
            Share::Nothing => {}
        }
        let is_early = || now < timer.next_search();
        // The least first: what lies in one place with what was looked at before.
        let rests = match state {
            ChaseState::Following => !self.is_displaced(cursor) || is_early(),
            ChaseState::Waiting => timer.failures() > 0 && is_early(),
            _ => false,
        };
        rests.then_some(Foreseen::GoesOn)
    }

    /// Whether the target went so far since a search that it may be worth another one.
    #[inline]
    fn is_displaced(&self, cursor: &PathCursor) -> bool {
        let displacement = self.common.displacement();
        cursor
            .searched_for()
            .is_none_or(|place| self.target.seen.position.displaced(&place, displacement))
    }
}
