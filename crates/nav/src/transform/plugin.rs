//! The plugin that keeps `Transform`s and cells together.

use super::{
    players::read_transforms,
    show::{ShowsBetweenTicks, note_walks, show},
};
use crate::{NavSystems, systems::update_cells};
use bevy_app::{
    App, FixedFirst, FixedLast, FixedPostUpdate, FixedPreUpdate, FixedUpdate, Plugin, Update,
};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Keeps Bevy's `Transform` of agents and their cells together: beside [`NavPlugin`](crate::NavPlugin), for
/// those that have [`CellToTransform`](super::CellToTransform) or
/// [`TransformToCell`](super::TransformToCell). Others cost nothing.
///
/// # When it runs
///
/// - In the schedule of the navigation, in [`NavSystems::Observe`]: players whose `Transform` was changed
///   get their world position and cell.
/// - There, in [`NavSystems::Report`]: whoever came into another cell in this tick begins to walk there.
/// - In `Update`, in [`ShowTransforms`]: every `Transform` comes to where its agent is at the moment of the
///   frame, which is that of the last tick and the time since, the fixed clock's overstep. A chaser that
///   stepped walks until the tick of its next step.
///
/// Chasers are shown as they were decided for: a walk begins in the tick of the step, so the chaser is in
/// its new cell, for all rules, as soon as it sets off.
///
/// # Cost
///
/// In a tick a look at each agent that is shown, to see whether its cell changed, and a new walk for each step;
/// in a frame a walk and a `Transform` read for each agent that is shown, and the latter written while it
/// walks. 56 bytes each. Nothing of it is
/// saved or in the [`digest`](crate::digest): after loading, everybody stands in its cell.
///
/// # Example
///
/// ```
/// use bevy_app::{App, TaskPoolPlugin};
/// use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// use bevy_transform::components::Transform;
/// use nav::{CellToTransform, NavTransformPlugin, TransformToCell, prelude::*};
///
/// let mut app = App::new();
/// app.add_plugins((TaskPoolPlugin::default(), TimePlugin))
///     .add_plugins((NavPlugin::default(), NavTransformPlugin::default()))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// let world = app.world_mut();
/// let map = world.spawn(NavMap::new(Grid::open(16, 16)?)).id();
/// let at = Transform::from_xyz(9.3, 0.0, 4.1);
/// let player = world.spawn((TransformToCell, at, OnMap(map))).id();
/// let npc = (Chaser::default(), Chasing(player), CellToTransform::default());
/// let npc = world.spawn((npc, OnMap(map), CellPosition::new(2, 4))).id();
/// for _ in 0..1000 {
///     app.update();
/// }
/// assert_eq!(app.world().get::<CellPosition>(player).unwrap().cell, Cell::new(9, 4));
/// assert_eq!(app.world().get::<Transform>(npc).unwrap().translation.x, 8.0);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NavTransformPlugin {
    /// The schedule of the navigation: that of the [`NavPlugin`](crate::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

/// The set in `Update` in which the `Transform`s of agents are moved.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShowTransforms;

impl NavTransformPlugin {
    /// For navigation in a schedule of the game's choice.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for NavTransformPlugin {
    /// For navigation in [`FixedUpdate`].
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for NavTransformPlugin {
    fn build(&self, app: &mut App) {
        let fixed = [
            FixedFirst.intern(),
            FixedPreUpdate.intern(),
            FixedUpdate.intern(),
            FixedPostUpdate.intern(),
            FixedLast.intern(),
        ];
        app.insert_resource(ShowsBetweenTicks(fixed.contains(&self.schedule)))
            .add_systems(
                self.schedule,
                (
                    read_transforms
                        .in_set(NavSystems::Observe)
                        .before(update_cells),
                    note_walks.in_set(NavSystems::Report),
                ),
            )
            .add_systems(Update, show.in_set(ShowTransforms).after(NavSystems::All));
        #[cfg(feature = "reflect")]
        app.register_type::<super::CellToTransform>()
            .register_type::<super::TransformToCell>();
    }
}
