//! The next guide of a chaser out of reach: one pure function, [`next_guide`], over [`Facts`] that
//! are looked up one by one, the cheapest first. Each rule is a line of the tests below.

use crate::systems::fields::FieldAnswer;

/// The inputs of a decision about a chaser. Asked in the order of the rules and only as far as
/// they need; only cheap ones are asked twice.
// Decision 16: docs/decisions/0016-facts-looked-up-one-by-one.md
pub(super) trait Facts {
    /// Bodies keep a solid body where it is, and it may search for a way past them.
    fn is_held_up(&self) -> bool;
    /// The chaser follows a path past bodies, or around the cells of its target, that still holds.
    fn keeps_detour(&self) -> bool;
    /// Returns the answer of the field around the target, or else of the far one; and whether it is
    /// the far one.
    fn shared_field(&mut self) -> (FieldAnswer, bool);
    /// There are waypoints ahead.
    fn has_path(&self) -> bool;
    /// The last search did not lead to the target.
    fn is_failing(&self) -> bool;
    /// A search waits for its turn.
    fn is_queued(&self) -> bool;
    /// The interval, or the back-off after failures, is over.
    fn is_due(&self) -> bool;
    /// Nothing has changed since a search that gave nothing.
    fn awaits_change(&self) -> bool;
    /// The ground changed since the path was found.
    fn may_be_shorter(&self) -> bool;
    /// A body that is a wall to the chaser stands on its path, and some body moved since a search
    /// around it.
    fn is_barred(&self) -> bool;
    /// The target moved further than the chaser's threshold since its last search.
    fn has_target_moved(&self) -> bool;
    /// The last waypoint is where the target is.
    fn path_ends_at_target(&self) -> bool;
    /// The target moved further from where the path leads than is worth a search of its length.
    fn is_path_far_off(&self) -> bool;
    /// The target is one step on from the end of a path that is no detour.
    fn is_one_step_on(&self) -> bool;
}

/// The guide of a chaser until its next decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextGuide {
    /// The guide that it has, and a search for a path past the bodies that hold it up.
    SearchPast,
    /// The path past bodies, or around its target, that it is on.
    KeepDetour,
    /// A shared field, near or far.
    Join { far: bool },
    /// A field that is made in this tick: decides again.
    Await,
    /// A path, by a search.
    Search,
    /// A path around all bodies, by a search; else the path that it has.
    SearchAround,
    /// The path that it has.
    KeepPath,
    /// The path that it has, and the step that the target took from its end.
    Extend,
    /// Nothing, or the straight way while a search is queued.
    Wait,
}

/// The rules, first match first.
#[inline]
pub(super) fn next_guide(facts: &mut impl Facts) -> NextGuide {
    let is_held_up = facts.is_held_up();
    if !is_held_up && facts.keeps_detour() {
        return NextGuide::KeepDetour;
    }
    match facts.shared_field() {
        // Also for a body that is held up: it follows the field until its search is answered.
        (FieldAnswer::Pending, _) => return NextGuide::Await,
        _ if is_held_up => return NextGuide::SearchPast,
        (FieldAnswer::Leads, far) => return NextGuide::Join { far },
        (FieldAnswer::Nothing, _) => {}
    }
    if !facts.has_path() {
        // A path that was used up or cut off is replaced at once. After a failed search the chaser
        // waits, so that it does not search again and again.
        let waits = facts.is_failing() || facts.is_queued();
        return if !waits || facts.is_due() && !facts.awaits_change() {
            NextGuide::Search
        } else {
            NextGuide::Wait
        };
    }
    // Most walking chasers searched a moment ago: nothing else is asked.
    if !facts.is_due() {
        return NextGuide::KeepPath;
    }
    if facts.may_be_shorter() {
        return NextGuide::Search;
    }
    if facts.is_barred() {
        return NextGuide::SearchAround;
    }
    // The path itself comes last: it lies elsewhere in memory.
    if !facts.has_target_moved() || facts.path_ends_at_target() || !facts.is_path_far_off() {
        NextGuide::KeepPath
    } else if facts.is_one_step_on() && !facts.is_failing() {
        NextGuide::Extend
    } else {
        NextGuide::Search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NextGuide::{
        Await, Extend, Join, KeepDetour, KeepPath, Search, SearchAround, SearchPast, Wait,
    };

    /// Declares the facts of a table line, each answered by a field.
    macro_rules! table {
        ($($fact:ident: $type:ty = $default:expr,)*) => {
            #[derive(Clone, Copy)]
            struct Line {
                shared_field: (FieldAnswer, bool),
                $($fact: $type,)*
            }

            /// A chaser on its way by a path that leads to its target.
            const WALKING: Line = Line {
                shared_field: (FieldAnswer::Nothing, false),
                $($fact: $default,)*
            };

            impl Facts for Line {
                fn shared_field(&mut self) -> (FieldAnswer, bool) {
                    self.shared_field
                }

                $(fn $fact(&self) -> $type {
                    self.$fact
                })*
            }
        };
    }

    table! {
        is_held_up: bool = false,
        keeps_detour: bool = false,
        has_path: bool = true,
        is_failing: bool = false,
        is_queued: bool = false,
        is_due: bool = true,
        awaits_change: bool = false,
        may_be_shorter: bool = false,
        is_barred: bool = false,
        has_target_moved: bool = false,
        path_ends_at_target: bool = true,
        is_path_far_off: bool = false,
        is_one_step_on: bool = false,
    }

    const STANDING: Line = Line {
        has_path: false,
        path_ends_at_target: false,
        ..WALKING
    };

    /// The target went away from where the path ends.
    const STALE: Line = Line {
        has_target_moved: true,
        is_path_far_off: true,
        path_ends_at_target: false,
        ..WALKING
    };

    #[track_caller]
    fn check(mut line: Line, expected: NextGuide) {
        assert_eq!(next_guide(&mut line), expected);
    }

    #[test]
    fn held_up_body_searches() {
        let line = Line {
            is_held_up: true,
            keeps_detour: true,
            shared_field: (FieldAnswer::Leads, false),
            ..STANDING
        };
        check(line, SearchPast);
    }

    #[test]
    fn detour_comes_before_field() {
        let line = Line {
            keeps_detour: true,
            shared_field: (FieldAnswer::Leads, false),
            ..STANDING
        };
        check(line, KeepDetour);
    }

    #[test]
    fn field_comes_before_search() {
        let with = |answer, far| Line {
            shared_field: (answer, far),
            ..STALE
        };
        check(with(FieldAnswer::Leads, false), Join { far: false });
        check(with(FieldAnswer::Leads, true), Join { far: true });
        check(with(FieldAnswer::Pending, false), Await);
        check(with(FieldAnswer::Nothing, true), Search);
    }

    #[test]
    fn used_up_path() {
        let early = Line {
            is_due: false,
            ..STANDING
        };
        check(early, Search);
    }

    #[test]
    fn failed_search_waits() {
        let failing = Line {
            is_failing: true,
            ..STANDING
        };
        let queued = Line {
            is_queued: true,
            ..STANDING
        };
        for line in [failing, queued] {
            let early = Line {
                is_due: false,
                ..line
            };
            let unchanged = Line {
                awaits_change: true,
                ..line
            };
            check(line, Search);
            check(early, Wait);
            check(unchanged, Wait);
        }
    }

    #[test]
    fn path_to_target_is_kept() {
        check(WALKING, KeepPath);
        let at_target = Line {
            path_ends_at_target: true,
            ..STALE
        };
        check(at_target, KeepPath);
        let near = Line {
            is_path_far_off: false,
            ..STALE
        };
        check(near, KeepPath);
        let still = Line {
            has_target_moved: false,
            ..STALE
        };
        check(still, KeepPath);
    }

    #[test]
    fn moved_target_once_due() {
        check(STALE, Search);
        let early = Line {
            is_due: false,
            ..STALE
        };
        check(early, KeepPath);
    }

    #[test]
    fn one_step_extends_path() {
        let line = Line {
            is_one_step_on: true,
            ..STALE
        };
        check(line, Extend);
        let failing = Line {
            is_failing: true,
            ..line
        };
        check(failing, Search);
    }

    #[test]
    fn changed_ground_once_due() {
        let changed = Line {
            may_be_shorter: true,
            ..WALKING
        };
        let barred = Line {
            is_barred: true,
            ..WALKING
        };
        for (line, expected) in [(changed, Search), (barred, SearchAround)] {
            check(line, expected);
            let early = Line {
                is_due: false,
                ..line
            };
            check(early, KeepPath);
        }
    }
}
