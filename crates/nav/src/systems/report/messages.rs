//! Writing the messages and counters of a tick.

use crate::{
    NavCounts, NavDiagnostics, PathBroken, PathFailed, PathFailure, PathFound, TargetReached,
    ValueRefused,
    systems::{fields::Fields, search::SearchQueue, storage::tick_events::TickEvents},
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// The messages that the plugin writes in this set.
#[derive(SystemParam)]
pub(crate) struct ReportWriters<'w> {
    found: MessageWriter<'w, PathFound>,
    failed: MessageWriter<'w, PathFailed>,
    reached: MessageWriter<'w, TargetReached>,
    broken: MessageWriter<'w, PathBroken>,
    values: MessageWriter<'w, ValueRefused>,
}

pub(crate) fn write_messages(
    mut queue: ResMut<SearchQueue>,
    mut events: ResMut<TickEvents>,
    fields: Res<Fields>,
    writers: ReportWriters,
    mut diagnostics: ResMut<NavDiagnostics>,
) {
    let ReportWriters {
        mut found,
        mut failed,
        mut reached,
        mut broken,
        mut values,
    } = writers;
    let mut counts = NavCounts {
        steps: events.steps,
        expanded: queue.expanded,
        fields: fields.made,
        ..NavCounts::default()
    };
    for (request, outcome) in queue.answered() {
        let (chaser, target) = (request.chaser, request.target);
        counts.count_search(Some(outcome.status));
        if outcome.status.has_path() {
            found.write(PathFound {
                chaser,
                target,
                outcome,
            });
        } else if !request.is_repeated {
            failed.write(PathFailed {
                chaser,
                target,
                reason: PathFailure::Search(outcome),
            });
        }
    }
    for &(_, chaser, (target, reason)) in events.refusals.in_order() {
        counts.count_search(reason.status());
        failed.write(PathFailed {
            chaser,
            target,
            reason,
        });
    }
    for &(_, chaser, target) in events.arrivals.in_order() {
        counts.reached += 1;
        reached.write(TargetReached { chaser, target });
    }
    for &(_, chaser, (map, waypoint)) in events.broken.in_order() {
        counts.broken += 1;
        broken.write(PathBroken {
            chaser,
            map,
            waypoint,
        });
    }
    for &(_, entity, (field, reason)) in events.values.in_order() {
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
