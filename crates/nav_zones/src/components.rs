//! Components of agents of a world that is cut into zones.

use crate::ZoneId;
use bevy_ecs::prelude::*;
use nav::AgentId;
use serde::{Deserialize, Serialize};

/// The zone in which an agent lives that is here as a mirror: see [`Mirror`](nav::shared::Mirror).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LivesIn(pub ZoneId);

/// Has a chaser chase the agent with a number, in whichever zone that lives.
///
/// It becomes [`Chasing`](nav::Chasing) in [`ZoneSystems::Share`](crate::ZoneSystems::Share) of the same tick. If there is no
/// such agent in any zone, the chaser has no target from then on, as of one that was despawned.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChaseAgent(pub AgentId);
