//! The rules of deciding as a table: a line of facts, and what follows from it.

use super::rules::{Decision, Facts, FieldRange, decide};
use crate::systems::fields::FieldAnswer;

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
    keeps_beside: bool,
    keeps_detour: bool,
    shared_field: (FieldAnswer, FieldRange),
    has_new_target: bool,
    has_path: bool,
    has_target_moved: bool,
    is_due: bool,
    is_failing: bool,
    is_queued: bool,
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
    has_path: bool, has_target_moved: bool, is_due: bool, is_failing: bool, is_queued: bool,
    path_ends_at_target: bool, is_path_far_off: bool, is_one_step_on: bool,
    goes_along: bool, is_under_target: bool, keeps_detour: bool, awaits_change: bool, may_detour: bool,
    may_be_shorter: bool;
    asks_for_field_again: bool, is_in_reach: bool, keeps_beside: bool,
    shared_field: (FieldAnswer, FieldRange),
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
    keeps_beside: false,
    keeps_detour: false,
    shared_field: NO_FIELD,
    has_new_target: false,
    has_path: true,
    has_target_moved: false,
    is_due: true,
    is_failing: false,
    is_queued: false,
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
        assert_eq!(decision, Decision::NotDue);
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
fn who_is_queued_waits_for_its_turn() {
    for (is_due, then) in [(false, Decision::BackingOff), (true, Decision::NoPath)] {
        let queued = Table {
            is_queued: true,
            is_due,
            ..STANDING
        };
        assert_eq!(decided(queued), then);
    }
}

/// Its last search gave nothing, and nothing has changed since.
const IN_VAIN: Table = Table {
    is_failing: true,
    awaits_change: true,
    ..STANDING
};

#[test]
fn a_search_that_gave_nothing_is_not_repeated_until_something_changes() {
    assert_eq!(decided(IN_VAIN), Decision::BackingOff);
    let changed = Table {
        awaits_change: false,
        ..IN_VAIN
    };
    assert_eq!(decided(changed), Decision::NoPath);
    // Change does not undo the back-off.
    let early = Table {
        is_due: false,
        ..changed
    };
    assert_eq!(decided(early), Decision::BackingOff);
}

#[test]
fn another_target_ends_the_wait_for_a_change() {
    let new = Table {
        has_new_target: true,
        ..IN_VAIN
    };
    assert_eq!(decided(new), Decision::NewTarget);
}

#[test]
fn what_is_left_of_a_path_is_walked_whatever_is_awaited() {
    let on_path = Table {
        has_path: true,
        ..IN_VAIN
    };
    assert_eq!(decided(on_path), Decision::NotDisplaced);
}

#[test]
fn who_may_not_search_looks_for_a_detour_if_others_may_be_in_the_way() {
    let body = Table {
        may_detour: true,
        ..IN_VAIN
    };
    assert_eq!(decided(body), Decision::Detour);
    let early = Table {
        awaits_change: false,
        is_due: false,
        ..body
    };
    assert_eq!(decided(early), Decision::Detour);
    // A search comes first.
    let due = Table {
        is_due: true,
        ..early
    };
    assert_eq!(decided(due), Decision::NoPath);
    let not_failing = Table {
        is_failing: false,
        ..body
    };
    assert_eq!(decided(not_failing), Decision::NoPath);
}

#[test]
fn a_detour_is_kept_until_the_target_is_in_reach_or_moves() {
    let on_detour = Table {
        keeps_detour: true,
        may_detour: true,
        shared_field: (FieldAnswer::Leads, FieldRange::Near),
        ..IN_VAIN
    };
    assert_eq!(decided(on_detour), Decision::KeepDetour);
    let there = Table {
        is_in_reach: true,
        ..on_detour
    };
    assert_eq!(decided(there), Decision::InReach);
    let moved = Table {
        keeps_detour: false,
        ..on_detour
    };
    assert_eq!(decided(moved), Decision::JoinField(FieldRange::Near));
}

#[test]
fn a_chaser_beside_a_target_that_moves_about_keeps_to_its_field() {
    let beside = Table {
        is_in_reach: true,
        keeps_beside: true,
        ..STANDING
    };
    assert_eq!(decided(beside), Decision::KeepBeside);
    let under = Table {
        is_under_target: true,
        ..beside
    };
    assert_eq!(decided(under), Decision::StepAside);
    let out_of_reach = Table {
        is_in_reach: false,
        ..beside
    };
    assert_eq!(decided(out_of_reach), Decision::NoPath);
}

#[test]
fn a_chaser_under_its_target_steps_aside() {
    let under = Table {
        is_in_reach: true,
        is_under_target: true,
        ..STANDING
    };
    assert_eq!(decided(under), Decision::StepAside);
    let all_the_same = Table {
        keeps_detour: true,
        has_new_target: true,
        has_path: true,
        is_due: false,
        ..under
    };
    assert_eq!(decided(all_the_same), Decision::StepAside);
    let unprepared = Table {
        is_prepared: false,
        ..under
    };
    assert_eq!(decided(unprepared), Decision::Prepare);
}

#[test]
fn changed_ground_is_searched_once_that_is_due() {
    let changed = Table {
        may_be_shorter: true,
        ..WALKING
    };
    // Though its path leads to the target.
    assert_eq!(decided(changed), Decision::GroundChanged);
    let early = Table {
        is_due: false,
        ..changed
    };
    assert_eq!(decided(early), Decision::NotDue);
    let stale = Table {
        may_be_shorter: true,
        is_one_step_on: true,
        ..STALE
    };
    assert_eq!(decided(stale), Decision::GroundChanged);
    // Without a path there is nothing to shorten.
    let standing = Table {
        may_be_shorter: true,
        ..IN_VAIN
    };
    assert_eq!(decided(standing), Decision::BackingOff);
    let there = Table {
        is_in_reach: true,
        ..changed
    };
    assert_eq!(decided(there), Decision::InReach);
}

#[test]
fn only_four_decisions_search() {
    let searches = [
        Decision::NewTarget,
        Decision::NoPath,
        Decision::TargetMoved,
        Decision::GroundChanged,
    ];
    assert!(searches.into_iter().all(Decision::is_search));
    let others = [
        Decision::KeepDetour,
        Decision::Detour,
        Decision::StepAside,
        Decision::OneStepOn,
        Decision::BackingOff,
    ];
    assert!(!others.into_iter().any(Decision::is_search));
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
    assert_eq!(stale(false, false), Decision::NotDue);
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

#[test]
fn who_was_beside_a_target_that_goes_on_keeps_its_side() {
    let beside = Table {
        goes_along: true,
        is_in_reach: true,
        ..STANDING
    };
    assert_eq!(decided(beside), Decision::GoAlong);
    let left = Table {
        is_in_reach: false,
        ..beside
    };
    assert_eq!(decided(left), Decision::GoAlong);
}
