//! What a later tick depends on, component by component: the state that the [digest](crate::digest) covers, that
//! saves hold, that goes with an agent to another process, and that recorders watch.
//!
//! The components of this crate are part of it. An app registers others, as the plugins of behaviours do, and as a game
//! does with a component that decides whom its NPCs chase:
//!
//! ```
//! use bevy_app::App;
//! use bevy_ecs::prelude::*;
//! use nav::state::{StateAppExt, StateRole};
//!
//! #[derive(Component, Clone, Hash)]
//! struct Threat(u32);
//!
//! let mut app = App::new();
//! app.register_state::<Threat>("Threat", StateRole::Decides);
//! ```
//!
//! With the feature `serialize` there is `register_saved_state`, for components that saves hold as well.

#[cfg(feature = "serialize")]
mod column;
mod components;
mod fingerprint;
mod part;
mod part_hasher;
mod role;

pub use crate::digest::digest_parts;
#[cfg(feature = "serialize")]
pub(crate) use column::core_column;
#[cfg(feature = "serialize")]
pub use column::{Column, ComponentValues, SavedComponent};
pub use components::{StateAppExt, StateComponents};
pub use fingerprint::Fingerprint;
pub(crate) use part::{NoParts, Part, registered_part};
pub use part::{Parts, part_names};
pub(crate) use part_hasher::PartHasher;
pub use role::StateRole;
