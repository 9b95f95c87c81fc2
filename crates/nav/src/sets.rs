//! Common parts of all systems: the sets in which they run, and resources that a world may lack.

use bevy_ecs::{
    prelude::*,
    query::ArchetypeFilter,
    schedule::{ScheduleConfigs, common_conditions::any_match_filter},
    system::ScheduleSystem,
};

/// The sets of the plugin's systems, in the order in which they run.
///
/// All run in the schedule of [`NavPlugin`](crate::NavPlugin), `FixedUpdate` by default. Order
/// systems of the game before, between or after them.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NavSystems {
    /// Decides what agents do besides chasing: which target they chase, where they walk. Runs
    /// before [`All`](Self::All). Order other systems of a game before or after it, so that a
    /// recorder can tell what the game changed.
    Behave,
    /// The deciding systems in [`Behave`](Self::Behave), such as those of behaviours, and the three
    /// sets below. Hidden, as those are: for crates that extend the plugin.
    #[doc(hidden)]
    Act,
    /// Chooses members of groups for [chasers of a group](crate::ChasingGroup). End chases of
    /// groups before it.
    #[doc(hidden)]
    ChooseMembers,
    /// Ends walks by [`GoTo`](crate::GoTo) that arrived. Decide where agents walk after it.
    #[doc(hidden)]
    EndWalks,
    /// Begins walks by [`GoTo`](crate::GoTo).
    ///
    /// Afterwards, each agent with a place to go to and no chase is on its way.
    #[doc(hidden)]
    BeginWalks,
    /// All sets below. Orders systems before or after the whole plugin.
    All,
    /// The beginning of [`Observe`](Self::Observe), for systems that look at changes of the game
    /// before the plugin does. The plugin itself has no system here.
    #[doc(hidden)]
    First,
    /// Advances the clock and reads what the game changed: targets, maps and bodies. Move targets
    /// and edit maps before it.
    ///
    /// Afterwards [`NavClock`](crate::NavClock) has the time of this tick. Targets that moved in
    /// world coordinates have their cell, paths broken by edits are dropped, and indexes of maps
    /// are repaired.
    Observe,
    /// Aims the shared fields of targets that moved, and makes the fields that are due.
    ///
    /// Afterwards, fields in use lead to where their targets were when last aimed at, but
    /// for fields that wait for the [`NavBudget`](crate::NavBudget).
    AimFields,
    /// Decides which chasers at their move tick search now.
    ///
    /// Afterwards every decision of the tick is made, except for chasers whose field is missing.
    Decide,
    /// Makes the missing fields that chasers asked for, and decides for these chasers again.
    ///
    /// Afterwards every decision of the tick is final.
    JoinFields,
    /// Answers searches until the budget is used up.
    ///
    /// Afterwards chasers have the paths that were found.
    Search,
    /// Moves the chasers at their move tick.
    ///
    /// Afterwards the places of chasers, and [`Screens`](crate::Screens), are those of this tick.
    Step,
    /// Writes messages, counters and [answers](crate::PathAnswer). Read them afterwards.
    Report,
    /// The end of [`Report`](Self::Report), for systems that look at the state after the tick. The
    /// plugin itself has no system here.
    #[doc(hidden)]
    Last,
}

/// Wraps a system so that it runs only while an entity matches a filter, and applies its own
/// commands.
///
/// A system with commands that is ordered before others brings a sync point. That stops all threads
/// in every tick, whether or not the system ran. The wrapped system is exclusive instead: it has
/// the world for itself while it runs, and otherwise costs a look at which tables have rows.
pub fn on_demand<F: ArchetypeFilter + 'static, M>(
    system: impl IntoSystem<(), (), M>,
) -> ScheduleConfigs<ScheduleSystem> {
    exclusive(system).run_if(any_match_filter::<F>)
}

/// Wraps a system so that it applies its own commands, for the reason of [`on_demand`].
pub(crate) fn exclusive<M>(system: impl IntoSystem<(), (), M>) -> ScheduleConfigs<ScheduleSystem> {
    let mut system = IntoSystem::into_system(system);
    let mut is_ready = false;
    let run = move |world: &mut World| {
        if !is_ready {
            system.initialize(world);
            is_ready = true;
        }
        system.run((), world)
    };
    run.into_configs()
}

/// Returns a resource, or its default where the world has none.
pub(crate) fn resource<R: Resource + Copy + Default>(world: &World) -> R {
    world.get_resource().copied().unwrap_or_default()
}
