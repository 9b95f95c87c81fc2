//! The state: all that later ticks depend on, component by component.
//!
//! The [digest](crate::digest) covers it, saves hold it, an agent takes it along to another
//! process, and recorders watch it.
//!
//! The components of this crate are part of it. An app registers others, such as those of the
//! behaviour plugins, or a component of a game that decides which target its NPCs chase:
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
//! With the feature `serialize`, `register_saved_state` adds the component to saves as well.

// Decision 29: docs/decisions/0029-crates-on-the-public-interface.md

/// Registers components of this crate as state, each with its role; saves hold them too, where
/// there are any.
///
/// A macro, since the bounds of a generic function would differ with each set of features.
macro_rules! register_states {
    ($app:expr, $($component:ident: $role:ident,)*) => {{
        use $crate::state::{StateAppExt, StateRole};
        $(
            #[cfg(feature = "serialize")]
            $app.register_saved_state::<$component>(stringify!($component), StateRole::$role);
            #[cfg(not(feature = "serialize"))]
            $app.register_state::<$component>(stringify!($component), StateRole::$role);
        )*
    }};
}
pub(crate) use register_states;

#[cfg(feature = "serialize")]
mod column;
pub(crate) mod components;
pub(crate) mod fingerprint;
pub(crate) mod parts;

#[cfg(feature = "serialize")]
pub use column::{Column, ComponentValues, SavedComponent};
#[cfg(feature = "serialize")]
pub(crate) use components::Named;
pub(crate) use components::{Agents, StateComponents, core_components};
pub use components::{StateAppExt, StateRole};
pub(crate) use fingerprint::Fingerprint;
#[cfg(feature = "serialize")]
pub(crate) use parts::part_names;
pub(crate) use parts::{NoParts, Part, PartHasher, Parts, registered_part};
