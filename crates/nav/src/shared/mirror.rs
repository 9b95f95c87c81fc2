//! The mirror of an agent that lives in another process.

use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;

/// Marks an agent as the mirror of one that lives in another process.
///
/// It can be chased and its [`Body`](crate::Body) is in the way, as those of any agent. It has no
/// [`Chaser`](crate::Chaser): what it does is decided where it lives. The [digest](crate::digest) leaves it out, but for
/// what its chasers see of it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
pub struct Mirror;
