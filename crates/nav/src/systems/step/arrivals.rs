//! Noting at targets when somebody last came within reach of them.

use crate::{FieldAnchor, NavClock, NavTimer, systems::storage::tick_events::TickEvents};
use bevy_ecs::prelude::*;

/// Notes at each target that somebody came within reach of it in this tick. Those who come back to where
/// others had them make room do not count: two packs could push each other to and fro for ever.
pub(super) fn note_arrivals(
    clock: Res<NavClock>,
    events: Res<TickEvents>,
    mut anchors: Query<&mut FieldAnchor>,
    mut timers: Query<&mut NavTimer>,
) {
    let now = clock.now();
    for (chaser, target) in events.arrivals.iter() {
        if let Ok(mut timer) = timers.get_mut(chaser)
            && timer.gave_way()
        {
            timer.set_gave_way(false);
        } else if let Ok(mut anchor) = anchors.get_mut(target)
            && anchor.reached != now
        {
            anchor.reached = now;
        }
    }
}
