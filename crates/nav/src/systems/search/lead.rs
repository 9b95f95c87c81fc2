//! Searches of chasers that head for a cell in place of their target.

use super::queue::SearchQueue;
use crate::{Chaser, Heading, NavMap};
use bevy_ecs::prelude::*;

/// Makes the searches of chasers with a heading lead there.
pub(super) fn lead_searches(
    leading: Query<(&Heading, &Chaser)>,
    maps: Query<&NavMap>,
    mut queue: ResMut<SearchQueue>,
) {
    for request in &mut queue.requests {
        if let Ok((heading, chaser)) = leading.get(request.chaser)
            && let Some(cell) = heading.cell()
            && let Ok(map) = maps.get(request.map)
        {
            request.lead_to(cell, chaser, map);
        }
    }
}
