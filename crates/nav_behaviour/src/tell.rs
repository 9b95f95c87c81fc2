//! Keeps activities up to date, and says when they change.

use crate::{
    Activity, ActivityCause, ActivityChanged, BehaviourSystems, GoTo, Returning, StuckWatch,
    activity::PendingCause,
    news::{changed_ticks, for_each_changed},
    sets::order_sets,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{
    change_detection::{ContiguousMut, ContiguousRef},
    event::EventPattern,
    intern::Interned,
    prelude::*,
    query::QueryData,
    schedule::{ScheduleLabel, common_conditions::any_with_component},
};
use nav::{AgentId, CellPosition, ChaseState, Chasing, Destination, NavTimer, PathCursor, Paused};

/// Keeps each [`Activity`] up to date.
pub struct ActivityPlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for ActivityPlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_message::<ActivityChanged>()
            .add_systems(
                self.0,
                tell.run_if(any_with_component::<Activity>)
                    .in_set(BehaviourSystems::Tell),
            )
            .add_observer(note_change::<Add<Activity>>)
            .add_observer(note_change::<Insert<Chasing>>)
            .add_observer(note_change::<Remove<Chasing>>)
            .add_observer(note_change::<Insert<Paused>>)
            .add_observer(note_change::<Remove<Paused>>);
    }
}

/// Has an agent be looked at whose activity is new, or whose chase or pause began or ended.
fn note_change<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    mut causes: Query<&mut PendingCause>,
) {
    if let Ok(mut cause) = causes.get_mut(event.event().event_target()) {
        cause.set_changed();
    }
}

#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(super) struct Doing {
    entity: Entity,
    id: Option<&'static AgentId>,
    activity: &'static mut Activity,
    cause: &'static mut PendingCause,
    cursor: Option<Ref<'static, PathCursor>>,
    position: &'static CellPosition,
    timer: Option<&'static NavTimer>,
    chasing: Option<&'static Chasing>,
    is_going: Has<GoTo>,
    is_returning: Has<Returning>,
    is_paused: Has<Paused>,
    watch: Option<&'static StuckWatch>,
}

/// What says what an agent does.
struct Situation<'a> {
    cursor: Option<&'a PathCursor>,
    position: &'a CellPosition,
    timer: Option<&'a NavTimer>,
    chasing: Option<&'a Chasing>,
    is_going: bool,
    is_returning: bool,
    is_paused: bool,
    watch: Option<&'a StuckWatch>,
}

/// What changed in a tick.
#[derive(Default)]
pub(super) struct Changes(Vec<(AgentId, ActivityChanged)>);

fn tell(
    mut doing: Query<Doing>,
    destinations: Query<(), With<Destination>>,
    mut changed: MessageWriter<ActivityChanged>,
    mut commands: Commands,
    mut changes: Local<Changes>,
) {
    changes.collect(&mut doing, |target| destinations.contains(target));
    let Changes(list) = &mut *changes;
    list.sort_unstable_by_key(|&(id, change)| (id, change.agent));
    for (_, change) in list.drain(..) {
        changed.write(change);
        commands.trigger(change);
    }
}

impl Changes {
    /// Updates the activities of those whose chase, pause or cause changed since the last look: of the others
    /// nothing but change ticks is read.
    fn collect(&mut self, doing: &mut Query<Doing>, is_place: impl Fn(Entity) -> bool) {
        if let Ok(tables) = doing.contiguous_iter_mut() {
            for table in tables {
                self.collect_table(table, &is_place);
            }
            return;
        }
        // Only where the game disables entities by a component that is not kept in tables.
        for mut one in doing {
            let is_news = one.cursor.as_ref().is_some_and(Ref::is_changed);
            if !is_news && !one.cause.is_changed() {
                continue;
            }
            let facts = Situation {
                cursor: one.cursor.as_deref(),
                position: one.position,
                timer: one.timer,
                chasing: one.chasing,
                is_going: one.is_going,
                is_returning: one.is_returning,
                is_paused: one.is_paused,
                watch: one.watch,
            };
            let cause = one.cause.bypass_change_detection();
            let activity = one.activity.bypass_change_detection();
            let agent = (one.entity, one.id.copied());
            if self.update(agent, activity, cause, &facts, &is_place) {
                one.activity.set_changed();
            }
        }
    }

    fn collect_table(&mut self, table: DoingContiguousItem, is_place: &impl Fn(Entity) -> bool) {
        let (cursors, went) = table.cursor.map(ContiguousRef::split).unzip();
        let (causes, noted) = ContiguousMut::bypass_change_detection_split(table.cause);
        let (activities, mut ticks) = ContiguousMut::bypass_change_detection_split(table.activity);
        let runs = (ticks.last_run(), ticks.this_run());
        let columns = [
            went.as_ref().map_or(&[][..], changed_ticks),
            changed_ticks(&noted.into()),
        ];
        for_each_changed(columns, runs, |row| {
            let facts = Situation {
                cursor: cursors.map(|cursors| &cursors[row]),
                position: &table.position[row],
                timer: table.timer.map(|timers| &timers[row]),
                chasing: table.chasing.map(|chasing| &chasing[row]),
                is_going: table.is_going,
                is_returning: table.is_returning,
                is_paused: table.is_paused,
                watch: table.watch.map(|watches| &watches[row]),
            };
            let agent = (table.entity[row], table.id.map(|ids| ids[row]));
            let (activity, cause) = (&mut activities[row], &mut causes[row]);
            if self.update(agent, activity, cause, &facts, is_place) {
                ticks.changed_mut()[row] = runs.1;
            }
        });
    }

    /// Updates the activity of an agent, and returns whether it is another one now.
    fn update(
        &mut self,
        (agent, id): (Entity, Option<AgentId>),
        activity: &mut Activity,
        cause: &mut PendingCause,
        facts: &Situation,
        is_place: &impl Fn(Entity) -> bool,
    ) -> bool {
        let to_place = facts.chasing.is_some_and(|chasing| is_place(chasing.0));
        let (from, to) = (*activity, facts.activity(to_place));
        let noted = cause.take();
        if from == to {
            return false;
        }
        *activity = to;
        let cause = noted.unwrap_or_else(|| cause_of(from, to));
        let change = ActivityChanged {
            agent,
            from,
            to,
            cause,
        };
        self.0.push((id.unwrap_or_default(), change));
        true
    }
}

impl Situation<'_> {
    /// What the agent does, whose target is a place or not.
    fn activity(&self, to_place: bool) -> Activity {
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
