//! Marking what is late.

use crate::{LivesIn, Zone, ZoneId, latest::REPEATED};
use bevy_ecs::prelude::*;
use nav::shared::Mirror;

/// Marks the mirror of an agent of whose zone nothing came for more than half a second, at 20 ticks a second: it is
/// where it was then. Only zones that are [free running](crate::ZonePlugin::free_running) have such.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late;

/// After how many ticks without a message of a zone its agents are late: two more than it takes until what is as it was
/// is sent again.
const LATE: u64 = REPEATED + 2;

/// Marks the mirrors of agents of whose zones nothing came for some time, and no others.
pub(crate) fn mark_late(
    zone: Res<Zone>,
    mirrors: Query<(Entity, &LivesIn, Has<Late>), With<Mirror>>,
    mut commands: Commands,
) {
    let is_late = |other: ZoneId| zone.lag(other).is_none_or(|ticks| ticks > LATE);
    let late: Vec<ZoneId> = zone
        .layout()
        .zones()
        .filter(|&other| is_late(other))
        .collect();
    for (mirror, lives_in, is_marked) in &mirrors {
        match (late.binary_search(&lives_in.0).is_ok(), is_marked) {
            (true, false) => commands.entity(mirror).insert(Late),
            (false, true) => commands.entity(mirror).remove::<Late>(),
            _ => continue,
        };
    }
}
