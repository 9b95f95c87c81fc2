//! Report: what happened in the tick, as messages and counters.
//!
//! Other sets only note what happened: one place decides the order of messages, and parallel code
//! needs no writer. `EditRefused` alone is written where it happens, by the command that edits.

use super::{
    fields::Fields,
    search::SearchQueue,
    storage::tick_events::{TickEvents, in_order},
};
use crate::{
    EditRefused, NavCounts, NavDiagnostics, NavSystems, PathBroken, PathFailed, PathFailure,
    PathFound, TargetReached, ValueRefused,
};
use bevy_app::App;
use bevy_ecs::{intern::Interned, message::MessageCursor, prelude::*, schedule::ScheduleLabel};

/// Writes messages and counters at the end of a tick.
pub(crate) fn add_report(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    let report = (write_messages, trigger_observed)
        .chain()
        .in_set(NavSystems::Report);
    app.init_resource::<NavDiagnostics>()
        .init_resource::<TickEvents>()
        .add_message::<EditRefused>()
        .add_message::<PathBroken>()
        .add_message::<PathFound>()
        .add_message::<PathFailed>()
        .add_message::<TargetReached>()
        .add_message::<ValueRefused>()
        .add_systems(schedule, report.before(NavSystems::Last));
}

type Writers<'w> = (
    MessageWriter<'w, PathFound>,
    MessageWriter<'w, PathFailed>,
    MessageWriter<'w, TargetReached>,
    MessageWriter<'w, PathBroken>,
    MessageWriter<'w, ValueRefused>,
);

fn write_messages(
    mut queue: ResMut<SearchQueue>,
    mut events: ResMut<TickEvents>,
    fields: Res<Fields>,
    (mut found, mut failed, mut reached, mut broken, mut values): Writers,
    mut diagnostics: ResMut<NavDiagnostics>,
) {
    let mut counts = NavCounts {
        steps: events.steps,
        expanded: queue.expanded,
        fields: fields.made,
        ..NavCounts::default()
    };
    let failure = |chaser, target, reason| PathFailed {
        chaser,
        target,
        reason,
    };
    for (request, outcome) in queue.answered() {
        let (chaser, target) = (request.asker, request.target);
        counts.count_search(Some(outcome.status));
        if outcome.status.has_path() {
            found.write(PathFound {
                chaser,
                target,
                outcome,
            });
        } else if !request.is_repeated {
            failed.write(failure(chaser, target, PathFailure::Search(outcome)));
        }
    }
    for &(_, chaser, (target, reason)) in in_order(&mut events.refusals) {
        counts.count_search(reason.status());
        failed.write(failure(chaser, target, reason));
    }
    for &(_, chaser, target) in in_order(&mut events.arrivals) {
        counts.reached += 1;
        reached.write(TargetReached { chaser, target });
    }
    for &(_, chaser, (map, waypoint)) in in_order(&mut events.broken) {
        counts.broken += 1;
        broken.write(PathBroken {
            chaser,
            map,
            waypoint,
        });
    }
    for &(_, entity, (field, reason)) in in_order(&mut events.values) {
        values.write(ValueRefused {
            entity,
            field,
            reason,
        });
    }
    diagnostics.end_tick(counts);
    queue.clear();
    events.clear();
}

/// The messages that were triggered as observer events already.
#[derive(Default)]
struct Triggered {
    found: MessageCursor<PathFound>,
    failed: MessageCursor<PathFailed>,
    reached: MessageCursor<TargetReached>,
    broken: MessageCursor<PathBroken>,
    values: MessageCursor<ValueRefused>,
}

/// Triggers the messages of the tick as observer events.
fn trigger_observed(world: &mut World, mut triggered: Local<Triggered>) {
    trigger_new(world, &mut triggered.found);
    trigger_new(world, &mut triggered.failed);
    trigger_new(world, &mut triggered.reached);
    trigger_new(world, &mut triggered.broken);
    trigger_new(world, &mut triggered.values);
}

/// Triggers the new messages of a kind, if anybody observes it: else a crowd would spend a tenth of
/// its tick on events.
fn trigger_new<M>(world: &mut World, triggered: &mut MessageCursor<M>)
where
    M: Message + Copy + for<'t> EntityEvent<Trigger<'t>: Default>,
{
    let Some(messages) = world.get_resource::<Messages<M>>() else {
        return;
    };
    let key = world.event_key::<M>();
    let observers = key.and_then(|key| world.observers().try_get_observers(key));
    if observers.is_none() {
        triggered.clear(messages);
        return;
    }
    let new: Vec<M> = triggered.read(messages).copied().collect();
    for message in new {
        world.trigger(message);
    }
}
