//! Noting at targets when somebody last came within reach of them.

use crate::{FieldAnchor, NavClock, systems::storage::tick_events::TickEvents};
use bevy_ecs::prelude::*;

/// Notes at each target that somebody came within reach of it in this tick.
pub(super) fn note_arrivals(
    clock: Res<NavClock>,
    events: Res<TickEvents>,
    mut anchors: Query<&mut FieldAnchor>,
) {
    let now = clock.now();
    for target in events.arrivals.iter() {
        if let Ok(mut anchor) = anchors.get_mut(target)
            && anchor.reached != now
        {
            anchor.reached = now;
        }
    }
}
