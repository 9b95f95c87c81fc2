//! The command that edits a map.

use super::NavMap;
use crate::{EditRefusal, EditRefused};
use bevy_ecs::prelude::*;
use nav_grid::Edit;

/// Edits maps by commands, for systems that cannot borrow the map.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// use nav::prelude::*;
///
/// #[derive(Component)]
/// struct Door { map: Entity, cell: Cell, open: bool }
///
/// fn swing(doors: Query<&Door, Changed<Door>>, mut commands: Commands) {
///     for door in &doors {
///         commands.edit_map(door.map, Edit::Walkable(door.cell.into(), door.open));
///     }
/// }
/// # bevy_ecs::system::assert_is_system(swing);
/// ```
pub trait MapCommands {
    /// Queues [`EditMap`].
    fn edit_map(&mut self, map: Entity, edit: Edit);
}

impl MapCommands for Commands<'_, '_> {
    fn edit_map(&mut self, map: Entity, edit: Edit) {
        self.queue(EditMap { map, edit });
    }
}

/// A command that edits a map: what [`MapCommands::edit_map`] queues.
///
/// It takes effect where commands are applied. Queue it before
/// [`NavSystems::Observe`](crate::NavSystems::Observe) to make it count in the same tick. An
/// impossible edit changes nothing and is reported by [`EditRefused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditMap {
    /// The entity with the [`NavMap`].
    pub map: Entity,
    /// The edit.
    pub edit: Edit,
}

impl Command for EditMap {
    type Out = ();

    fn apply(self, world: &mut World) {
        let Self { map, edit } = self;
        let applied = match world.get_mut::<NavMap>(map) {
            Some(mut map) => map.apply(&edit).map_err(EditRefusal::Edit),
            None => Err(EditRefusal::NoMap),
        };
        if let Err(reason) = applied
            && let Some(mut refused) = world.get_resource_mut::<Messages<EditRefused>>()
        {
            refused.write(EditRefused { map, edit, reason });
        }
    }
}
