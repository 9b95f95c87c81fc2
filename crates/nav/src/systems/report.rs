//! Report: messages and counters.

use super::{fields::Fields, search::SearchQueue, step::Steps};
use crate::{
    NavCounts, NavDiagnostics, PathBroken, PathFailed, PathFailure, PathFound, TargetReached,
};
use bevy_ecs::{prelude::*, system::SystemParam};

/// What is told.
#[derive(SystemParam)]
pub(crate) struct News<'w> {
    found: MessageWriter<'w, PathFound>,
    failed: MessageWriter<'w, PathFailed>,
    reached: MessageWriter<'w, TargetReached>,
    broken: MessageWriter<'w, PathBroken>,
}

pub(crate) fn report(
    mut queue: ResMut<SearchQueue>,
    mut steps: ResMut<Steps>,
    fields: Res<Fields>,
    news: News,
    mut diagnostics: ResMut<NavDiagnostics>,
) {
    let News {
        mut found,
        mut failed,
        mut reached,
        mut broken,
    } = news;
    queue.arrivals.append(&mut steps.arrivals);
    let mut counts = NavCounts {
        steps: steps.taken,
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
        } else {
            failed.write(PathFailed {
                chaser,
                target,
                reason: PathFailure::Search(outcome),
            });
        }
    }
    for &(_, chaser, (target, reason)) in queue.refusals.in_order() {
        counts.count_search(reason.status());
        failed.write(PathFailed {
            chaser,
            target,
            reason,
        });
    }
    for &(_, chaser, target) in queue.arrivals.in_order() {
        counts.reached += 1;
        reached.write(TargetReached { chaser, target });
    }
    for &(_, chaser, (map, waypoint)) in queue.broken.in_order() {
        counts.broken += 1;
        broken.write(PathBroken {
            chaser,
            map,
            waypoint,
        });
    }
    diagnostics.end_tick(counts);
    queue.clear();
}
