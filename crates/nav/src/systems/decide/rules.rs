//! The rules of deciding: one pure function, [`decide`], over [`Facts`] that are looked up one by
//! one, cheapest first, so that each rule is a line in a table of tests.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use crate::systems::fields::FieldAnswer;

/// What a decision about a chaser is made from. Asked in the order of the rules and only as far as
/// they need; none is asked twice but the cheap ones.
pub(super) trait Facts {
    /// The chaser follows the field around its target.
    fn follows_field(&self) -> bool;
    /// That field leads on, or is made anew in this tick.
    fn field_leads_on(&self) -> bool;
    /// The map is prepared for the chaser's footprint.
    fn is_prepared(&self) -> bool;
    /// The target has enough chasers for a field, and the one that the chaser follows was asked for
    /// again.
    fn asks_for_field_again(&mut self) -> bool;
    /// The target is within the stop distance.
    fn is_in_reach(&mut self) -> bool;
    /// The chaser was within reach of a target that went on, and keeps its side by the same step.
    fn goes_along(&self) -> bool;
    /// The target came onto the chaser's own cells.
    fn is_under_target(&self) -> bool;
    /// The target moves about, and the near field leads the chaser after it.
    fn keeps_beside(&mut self) -> bool;
    /// The chaser follows a detour, or a path around the cells of its target, which is where it was.
    fn keeps_detour(&self) -> bool;
    /// What the near field has for the chaser, or else the far one.
    fn shared_field(&mut self) -> (FieldAnswer, FieldRange);
    /// The chase began, or got another target, since the last decision.
    fn has_new_target(&self) -> bool;
    /// There are waypoints ahead.
    fn has_path(&self) -> bool;
    /// The target moved further than the chaser's threshold since its last search.
    fn has_target_moved(&self) -> bool;
    /// The interval, or the back-off after failures, is over.
    fn is_due(&self) -> bool;
    /// The last search did not lead to the target.
    fn is_failing(&self) -> bool;
    /// The first search waits for its turn.
    fn is_queued(&self) -> bool;
    /// Nothing has changed since a search that gave nothing.
    fn awaits_change(&self) -> bool;
    /// Others may stand in the way of a body that has nothing to follow.
    fn may_detour(&self) -> bool;
    /// The ground changed since the path was found.
    fn may_be_shorter(&self) -> bool;
    /// The last waypoint is where the target is.
    fn path_ends_at_target(&self) -> bool;
    /// The target moved further from where the path leads than is worth a search of its length.
    fn is_path_far_off(&self) -> bool;
    /// The target is one step on from where a path ends that is no detour.
    fn is_one_step_on(&self) -> bool;
}

/// Which field of its target a chaser shares: the one around it, or the one over portals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldRange {
    Near,
    Far,
}

/// What a chaser does until its next decision, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Keeps to the field that it follows. Whether that leads it on shows when it steps.
    KeepField,
    /// Waits until the map is prepared for its footprint.
    Prepare,
    /// Follows a shared field from now on.
    JoinField(FieldRange),
    /// Waits for a field that is made in this tick, and is decided for again.
    AwaitField,
    /// Rests: the target is within reach.
    InReach,
    /// Keeps to the field around a target that moves about and is within reach.
    KeepBeside,
    /// Keeps its side of a target that goes on.
    GoAlong,
    /// Makes room for the target, which came onto its cells.
    StepAside,
    /// Keeps to the way to a free place beside the target.
    KeepDetour,
    /// Searches: the target is another one than before.
    NewTarget,
    /// Searches: there is nothing to follow, and the target is out of reach.
    NoPath,
    /// Searches: the target moved away from where the path ends, and the interval is over.
    TargetMoved,
    /// Searches: the ground near the path changed, and the interval is over.
    GroundChanged,
    /// Looks for a way to a free place beside the target: searches gave nothing.
    Detour,
    /// Extends the path by a step: that is where the target went.
    OneStepOn,
    /// Goes on: the path leads to the target.
    OnTheWay,
    /// Goes on: the target has not moved far enough to be worth a search.
    NotDisplaced,
    /// Goes on: the interval is not over.
    NotDue,
    /// Rests: searches failed, and the back-off is not over. Or goes straight on: it is not its turn to search.
    BackingOff,
}

impl Decision {
    pub(super) const fn is_search(self) -> bool {
        matches!(
            self,
            Self::NewTarget | Self::NoPath | Self::TargetMoved | Self::GroundChanged
        )
    }
}

/// The rules, first match first.
#[inline(always)]
pub(super) fn decide(facts: &mut impl Facts) -> Decision {
    let follows_field = facts.follows_field();
    if follows_field && facts.field_leads_on() {
        return Decision::KeepField;
    }
    if !facts.is_prepared() {
        return Decision::Prepare;
    }
    if follows_field && facts.asks_for_field_again() {
        return Decision::KeepField;
    }
    if facts.goes_along() {
        return Decision::GoAlong;
    }
    if facts.is_in_reach() {
        return if facts.is_under_target() {
            Decision::StepAside
        } else if facts.keeps_beside() {
            Decision::KeepBeside
        } else {
            Decision::InReach
        };
    }
    if facts.keeps_detour() {
        return Decision::KeepDetour;
    }
    match facts.shared_field() {
        (FieldAnswer::Leads, way) => return Decision::JoinField(way),
        (FieldAnswer::Pending, _) => return Decision::AwaitField,
        (FieldAnswer::Nothing, _) => {}
    }
    if facts.has_new_target() {
        return Decision::NewTarget;
    }
    if !facts.has_path() {
        // A path that was used up or cut off is replaced at once; one that could not be found is
        // not searched for again and again.
        let waits = facts.is_failing() || facts.is_queued();
        return if !waits || facts.is_due() && !facts.awaits_change() {
            Decision::NoPath
        } else if facts.may_detour() {
            Decision::Detour
        } else {
            Decision::BackingOff
        };
    }
    // Most who walk searched a moment ago: of them nothing else is asked.
    if !facts.is_due() {
        return Decision::NotDue;
    }
    if facts.may_be_shorter() {
        return Decision::GroundChanged;
    }
    if !facts.has_target_moved() {
        return Decision::NotDisplaced;
    }
    // Only now the path itself, which lies elsewhere in memory.
    if facts.path_ends_at_target() {
        Decision::OnTheWay
    } else if !facts.is_path_far_off() {
        Decision::NotDisplaced
    } else if facts.is_one_step_on() && !facts.is_failing() {
        Decision::OneStepOn
    } else {
        Decision::TargetMoved
    }
}
