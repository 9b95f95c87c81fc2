//! Decide: which chasers search now, and why.
//!
//! The rules are a pure function, [`decide`], so that each is a line in a table of tests.

use super::{
    observe::{SeenTarget, SeenTargets},
    reach,
    search::{Request, SearchQueue},
};
use crate::{
    AgentId, CellPosition, Chaser, Chasing, NavClock, NavMap, NavTime, NavTimer, OnMap, PathCursor,
    PathFailure,
};
use bevy_ecs::{prelude::*, query::QueryData};
use nav_grid::Grid;

/// What a decision is made from.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent, and the table tests read as one"
)]
pub(crate) struct Situation {
    /// The chase began, or turned to another target, since the last tick.
    pub(crate) target_is_new: bool,
    /// The target is within the stop distance.
    pub(crate) in_reach: bool,
    /// There are waypoints ahead.
    pub(crate) has_path: bool,
    /// The last waypoint is where the target is.
    pub(crate) ends_at_target: bool,
    /// The target moved further than the threshold since the last search.
    pub(crate) displaced: bool,
    /// The interval, or the back-off after failures, is over.
    pub(crate) due: bool,
    /// The last search did not lead to the target.
    pub(crate) failing: bool,
}

/// Whether to search, and why or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Search: the target is another one than before.
    NewTarget,
    /// Search: there is nothing to follow, and the target is out of reach.
    NoPath,
    /// Search: the target moved away from where the path ends, and the interval is over.
    TargetMoved,
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
    pub(crate) const fn is_search(self) -> bool {
        matches!(self, Self::NewTarget | Self::NoPath | Self::TargetMoved)
    }
}

/// The chase rules, first match first.
pub(crate) const fn decide(s: Situation) -> Decision {
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
        (true, true) => Decision::TargetMoved,
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Pursuer {
    entity: Entity,
    id: &'static AgentId,
    chaser: &'static Chaser,
    chasing: Ref<'static, Chasing>,
    on_map: Option<&'static OnMap>,
    position: &'static CellPosition,
    cursor: &'static mut PathCursor,
    timer: &'static mut NavTimer,
}

/// Puts every chaser that [`decide`]s for a search on the queue.
pub(crate) fn decide_searches(
    clock: Res<NavClock>,
    seen: Res<SeenTargets>,
    maps: Query<&NavMap>,
    mut pursuers: Query<Pursuer>,
    mut queue: ResMut<SearchQueue>,
) {
    let now = clock.now();
    for mut pursuer in &mut pursuers {
        let (entity, chaser, target) = (pursuer.entity, pursuer.chaser, pursuer.chasing.0);
        let target_is_new = turned(&pursuer.chasing, &pursuer.cursor);
        if target_is_new {
            // The way to somebody else is of no use.
            pursuer.cursor.interrupt();
            *pursuer.timer = NavTimer::default();
        }
        let (map, grid, seen) = match find(pursuer.on_map, seen.get(target), &maps) {
            Ok(found) => found,
            Err(failure) => {
                // What there was to follow is for another map.
                if pursuer.cursor.searched_for().is_some() {
                    pursuer.cursor.interrupt();
                }
                if now >= pursuer.timer.next_search {
                    pursuer.timer.refused(now, chaser.repath_interval);
                    queue.refuse(*pursuer.id, entity, target, failure);
                }
                continue;
            }
        };
        let decision = decide(look(&pursuer, target_is_new, grid, seen, now));
        let reached = decision == Decision::InReach;
        // Looked at first: writing marks the component as changed.
        if reached != pursuer.cursor.is_reached() && pursuer.cursor.set_reached(reached) {
            queue.arrive(*pursuer.id, entity, target);
        }
        if decision.is_search() {
            queue.push(|path| Request {
                chaser: entity,
                id: *pursuer.id,
                target,
                map,
                since: pursuer.timer.next_search,
                place: seen.position,
                query: chaser
                    .query(
                        pursuer.position.cell,
                        reach::goal(chaser, grid, pursuer.position.cell, seen),
                    )
                    .with_goal_body(reach::goal_body(chaser, seen)),
                method: chaser.method,
                path,
                outcome: None,
            });
        }
    }
}

/// The common map of chaser and target, and the target.
fn find<'a>(
    on_map: Option<&OnMap>,
    target: Option<&'a SeenTarget>,
    maps: &'a Query<&NavMap>,
) -> Result<(Entity, &'a Grid, &'a SeenTarget), PathFailure> {
    let OnMap(map) = *on_map.ok_or(PathFailure::ChaserNotOnMap)?;
    let nav_map = maps.get(map).map_err(|_| PathFailure::ChaserNotOnMap)?;
    let target = target.ok_or(PathFailure::TargetNotOnMap)?;
    if target.map == map {
        Ok((map, nav_map.grid(), target))
    } else {
        Err(PathFailure::MapsDiffer)
    }
}

/// Whether the chaser turned to another target since the last tick. One that came into the
/// world together with its target did not: it is new and has no path yet, or it was loaded, and
/// its path is the one it was saved with.
fn turned(chasing: &Ref<Chasing>, cursor: &Mut<PathCursor>) -> bool {
    chasing.is_changed() && !cursor.is_added()
}

fn look(
    pursuer: &PursuerItem,
    target_is_new: bool,
    grid: &Grid,
    target: &SeenTarget,
    now: NavTime,
) -> Situation {
    let PursuerItem {
        chaser,
        position,
        cursor,
        timer,
        ..
    } = pursuer;
    Situation {
        target_is_new,
        in_reach: reach::in_reach(chaser, grid, position, target, cursor),
        has_path: !cursor.path().is_empty(),
        ends_at_target: cursor
            .path()
            .end()
            .is_some_and(|end| reach::leads_to(chaser.rules, end, target)),
        displaced: cursor
            .searched_for()
            .is_none_or(|place| target.position.displaced(&place, chaser.displacement)),
        due: now >= timer.next_search,
        failing: timer.failures > 0,
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
}
