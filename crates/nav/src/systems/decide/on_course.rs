//! Decide: who goes on as before, told by little.

use crate::{
    ChaseState, NavTime,
    systems::{
        fields::{Common, Fields},
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
    pub(super) const fn shares(&self) -> bool {
        self.shares
    }

    /// Whether a decision for a chaser that does not share would come to nothing. If not so, it has
    /// to be made.
    #[inline]
    pub(super) fn goes_on_alone(&self, pursuer: &impl Pursues, now: NavTime) -> bool {
        let (from, state) = (pursuer.cell(), pursuer.cursor().state());
        if !self.plain {
            return false;
        }
        if state == ChaseState::Reached {
            return reach::touches(self.common.rules(), self.grid, from, &self.target.seen);
        }
        let timer = pursuer.timer();
        let waits = state == ChaseState::Waiting && timer.failures() > 0;
        (state == ChaseState::Following || waits)
            && now < timer.next_search()
            && from.chebyshev(self.target.seen.position.cell) > self.near
            && self.common.has_nothing(self.target, from)
    }
}
