//! The chase rules: a pure function, [`decide`], so that each is a line in a table of tests.

/// What a decision is made from.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent, and the table tests read as one"
)]
pub(super) struct Situation {
    /// The chase began, or turned to another target, since the last tick.
    pub(super) target_is_new: bool,
    /// The target is within the stop distance.
    pub(super) in_reach: bool,
    /// There are waypoints ahead.
    pub(super) has_path: bool,
    /// The last waypoint is where the target is.
    pub(super) ends_at_target: bool,
    /// The target moved further than the threshold since the last search.
    pub(super) displaced: bool,
    /// The interval, or the back-off after failures, is over.
    pub(super) due: bool,
    /// The last search did not lead to the target.
    pub(super) failing: bool,
    /// The target is one step on from where a path ends that is no detour.
    pub(super) one_step_on: bool,
}

/// Whether to search, and why or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Search: the target is another one than before.
    NewTarget,
    /// Search: there is nothing to follow, and the target is out of reach.
    NoPath,
    /// Search: the target moved away from where the path ends, and the interval is over.
    TargetMoved,
    /// Lead the path on by a step: that is where the target went.
    OneStepOn,
    /// Rest: the target is within reach.
    InReach,
    /// Rest: the path leads to the target.
    OnTheWay,
    /// Rest: the target has not moved far enough to be worth a search.
    NotDisplaced,
    /// Rest: the interval is not over.
    NotDue,
    /// Rest: searches failed, and the back-off is not over.
    BackingOff,
}

impl Decision {
    pub(super) const fn is_search(self) -> bool {
        matches!(self, Self::NewTarget | Self::NoPath | Self::TargetMoved)
    }
}

/// The chase rules, first match first.
pub(super) const fn decide(s: Situation) -> Decision {
    if s.in_reach {
        return Decision::InReach;
    }
    if s.target_is_new {
        return Decision::NewTarget;
    }
    if !s.has_path {
        // A path that was used up or cut off is replaced at once; one that could not be found
        // is not looked for again and again.
        return if s.failing && !s.due {
            Decision::BackingOff
        } else {
            Decision::NoPath
        };
    }
    if s.ends_at_target {
        return Decision::OnTheWay;
    }
    match (s.displaced, s.due) {
        (false, _) => Decision::NotDisplaced,
        (true, false) => Decision::NotDue,
        (true, true) if s.one_step_on && !s.failing => Decision::OneStepOn,
        (true, true) => Decision::TargetMoved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chaser in the middle of a chase, with nothing to do.
    const WALKING: Situation = Situation {
        target_is_new: false,
        in_reach: false,
        has_path: true,
        ends_at_target: true,
        displaced: false,
        due: true,
        failing: false,
        one_step_on: false,
    };
    const STANDING: Situation = Situation {
        has_path: false,
        ends_at_target: false,
        ..WALKING
    };
    const STALE: Situation = Situation {
        ends_at_target: false,
        ..WALKING
    };

    #[test]
    fn who_follows_a_path_goes_on_by_it_until_the_interval_is_over() {
        // So the path need not be looked at before.
        for facts in 0..16 {
            let is = |fact: u32| facts >> fact & 1 == 1;
            let decision = decide(Situation {
                ends_at_target: is(0),
                displaced: is(1),
                failing: is(2),
                one_step_on: is(3),
                due: false,
                ..WALKING
            });
            assert!(
                !decision.is_search() && decision != Decision::OneStepOn,
                "{decision:?}"
            );
        }
    }

    #[test]
    fn a_chase_that_begins_searches_at_once() {
        let new = Situation {
            target_is_new: true,
            due: false,
            ..STANDING
        };
        assert_eq!(decide(new), Decision::NewTarget);
        assert_eq!(
            decide(Situation {
                failing: true,
                ..new
            }),
            Decision::NewTarget
        );
    }

    #[test]
    fn a_target_in_reach_needs_no_search() {
        assert_eq!(
            decide(Situation {
                in_reach: true,
                ..STANDING
            }),
            Decision::InReach
        );
        let new = Situation {
            in_reach: true,
            target_is_new: true,
            ..STANDING
        };
        assert_eq!(decide(new), Decision::InReach);
    }

    #[test]
    fn a_path_to_the_target_is_followed() {
        assert_eq!(decide(WALKING), Decision::OnTheWay);
        // It went away and came back.
        assert_eq!(
            decide(Situation {
                displaced: true,
                ..WALKING
            }),
            Decision::OnTheWay
        );
    }

    #[test]
    fn a_path_that_ran_out_short_of_reach_is_replaced_at_once() {
        assert_eq!(
            decide(Situation {
                due: false,
                ..STANDING
            }),
            Decision::NoPath
        );
    }

    #[test]
    fn failures_back_off_and_then_try_again() {
        let failing = Situation {
            failing: true,
            due: false,
            ..STANDING
        };
        assert_eq!(decide(failing), Decision::BackingOff);
        assert_eq!(
            decide(Situation {
                displaced: true,
                ..failing
            }),
            Decision::BackingOff
        );
        assert_eq!(
            decide(Situation {
                due: true,
                ..failing
            }),
            Decision::NoPath
        );
    }

    #[test]
    fn a_moved_target_is_searched_for_only_when_both_throttles_allow() {
        let stale = |displaced, due| {
            decide(Situation {
                displaced,
                due,
                ..STALE
            })
        };
        assert_eq!(stale(false, false), Decision::NotDisplaced);
        assert_eq!(stale(false, true), Decision::NotDisplaced);
        assert_eq!(stale(true, false), Decision::NotDue);
        assert_eq!(stale(true, true), Decision::TargetMoved);
    }

    #[test]
    fn a_path_is_led_on_by_a_step_when_a_search_would_be_allowed() {
        let moved = Situation {
            displaced: true,
            one_step_on: true,
            ..STALE
        };
        assert_eq!(decide(moved), Decision::OneStepOn);
        let early = Situation {
            due: false,
            ..moved
        };
        assert_eq!(decide(early), Decision::NotDue);
        // A path that only leads nearer is not worth it.
        let failing = Situation {
            failing: true,
            ..moved
        };
        assert_eq!(decide(failing), Decision::TargetMoved);
    }
}
