//! Marks on mirrors of zones that fell silent.

use crate::{LivesIn, Zone, ZoneId, latest::REPEATED};
use bevy_ecs::prelude::*;
use nav::internals::Mirror;

/// Marks the mirror of an agent whose zone sent nothing for more than half a second at 20 ticks a
/// second.
///
/// The mirror stays where it was then. Only [free-running](crate::ZonePlugin::free_running) zones
/// have such mirrors.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late;

/// Ticks without a message after which the agents of a zone are late.
///
/// Two more than the interval at which unchanged contents are repeated. The margin is a guess.
const LATE: u64 = REPEATED + 2;

/// Marks the mirrors of agents whose zones are late, and unmarks all others.
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
