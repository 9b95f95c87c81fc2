//! Resources of a world that may lack them.

use bevy_app::App;
use bevy_ecs::prelude::*;

/// A resource of a world, or its default.
pub(crate) fn resource<R: Resource + Copy + Default>(world: &World) -> R {
    world.get_resource().copied().unwrap_or_default()
}

/// Adds resources that a game did not insert.
pub(crate) trait InitExt {
    /// Inserts the default of a resource that is missing.
    ///
    /// `init_resource` of Bevy 0.20.1 does the same and compiles to five kilobytes for each type, of which the plugin
    /// has thirty: a twelfth of its code.
    fn init<R: Resource + Default>(&mut self) -> &mut Self;
}

impl InitExt for App {
    fn init<R: Resource + Default>(&mut self) -> &mut Self {
        if !self.world().contains_resource::<R>() {
            self.insert_resource(R::default());
        }
        self
    }
}
