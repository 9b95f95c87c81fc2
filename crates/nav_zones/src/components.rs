//! Components of agents in a world of several zones.

use crate::{Zone, ZoneId, latest::REPEATED};
use bevy_ecs::prelude::*;
use nav::{AgentId, extend::Mirror};
use serde::{Deserialize, Serialize};

/// Zone where the agent of a [`Mirror`] lives.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LivesIn(pub ZoneId);

/// Target of a chaser by id, in whichever zone the target lives.
///
/// Replaced by [`Chasing`](nav::Chasing) in [`ZoneSystems::Share`](crate::ZoneSystems::Share) of
/// the same tick. If no zone has such an agent, the chaser loses its target, as if the target had
/// been despawned.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChaseAgent(pub AgentId);

/// Number of hand-overs of an agent between zones since it was spawned.
///
/// Each agent that lives in a zone has an epoch. Where two statements about the zone of an agent
/// differ, the higher epoch is right.
#[derive(
    Component,
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u32);

impl Epoch {
    /// Returns the epoch after one more hand-over.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

/// Marks the mirror of an agent whose zone sent nothing for more than half a second at 20 ticks a
/// second.
///
/// The mirror stays where it was then.
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
    let mut late: Vec<ZoneId> = zone.layout().zones().collect();
    late.retain(|&other| zone.lag(other).is_none_or(|ticks| ticks > LATE));
    for (mirror, lives_in, is_marked) in &mirrors {
        match (late.binary_search(&lives_in.0).is_ok(), is_marked) {
            (true, false) => commands.entity(mirror).insert(Late),
            (false, true) => commands.entity(mirror).remove::<Late>(),
            _ => continue,
        };
    }
}
