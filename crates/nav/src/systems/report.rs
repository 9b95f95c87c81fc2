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
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel, system::SystemParam};

/// Writes messages and counters at the end of a tick.
pub(crate) fn add_report(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    let write = write_messages.in_set(NavSystems::Report);
    app.init_resource::<NavDiagnostics>()
        .init_resource::<TickEvents>()
        .add_message::<EditRefused>()
        .add_message::<PathBroken>()
        .add_message::<PathFound>()
        .add_message::<PathFailed>()
        .add_message::<TargetReached>()
        .add_message::<ValueRefused>()
        .add_systems(schedule, write.before(NavSystems::Last));
}

/// Writes messages, and triggers them as observer events.
#[derive(SystemParam)]
struct Told<'w, 's, M: Message> {
    messages: MessageWriter<'w, M>,
    commands: Commands<'w, 's>,
}

impl<M: Message + Copy + for<'t> EntityEvent<Trigger<'t>: Default>> Told<'_, '_, M> {
    fn tell(&mut self, message: M) {
        self.messages.write(message);
        self.commands.trigger(message);
    }
}

type AllTold<'w, 's> = (
    Told<'w, 's, PathFound>,
    Told<'w, 's, PathFailed>,
    Told<'w, 's, TargetReached>,
    Told<'w, 's, PathBroken>,
    Told<'w, 's, ValueRefused>,
);

fn write_messages(
    mut queue: ResMut<SearchQueue>,
    mut events: ResMut<TickEvents>,
    fields: Res<Fields>,
    (mut found, mut failed, mut reached, mut broken, mut values): AllTold,
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
            found.tell(PathFound {
                chaser,
                target,
                outcome,
            });
        } else if !request.is_repeated {
            failed.tell(failure(chaser, target, PathFailure::Search(outcome)));
        }
    }
    for &(_, chaser, (target, reason)) in in_order(&mut events.refusals) {
        counts.count_search(reason.status());
        failed.tell(failure(chaser, target, reason));
    }
    for &(_, chaser, target) in in_order(&mut events.arrivals) {
        counts.reached += 1;
        reached.tell(TargetReached { chaser, target });
    }
    for &(_, chaser, (map, waypoint)) in in_order(&mut events.broken) {
        counts.broken += 1;
        broken.tell(PathBroken {
            chaser,
            map,
            waypoint,
        });
    }
    for &(_, entity, (field, reason)) in in_order(&mut events.values) {
        values.tell(ValueRefused {
            entity,
            field,
            reason,
        });
    }
    diagnostics.end_tick(counts);
    queue.clear();
    events.clear();
}
