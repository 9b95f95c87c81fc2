//! Edits of maps by commands, and the indexes that a game builds.

use super::{NavMap, map::IndexNews};
use crate::{EditRefusal, EditRefused};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Edit, Rules, index::RoadError};
// Only the documentation names it.
#[cfg(doc)]
use nav_grid::IndexedMap;

/// Indexes for chasers that name a method, and footprints.
impl NavMap {
    /// Builds the connected components for chasers of some rules: [`IndexedMap::build_regions`].
    ///
    /// Goals that are cut off then need no search.
    pub fn build_regions(&mut self, rules: Rules) {
        self.prepare_footprint(rules);
        self.map.build_regions(rules);
        self.news = IndexNews::Built;
    }

    /// Marks where scans for jump points end, for agents of one size, corner rule and choice of
    /// classes: [`IndexedMap::build_jumps`].
    pub fn build_jumps(&mut self, rules: Rules) {
        self.map.build_jumps(rules);
        self.news = IndexNews::Built;
    }

    /// Builds the graph of portals for chasers of some rules: [`IndexedMap::build_portals`].
    pub fn build_portals(&mut self, rules: Rules) {
        self.prepare_footprint(rules);
        self.map.build_portals(rules);
        self.news = IndexNews::Built;
    }

    /// Builds the blocks of uniform ground for agents of one size and choice of classes:
    /// [`IndexedMap::build_mosaic`].
    pub fn build_mosaic(&mut self, rules: impl Into<Rules>) {
        let rules = rules.into();
        self.prepare_footprint(rules);
        self.map.build_mosaic(rules);
        self.news = IndexNews::Built;
    }

    /// Replaces the main roads for chasers of some rules by the given cells:
    /// [`IndexedMap::insert_roads`].
    ///
    /// # Errors
    ///
    /// [`RoadError`] at the first cell off the map. The roads are then unchanged.
    pub fn insert_roads(
        &mut self,
        rules: Rules,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<(), RoadError> {
        self.prepare_footprint(rules);
        self.news = IndexNews::Built;
        self.map.insert_roads(rules, cells)
    }
}

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
        if let Err(reason) = applied {
            let refused = EditRefused { map, edit, reason };
            if let Some(mut messages) = world.get_resource_mut::<Messages<EditRefused>>() {
                messages.write(refused);
            }
            world.trigger(refused);
        }
    }
}
