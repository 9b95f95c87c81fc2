//! Keeps activities up to date, and says when they change.

use super::{
    Activity, ActivityCause, ActivityChanged, BehaviourSystems, GoTo, Returning, StuckWatch,
    activity::PendingCause, sets::order_sets,
};
use crate::{
    AgentId, CellPosition, ChaseState, Chasing, Destination, NavTimer, PathCursor, Paused,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    event::EventPattern, intern::Interned, prelude::*, query::QueryData, schedule::ScheduleLabel,
};

/// Keeps each [`Activity`] up to date.
pub struct ActivityPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for ActivityPlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_message::<ActivityChanged>()
            .add_systems(self.0, tell.in_set(BehaviourSystems::Tell))
            .add_observer(note_change::<Insert<Chasing>>)
            .add_observer(note_change::<Remove<Chasing>>)
            .add_observer(note_change::<Insert<Paused>>)
            .add_observer(note_change::<Remove<Paused>>);
    }
}

/// Has an agent be looked at whose chase or pause began or ended.
fn note_change<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut causes: Query<&mut PendingCause>,
) {
    if let Ok(mut cause) = causes.get_mut(event.event().event_target()) {
        cause.set_changed();
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Doing {
    entity: Entity,
    id: Option<&'static AgentId>,
    activity: &'static mut Activity,
    cause: &'static mut PendingCause,
    cursor: Option<&'static PathCursor>,
    position: &'static CellPosition,
    timer: Option<&'static NavTimer>,
    chasing: Option<&'static Chasing>,
    is_going: Has<GoTo>,
    is_returning: Has<Returning>,
    is_paused: Has<Paused>,
    watch: Option<&'static StuckWatch>,
}

type MayHaveChanged = Or<(Changed<PathCursor>, Changed<PendingCause>, Added<Activity>)>;

fn tell(
    mut doing: Query<Doing, MayHaveChanged>,
    destinations: Query<(), With<Destination>>,
    mut changed: MessageWriter<ActivityChanged>,
    mut commands: Commands,
    mut list: Local<Vec<(AgentId, ActivityChanged)>>,
) {
    for mut one in &mut doing {
        let to_place = one
            .chasing
            .is_some_and(|chasing| destinations.contains(chasing.0));
        let (from, to) = (*one.activity, one.activity_now(to_place));
        // Looked at first: writing marks the component as changed.
        let noted = if one.cause.is_some() {
            one.cause.bypass_change_detection().take()
        } else {
            None
        };
        if from == to {
            continue;
        }
        *one.activity = to;
        let change = ActivityChanged {
            agent: one.entity,
            from,
            to,
            cause: noted.unwrap_or_else(|| cause_of(from, to)),
        };
        list.push((one.id.copied().unwrap_or_default(), change));
    }
    list.sort_unstable_by_key(|&(id, change)| (id, change.agent));
    for (_, change) in list.drain(..) {
        changed.write(change);
        commands.trigger(change);
    }
}

impl DoingItem<'_, '_> {
    /// What the agent does, whose target is a place or not.
    fn activity_now(&self, to_place: bool) -> Activity {
        if self.is_paused {
            return Activity::Paused;
        }
        let (Some(_), Some(cursor)) = (self.chasing, self.cursor) else {
            return Activity::Idle;
        };
        if self.watch.is_some_and(StuckWatch::is_stuck) {
            return Activity::Stuck;
        }
        let on_the_way = match (self.is_returning, to_place) {
            (true, _) => Activity::Returning,
            (false, true) => Activity::Walking,
            (false, false) => Activity::Chasing,
        };
        // A path that is used up, or only leads nearer, is replaced at the next chance.
        let waits = self.timer.is_some_and(|timer| match cursor.state() {
            ChaseState::Idle => timer.failures() > 0,
            ChaseState::Waiting => timer.awaited_change_at(self.position.cell),
            _ => false,
        });
        match cursor.state() {
            ChaseState::Reached if to_place && !self.is_going => Activity::Idle,
            ChaseState::Reached if !to_place => Activity::InReach,
            _ if waits && !self.is_returning => Activity::Waiting,
            _ => on_the_way,
        }
    }
}

/// Why a change came about that follows from the chase itself.
fn cause_of(from: Activity, to: Activity) -> ActivityCause {
    match (from, to) {
        (_, Activity::InReach) => ActivityCause::Reached,
        (Activity::InReach, Activity::Chasing) => ActivityCause::TargetLeft,
        (Activity::Walking | Activity::Returning, Activity::Idle) => ActivityCause::Arrived,
        (Activity::Waiting, Activity::Chasing | Activity::Walking) => ActivityCause::WayFound,
        (Activity::Chasing | Activity::InReach | Activity::Walking, Activity::Waiting) => {
            ActivityCause::NoWay
        }
        _ => ActivityCause::Ordered,
    }
}
