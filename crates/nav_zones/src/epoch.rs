//! Number of hand-overs of an agent.

use bevy_ecs::prelude::*;
use serde::{Deserialize, Serialize};

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
