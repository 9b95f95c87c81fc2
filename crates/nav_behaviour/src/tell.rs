//! Updates of activities, and the messages that they changed.

use crate::{
    Activity, ActivityCause, ActivityChanged, BehaviourSystems, Confused, Flee, Returning,
    Searching, StuckWatch, activity::PendingCause, plugins::add_shared, plugins::behaviour_plugin,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    event::EventPattern, prelude::*, query::QueryData,
    schedule::common_conditions::any_with_component,
};
use nav::{
    AgentId, CellPosition, ChaseState, Chasing, Destination, GoTo, NavTimer, PathCursor, Paused,
    extend::require_nav,
};

behaviour_plugin! {
    /// Updates each [`Activity`] and reports its changes.
    ActivityPlugin
}

impl Plugin for ActivityPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app, self.schedule);
        let tell = tell.run_if(any_with_component::<Activity>);
        app.add_message::<ActivityChanged>()
            .add_systems(self.schedule, tell.in_set(BehaviourSystems::Tell))
            .add_observer(request_update::<Add<Activity>>)
            .add_observer(request_update::<Insert<Chasing>>)
            .add_observer(request_update::<Remove<Chasing>>)
            .add_observer(request_update::<Insert<Flee>>)
            .add_observer(request_update::<Remove<Flee>>)
            .add_observer(request_update::<Insert<Confused>>)
            .add_observer(request_update::<Remove<Confused>>)
            .add_observer(request_update::<Insert<Searching>>)
            .add_observer(request_update::<Insert<Paused>>)
            .add_observer(request_update::<Remove<Paused>>);
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "ActivityPlugin");
    }
}

/// Requests an update of an agent's activity.
fn request_update<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut causes: Query<&mut PendingCause>,
) {
    if let Ok(mut cause) = causes.get_mut(event.event().event_target()) {
        cause.set_changed();
    }
}

/// The inputs of an activity, and the activity.
#[derive(QueryData)]
#[query_data(mutable)]
struct Doing {
    id: Option<&'static AgentId>,
    activity: &'static mut Activity,
    cause: &'static mut PendingCause,
    cursor: Option<&'static PathCursor>,
    position: &'static CellPosition,
    timer: Option<&'static NavTimer>,
    chasing: Option<&'static Chasing>,
    is_going: Has<GoTo>,
    is_returning: Has<Returning>,
    is_searching: Has<Searching>,
    is_paused: Has<Paused>,
    is_confused: Has<Confused>,
    is_fleeing: Has<Flee>,
    watch: Option<&'static StuckWatch>,
}

/// An agent that requests an update.
type Requested = (
    With<Activity>,
    Or<(Changed<PendingCause>, Changed<PathCursor>)>,
);

/// Updates the activities of agents that request it, and reports changes in the order of agents.
fn tell(
    mut agents: ParamSet<(Query<Entity, Requested>, Query<Doing>)>,
    destinations: Query<(), With<Destination>>,
    mut messages: MessageWriter<ActivityChanged>,
    mut commands: Commands,
    mut due: Local<Vec<Entity>>,
    mut changes: Local<Vec<(AgentId, ActivityChanged)>>,
) {
    due.extend(&agents.p0());
    let mut doing = agents.p1();
    for agent in due.drain(..) {
        let Ok(mut one) = doing.get_mut(agent) else {
            continue;
        };
        let to_place = one.chasing.is_some_and(|to| destinations.contains(to.0));
        let to = one.activity(to_place);
        // Taking the cause must not request another update.
        let noted = one.cause.bypass_change_detection().0.take();
        if let Some(from) = one.activity.replace_if_neq(to) {
            let change = ActivityChanged {
                agent,
                from,
                to,
                cause: noted.unwrap_or_else(|| cause_of(from, to)),
            };
            changes.push((one.id.copied().unwrap_or_default(), change));
        }
    }
    changes.sort_unstable_by_key(|&(id, change)| (id, change.agent));
    for (_, change) in changes.drain(..) {
        messages.write(change);
        commands.trigger(change);
    }
}

impl DoingItem<'_, '_> {
    /// Returns the current activity of the agent, on its way to a place or to a target.
    fn activity(&self, to_place: bool) -> Activity {
        if self.is_paused {
            return Activity::Paused;
        }
        if self.is_confused {
            return Activity::Confused;
        }
        if self.is_fleeing {
            return Activity::Fleeing;
        }
        let (Some(_), Some(cursor)) = (self.chasing, self.cursor) else {
            return Activity::Idle;
        };
        if self.watch.is_some_and(StuckWatch::is_stuck) {
            return Activity::Stuck;
        }
        if self.is_searching {
            return Activity::Searching;
        }
        let on_the_way = match (self.is_returning, to_place) {
            (true, _) => Activity::Returning,
            (false, true) => Activity::Walking,
            (false, false) => Activity::Chasing,
        };
        // Without a failed search this does not count as waiting: a path that ended, or only led
        // nearer, is replaced by the next search.
        let waits = self.timer.is_some_and(|timer| match cursor.state() {
            ChaseState::Idle => timer.failures() > 0,
            ChaseState::Waiting => timer.awaited_change_at(self.position.cell),
            _ => false,
        });
        match cursor.state() {
            ChaseState::Reached if to_place && !self.is_going && !self.is_returning => {
                Activity::Idle
            }
            ChaseState::Reached if !to_place => Activity::InReach,
            _ if waits && !self.is_returning => Activity::Waiting,
            _ => on_the_way,
        }
    }
}

/// The cause of a change that follows from the chase itself.
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
