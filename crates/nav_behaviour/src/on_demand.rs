//! Systems that run only while there is somebody for them, and apply their own commands.

use bevy_ecs::{
    prelude::*,
    query::ArchetypeFilter,
    schedule::{ScheduleConfigs, common_conditions::any_match_filter},
    system::ScheduleSystem,
};

/// A system that is skipped in ticks in which nobody matches a filter, and whose commands are applied
/// when it returns.
///
/// A system with commands that is ordered before others brings a sync point with it, which stops all
/// threads in every tick, whether or not the system ran. This one has the world for itself while it
/// runs, and costs a look at which tables have rows otherwise.
pub(super) fn on_demand<F: ArchetypeFilter + 'static, M>(
    system: impl IntoSystem<(), (), M>,
) -> ScheduleConfigs<ScheduleSystem> {
    let mut system = IntoSystem::into_system(system);
    let mut is_ready = false;
    let run = move |world: &mut World| {
        if !is_ready {
            system.initialize(world);
            is_ready = true;
        }
        system.run((), world)
    };
    run.run_if(any_match_filter::<F>)
}
