//! Components of agents in a world of several zones.

use crate::ZoneId;
use bevy_ecs::prelude::*;
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// Zone where the agent of a [`Mirror`](nav::internals::Mirror) lives.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LivesIn(pub ZoneId);

/// Target of a chaser by id, in whichever zone the target lives.
///
/// Replaced by [`Chasing`](nav::Chasing) in [`ZoneSystems::Share`](crate::ZoneSystems::Share) of
/// the same tick. If no zone has such an agent, the chaser loses its target, as if the target had
/// been despawned.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChaseAgent(pub AgentId);
