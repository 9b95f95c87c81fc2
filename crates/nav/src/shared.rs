//! Sharing one world among several apps: mirrors of agents that live elsewhere.
//!
//! Each app holds the whole static map and the agents in its part of the world. Other agents that
//! its own can meet or chase are entities marked [`Mirror`]. The game, or a crate that connects
//! apps, moves the mirrors and sets [`ChasedElsewhere`] on targets.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;

pub use crate::systems::guidance::reach::DETOUR_RADIUS;

/// Marks the mirror of an agent that lives in another app.
///
/// A mirror can be chased, and its [`Body`](crate::Body) is in the way like any other. It has no
/// [`Chaser`](crate::Chaser): the app in which the agent lives decides what it does. The
/// [digest](crate::digest) leaves mirrors out, except for what their chasers see of them.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct Mirror;

/// The number of agents of other apps that chase this target; 0 without the component.
///
/// Chasers of this app are counted by the plugin. The sum decides from how many chasers on they
/// share a field, and whether a pack surrounds its target. Set it before
/// [`NavSystems::Observe`](crate::NavSystems::Observe).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct ChasedElsewhere(pub u32);
