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
    /// The chaser follows a detour to a target that is where it was.
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
    /// Rests: searches failed, and the back-off is not over.
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
        return if !facts.is_failing() || facts.is_due() && !facts.awaits_change() {
            Decision::NoPath
        } else if facts.may_detour() {
            Decision::Detour
        } else {
            Decision::BackingOff
        };
    }
    if facts.may_be_shorter() && facts.is_due() {
        return Decision::GroundChanged;
    }
    if !facts.has_target_moved() {
        return Decision::NotDisplaced;
    }
    if !facts.is_due() {
        return Decision::NotDue;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A table line of facts.
    #[derive(Clone, Copy)]
    #[expect(
        clippy::struct_excessive_bools,
        reason = "they are independent, and the table tests read as one"
    )]
    struct Table {
        follows_field: bool,
        field_leads_on: bool,
        is_prepared: bool,
        asks_for_field_again: bool,
        is_in_reach: bool,
        goes_along: bool,
        is_under_target: bool,
        keeps_detour: bool,
        shared_field: (FieldAnswer, FieldRange),
        has_new_target: bool,
        has_path: bool,
        has_target_moved: bool,
        is_due: bool,
        is_failing: bool,
        awaits_change: bool,
        may_detour: bool,
        may_be_shorter: bool,
        path_ends_at_target: bool,
        is_path_far_off: bool,
        is_one_step_on: bool,
    }

    /// Has each fact answered by a field.
    macro_rules! answer {
        ($($fact:ident: $type:ty),* $(,)?; $($asked:ident: $answer:ty),* $(,)?) => {
            impl Facts for Table {
                $(fn $fact(&self) -> $type { self.$fact })*
                $(fn $asked(&mut self) -> $answer { self.$asked })*
            }
        };
    }
    answer!(
        follows_field: bool, field_leads_on: bool, is_prepared: bool, has_new_target: bool,
        has_path: bool, has_target_moved: bool, is_due: bool, is_failing: bool,
        path_ends_at_target: bool, is_path_far_off: bool, is_one_step_on: bool,
        goes_along: bool, is_under_target: bool, keeps_detour: bool, awaits_change: bool, may_detour: bool,
        may_be_shorter: bool;
        asks_for_field_again: bool, is_in_reach: bool, shared_field: (FieldAnswer, FieldRange),
    );

    const NO_FIELD: (FieldAnswer, FieldRange) = (FieldAnswer::Nothing, FieldRange::Near);

    /// A chaser in the middle of a chase, with nothing to do.
    const WALKING: Table = Table {
        follows_field: false,
        field_leads_on: false,
        is_prepared: true,
        asks_for_field_again: false,
        is_in_reach: false,
        goes_along: false,
        is_under_target: false,
        keeps_detour: false,
        shared_field: NO_FIELD,
        has_new_target: false,
        has_path: true,
        has_target_moved: false,
        is_due: true,
        is_failing: false,
        awaits_change: false,
        may_detour: false,
        may_be_shorter: false,
        path_ends_at_target: true,
        is_path_far_off: false,
        is_one_step_on: false,
    };
    const STANDING: Table = Table {
        has_path: false,
        path_ends_at_target: false,
        ..WALKING
    };
    /// Its target went away from where its path ends.
    const STALE: Table = Table {
        has_target_moved: true,
        is_path_far_off: true,
        path_ends_at_target: false,
        ..WALKING
    };
    const ON_FIELD: Table = Table {
        follows_field: true,
        field_leads_on: true,
        ..STANDING
    };

    fn decided(mut table: Table) -> Decision {
        decide(&mut table)
    }

    #[test]
    fn a_field_that_leads_on_is_kept_whatever_else_holds() {
        assert_eq!(decided(ON_FIELD), Decision::KeepField);
        let unprepared = Table {
            is_prepared: false,
            is_in_reach: true,
            ..ON_FIELD
        };
        assert_eq!(decided(unprepared), Decision::KeepField);
    }

    #[test]
    fn a_field_that_no_longer_leads_is_asked_for_again_if_it_is_worth_it() {
        let lost = Table {
            field_leads_on: false,
            asks_for_field_again: true,
            ..ON_FIELD
        };
        assert_eq!(decided(lost), Decision::KeepField);
        let alone = Table {
            asks_for_field_again: false,
            ..lost
        };
        assert_eq!(decided(alone), Decision::NoPath);
    }

    #[test]
    fn a_field_is_joined_before_anybody_searches() {
        let with = |answer, way| {
            decided(Table {
                shared_field: (answer, way),
                has_new_target: true,
                ..STANDING
            })
        };
        let near = with(FieldAnswer::Leads, FieldRange::Near);
        assert_eq!(near, Decision::JoinField(FieldRange::Near));
        let far = with(FieldAnswer::Leads, FieldRange::Far);
        assert_eq!(far, Decision::JoinField(FieldRange::Far));
        let pending = with(FieldAnswer::Pending, FieldRange::Near);
        assert_eq!(pending, Decision::AwaitField);
        assert_eq!(
            with(FieldAnswer::Nothing, FieldRange::Near),
            Decision::NewTarget
        );
    }

    #[test]
    fn a_size_that_the_map_is_not_prepared_for_comes_first() {
        let new = Table {
            is_prepared: false,
            is_in_reach: true,
            has_new_target: true,
            ..STANDING
        };
        assert_eq!(decided(new), Decision::Prepare);
    }

    #[test]
    fn who_follows_a_path_goes_on_by_it_until_the_interval_is_over() {
        for facts in 0..32 {
            let is = |fact: u32| facts >> fact & 1 == 1;
            let decision = decided(Table {
                path_ends_at_target: is(0),
                has_target_moved: is(1),
                is_failing: is(2),
                is_one_step_on: is(3),
                is_path_far_off: is(4),
                is_due: false,
                ..WALKING
            });
            assert!(
                matches!(decision, Decision::NotDue | Decision::NotDisplaced),
                "{decision:?}"
            );
        }
    }

    #[test]
    fn a_chase_that_begins_searches_at_once() {
        let new = Table {
            has_new_target: true,
            is_due: false,
            ..STANDING
        };
        assert_eq!(decided(new), Decision::NewTarget);
        let failing = Table {
            is_failing: true,
            ..new
        };
        assert_eq!(decided(failing), Decision::NewTarget);
    }

    #[test]
    fn a_target_in_reach_needs_no_search() {
        let reached = Table {
            is_in_reach: true,
            ..STANDING
        };
        assert_eq!(decided(reached), Decision::InReach);
        let new = Table {
            has_new_target: true,
            ..reached
        };
        assert_eq!(decided(new), Decision::InReach);
    }

    #[test]
    fn a_path_to_the_target_is_followed() {
        assert_eq!(decided(WALKING), Decision::NotDisplaced);
        // It went away and came back.
        let back = Table {
            has_target_moved: true,
            ..WALKING
        };
        assert_eq!(decided(back), Decision::OnTheWay);
    }

    #[test]
    fn a_path_that_ran_out_short_of_reach_is_replaced_at_once() {
        let used_up = Table {
            is_due: false,
            ..STANDING
        };
        assert_eq!(decided(used_up), Decision::NoPath);
    }

    #[test]
    fn failures_back_off_and_then_try_again() {
        let failing = Table {
            is_failing: true,
            is_due: false,
            ..STANDING
        };
        assert_eq!(decided(failing), Decision::BackingOff);
        let moved = Table {
            has_target_moved: true,
            ..failing
        };
        assert_eq!(decided(moved), Decision::BackingOff);
        let due = Table {
            is_due: true,
            ..failing
        };
        assert_eq!(decided(due), Decision::NoPath);
    }

    #[test]
    fn a_moved_target_is_searched_for_only_when_both_throttles_allow() {
        let stale = |moved, due| {
            decided(Table {
                has_target_moved: moved,
                is_due: due,
                ..STALE
            })
        };
        assert_eq!(stale(false, false), Decision::NotDisplaced);
        assert_eq!(stale(false, true), Decision::NotDisplaced);
        assert_eq!(stale(true, false), Decision::NotDue);
        assert_eq!(stale(true, true), Decision::TargetMoved);
    }

    #[test]
    fn a_long_path_is_kept_until_the_target_is_far_off_it() {
        let near = Table {
            is_path_far_off: false,
            ..STALE
        };
        assert_eq!(decided(near), Decision::NotDisplaced);
    }

    #[test]
    fn a_path_is_extended_by_a_step_when_a_search_would_be_allowed() {
        let moved = Table {
            is_one_step_on: true,
            ..STALE
        };
        assert_eq!(decided(moved), Decision::OneStepOn);
        let early = Table {
            is_due: false,
            ..moved
        };
        assert_eq!(decided(early), Decision::NotDue);
        // A path that only leads nearer is not worth it.
        let failing = Table {
            is_failing: true,
            ..moved
        };
        assert_eq!(decided(failing), Decision::TargetMoved);
    }
}
