//! The components of behaviours, as parts of the navigation state.

use crate::{
    Activity, ChaseRecord, Formation, GiveUp, GivenUp, GoTo, Home, InFormation, Intercept,
    KeepDistance, Leash, Notice, Noticeable, Patrol, Returning, StuckWatch, WalkEnd,
};
use bevy_app::App;
use nav::state::{
    StateAppExt,
    StateRole::{self, Decides, Seen, Shown},
};

/// Registers the components of all behaviours as [state](nav::state): saves, digests and traces cover them.
///
/// The plugin of any behaviour does so, for all of them: what a save holds does not depend on which behaviours an app
/// has. Call it in an app that has none, as a tool that looks into saves.
pub fn register_components(app: &mut App) {
    one::<Activity>(app, "Activity", Shown);
    one::<ChaseRecord>(app, "ChaseRecord", Decides);
    one::<Formation>(app, "Formation", Decides);
    one::<GiveUp>(app, "GiveUp", Decides);
    one::<GivenUp>(app, "GivenUp", Decides);
    one::<GoTo>(app, "GoTo", Decides);
    one::<Home>(app, "Home", Decides);
    one::<InFormation>(app, "InFormation", Decides);
    one::<Intercept>(app, "Intercept", Decides);
    one::<KeepDistance>(app, "KeepDistance", Decides);
    one::<Leash>(app, "Leash", Decides);
    one::<Notice>(app, "Notice", Decides);
    one::<Noticeable>(app, "Noticeable", Seen);
    one::<Patrol>(app, "Patrol", Decides);
    one::<Returning>(app, "Returning", Decides);
    one::<StuckWatch>(app, "StuckWatch", Decides);
    one::<WalkEnd>(app, "WalkEnd", Decides);
    #[cfg(feature = "reflect")]
    app.register_type::<crate::FormationMembers>();
}

#[cfg(not(any(feature = "serialize", feature = "reflect")))]
fn one<C>(app: &mut App, name: &'static str, role: StateRole)
where
    C: bevy_ecs::component::Component + Clone + std::hash::Hash,
{
    app.register_state::<C>(name, role);
}

#[cfg(all(feature = "serialize", not(feature = "reflect")))]
fn one<C: nav::state::SavedComponent + std::hash::Hash>(
    app: &mut App,
    name: &'static str,
    role: StateRole,
) {
    app.register_saved_state::<C>(name, role);
}

#[cfg(all(feature = "reflect", not(feature = "serialize")))]
fn one<C>(app: &mut App, name: &'static str, role: StateRole)
where
    C: bevy_ecs::component::Component + Clone + std::hash::Hash + bevy_reflect::GetTypeRegistration,
{
    app.register_state::<C>(name, role).register_type::<C>();
}

#[cfg(all(feature = "reflect", feature = "serialize"))]
fn one<C>(app: &mut App, name: &'static str, role: StateRole)
where
    C: nav::state::SavedComponent + std::hash::Hash + bevy_reflect::GetTypeRegistration,
{
    app.register_saved_state::<C>(name, role)
        .register_type::<C>();
}
