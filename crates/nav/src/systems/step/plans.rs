//! What chasers do at a move tick; found once for all ghosts of a pack that are in one cell near their
//! target.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use crate::systems::{storage::chaser::ChaserView, target_view::TargetView};
use nav_grid::Cell;

/// What a chaser does at its move tick, bodies aside.
#[derive(Clone, Copy)]
pub(super) enum Plan {
    /// It does not know yet, and asks again in the next tick.
    Wait,
    /// It looks again after its idle period.
    Rest,
    /// It looks again after its chasing period.
    Hold,
    /// The target came within reach.
    Arrive,
    /// A step to a cell.
    Step { to: Cell, end: StepEnd },
    /// It may not step where it wants to.
    Stay,
}

/// Whether a step ends within reach of the target.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum StepEnd {
    /// To be looked up.
    Near,
    /// It does, for all who share the plan.
    Within,
    /// It does not.
    Beyond,
}

impl StepEnd {
    /// Of a step to a cell. All who share a plan follow the field, and have no path that says otherwise.
    #[inline]
    fn for_all(self, view: &TargetView, chaser: &ChaserView, to: Cell) -> Self {
        match self {
            Self::Near if !view.may_be_reached(to) => Self::Beyond,
            Self::Near if !view.is_the_same_for_all(to) => Self::Near,
            Self::Near if view.is_reached(chaser, to) => Self::Within,
            Self::Near => Self::Beyond,
            known => known,
        }
    }
}

/// Where plans are kept, or are not.
pub(super) trait Plans {
    /// The plan of a chaser, which may be one that another chaser of the same view made.
    fn plan(
        &mut self,
        view: &TargetView,
        chaser: &mut ChaserView,
        away: u16,
        make: impl FnOnce(&mut ChaserView) -> Plan,
    ) -> Plan;
}

/// Keeps none: each chaser makes its own.
pub(super) struct Unshared;

impl Plans for Unshared {
    #[inline(always)]
    fn plan(
        &mut self,
        _: &TargetView,
        chaser: &mut ChaserView,
        _: u16,
        make: impl FnOnce(&mut ChaserView) -> Plan,
    ) -> Plan {
        make(chaser)
    }
}

/// The plans of ghosts that follow the field around one target, by the cells that they are in. Such
/// plans follow from the view and the cell alone.
pub(super) struct SharedPlans {
    /// The view that they are of: see [`TargetView::number`].
    number: u32,
    /// For which cells there is one, by a bit for each.
    known: u64,
    plans: [Plan; SIDE * SIDE],
}

/// Columns and rows around a target for which plans are kept, a bit of a word each. Plans are shared where the target
/// may be within reach after a step: who is further away has one branch less.
const SIDE: usize = 8;

/// Where the plan of a cell is kept that is less than half of [`SIDE`] away from a target.
#[inline]
const fn slot_around(target: Cell, cell: Cell) -> usize {
    let column = cell.x.wrapping_sub(target.x) as usize % SIDE;
    let row = cell.y.wrapping_sub(target.y) as usize % SIDE;
    row * SIDE + column
}

impl Default for SharedPlans {
    fn default() -> Self {
        Self {
            number: 0,
            known: 0,
            plans: [Plan::Wait; SIDE * SIDE],
        }
    }
}

impl Plans for SharedPlans {
    #[inline(always)]
    fn plan(
        &mut self,
        view: &TargetView,
        chaser: &mut ChaserView,
        away: u16,
        make: impl FnOnce(&mut ChaserView) -> Plan,
    ) -> Plan {
        if self.number != view.number {
            self.number = view.number;
            self.known = 0;
        }
        let is_around = view.is_near(away, 1) && away < (SIDE / 2) as u16;
        let is_shared = is_around
            && chaser.cell().floor == view.cell().floor
            && chaser.cursor.shares_near()
            && chaser.body.is_none()
            && view.has_one_approach();
        let slot = is_shared.then(|| slot_around(view.cell(), chaser.cell()));
        if let Some(slot) = slot
            && self.known >> slot & 1 != 0
        {
            return self.plans[slot];
        }
        let plan = make(chaser);
        let Some(slot) = slot else {
            return plan;
        };
        let plan = match plan {
            // Who waits or stays may have lost what it followed, and looks for something else.
            Plan::Wait | Plan::Stay => return plan,
            Plan::Step { to, end } => {
                let end = end.for_all(view, chaser, to);
                Plan::Step { to, end }
            }
            plan => plan,
        };
        self.known |= 1 << slot;
        self.plans[slot] = plan;
        plan
    }
}
