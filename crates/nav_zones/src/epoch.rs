//! How often an agent was handed over.

use bevy_ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// How often an agent was handed over from zone to zone since it was spawned.
///
/// An agent that lives in a zone has it. Of two statements about where an agent lives that with the higher one is right.
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
    /// That after one hand-over more.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}
