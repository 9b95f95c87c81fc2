//! Events of `tracing` for chases that fail, by [`explain`].

use crate::{NavSystems, PathFailed, explain};
use bevy_app::App;
use bevy_ecs::{intern::Interned, message::MessageCursor, prelude::*, schedule::ScheduleLabel};
use tracing::{Level, debug, enabled};

/// Failures that a tick explains at most, the first in its order: a closed door can fail thousands
/// of chases at once, and a log says no more by all of them.
const TOLD_MAX: usize = 16;

/// Explains failed chases at level DEBUG, after the messages of a tick are written.
pub(crate) fn add_failures_told(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    // It writes nothing that another system reads.
    let tell = tell_failures.after(NavSystems::Report).ambiguous_with_all();
    app.add_systems(schedule, tell);
}

fn tell_failures(
    world: &World,
    failures: Res<Messages<PathFailed>>,
    mut cursor: Local<MessageCursor<PathFailed>>,
) {
    if !enabled!(Level::DEBUG) {
        cursor.clear(&failures);
        return;
    }
    let mut others = 0;
    for (number, PathFailed { chaser, reason, .. }) in cursor.read(&failures).enumerate() {
        if number < TOLD_MAX {
            debug!(agent = %chaser, %reason, "{}", explain(world, *chaser));
        } else {
            others += 1;
        }
    }
    if others > 0 {
        debug!(others, "more chases failed in this tick");
    }
}
