//! Has chasers head for a cell ahead of their targets.

use super::{Intercept, course::Pursuer};
use crate::{
    CellPosition, Chaser, Chasing, MoveTimer, NavClock, NavMap, NavSystems, NavTime, NavTimer,
    OnMap, PathCursor,
    behaviour::{BehaviourSystems, keep_distance::step_away, sets::order_sets},
    components::SearchesAlone,
    systems::{
        reach,
        search::{LongSearch, PathEnd, Request, SearchQueue, SearchScope},
        storage::targets::{TargetSnapshot, Targets},
    },
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    event::EventPattern,
    intern::Interned,
    prelude::*,
    query::QueryData,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};
use nav_grid::{Cell, Footprint};

/// Has those who [`Intercept`] head for a cell ahead of their targets.
pub struct InterceptPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for InterceptPlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_systems(
            self.0,
            (
                // From where those stand who stepped away in this tick.
                take_aim.in_set(BehaviourSystems::Steer).after(step_away),
                lead_searches
                    .after(NavSystems::JoinFields)
                    .before(NavSystems::Search),
            )
                .run_if(any_with_component::<Intercept>),
        )
        .add_observer(let_go::<Remove<Chasing>>)
        .add_observer(let_go::<Remove<Intercept>>);
    }
}

/// So many steps out of reach a target is chased itself; who is to begin to cut it off needs twice as many.
const AT_HAND: u16 = 3;

#[derive(QueryData)]
#[query_data(mutable)]
struct Leading {
    entity: Entity,
    intercept: &'static mut Intercept,
    alone: &'static mut SearchesAlone,
    chaser: &'static mut Chaser,
    chasing: &'static Chasing,
    on_map: &'static OnMap,
    position: &'static CellPosition,
    cursor: &'static mut PathCursor,
    search_timer: &'static NavTimer,
    move_timer: &'static MoveTimer,
}

/// Looks where the targets are going, and has chasers begin and end to head for a cell ahead.
fn take_aim(
    clock: Res<NavClock>,
    mut leading: Query<Leading>,
    targets: Res<Targets>,
    maps: Query<&NavMap>,
    mut long: ResMut<LongSearch>,
) {
    let now = clock.now();
    for mut one in &mut leading {
        let slot = targets.slot_on(one.chasing.0, one.on_map.0);
        let seen = slot.map(|slot| targets.at(slot).seen);
        let map = maps.get(one.on_map.0).ok();
        let aim = if let (Some(seen), Some(map)) = (seen.filter(|seen| !seen.is_entered), map) {
            one.aim(&seen, map, now)
        } else {
            one.intercept.forget();
            None
        };
        let (led, leads) = (one.alone.0, aim.is_some());
        if one.intercept.aim() != aim {
            one.intercept.set_aim(aim);
        }
        if led != leads {
            long.drop_of(one.entity);
            one.alone.0 = leads;
            one.chaser.set_changed();
        }
    }
}

impl LeadingItem<'_, '_> {
    /// The cell ahead for which it heads from now on. A path for another purpose is dropped, so that the next
    /// decision is to search.
    fn aim(&mut self, seen: &TargetSnapshot, map: &NavMap, now: NavTime) -> Option<Cell> {
        let target = seen.position.cell;
        self.intercept.follow(target, now);
        let led = self.intercept.aim().is_some();
        let aim = self.meet(target, led, map, now);
        if led != aim.is_some() && self.cursor.is_on_path() {
            self.cursor.drop_path();
        }
        aim
    }

    fn meet(&self, target: Cell, led: bool, map: &NavMap, now: NavTime) -> Option<Cell> {
        let Self {
            chaser,
            search_timer: timer,
            ..
        } = self;
        let from = self.position.cell;
        let away = from.chebyshev(target);
        let at_hand = if led { AT_HAND } else { 2 * AT_HAND };
        let reach = chaser.stop_distance.saturating_add(chaser.stop_slack);
        let radius = chaser.limits.radius;
        let is_within =
            from.floor == target.floor && away > reach.saturating_add(at_hand) && away <= radius;
        // To begin takes a search, for which the interval has to be over.
        let may_search = led || now >= timer.next_search();
        if !is_within || !may_search || timer.failures() > 0 {
            return None;
        }
        let pursuer = Pursuer {
            from,
            rules: chaser.rules,
            pace: self.move_timer.chasing.nanos(),
            lead: self.intercept.lead,
            radius,
        };
        self.intercept.course(now)?.meet(map.grid(), pursuer)
    }
}

/// Has the searches of those who head for a cell ahead lead there.
fn lead_searches(
    leading: Query<(&Intercept, &Chaser)>,
    maps: Query<&NavMap>,
    mut queue: ResMut<SearchQueue>,
) {
    for request in &mut queue.requests {
        if let Ok((intercept, chaser)) = leading.get(request.chaser)
            && let Some(aim) = intercept.aim()
            && let Ok(map) = maps.get(request.map)
        {
            lead(request, aim, chaser, map);
        }
    }
}

/// Has a search lead to a cell, in the window of the chaser.
fn lead(request: &mut Request, aim: Cell, chaser: &Chaser, map: &NavMap) {
    let ahead = TargetSnapshot {
        position: CellPosition::at(aim),
        map: request.map,
        body: Footprint::ONE,
        is_entered: true,
    };
    let from = request.query.start;
    let goal = reach::goal(chaser, map.grid(), from, &ahead);
    request.query = chaser
        .query(from, goal)
        .with_goal_body(reach::goal_body(chaser, &ahead))
        .with_last_step(false);
    request.end = PathEnd::Goal;
    request.scope = SearchScope::Window;
}

/// Forgets the target of a chase that ended, and shares again if it is to do so no longer.
fn let_go<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut leading: Query<(
        &mut Intercept,
        &mut SearchesAlone,
        &mut Chaser,
        &mut PathCursor,
    )>,
) {
    let agent = event.event().event_target();
    let Ok((mut intercept, mut alone, mut chaser, mut cursor)) = leading.get_mut(agent) else {
        return;
    };
    intercept.forget();
    if alone.0 {
        alone.0 = false;
        chaser.set_changed();
        if cursor.is_on_path() {
            cursor.drop_path();
        }
    }
}
