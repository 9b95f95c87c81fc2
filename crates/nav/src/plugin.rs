//! The plugin and its sets.

use crate::{
    AgentId, AgentIds, EditRefused, NavBudget, NavClock, NavDiagnostics, PathBroken, PathFailed,
    PathFound, TargetReached,
    systems::{
        decide, edits, fields, long_search, observe, placing, report, screens, search, standing,
        step, targets, tunings,
    },
};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{
    intern::Interned,
    prelude::*,
    schedule::{ScheduleLabel, SystemSet},
};

/// Makes every [`Chaser`](crate::Chaser) chase.
///
/// Needs a [`Time`](bevy_time::Time) resource, as `TimePlugin` inserts, and uses the compute
/// task pool if there is one (`TaskPoolPlugin`). Resources that the game inserted before are
/// left as they are.
#[derive(Clone, Copy, Debug)]
pub struct NavPlugin {
    /// The schedule in which all systems run.
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl NavPlugin {
    /// Navigation in a schedule of the game's choice. Its clock is the `Time` of that schedule.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for NavPlugin {
    /// Navigation in [`FixedUpdate`]: equal ticks, which determinism asks for.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

/// What happens in a tick, in this order, in the plugin's schedule. Order systems of the game
/// before, between or after these sets.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NavSystems {
    /// Sees the clock, targets and map edits, and has fields follow their targets. Move targets and
    /// edit maps before.
    Observe,
    /// Decides which chasers search now.
    Decide,
    /// Answers the searches and hands out paths.
    Search,
    /// Takes steps.
    Step,
    /// Writes messages and counters. Read them after.
    Report,
}

impl Plugin for NavPlugin {
    fn build(&self, app: &mut App) {
        use NavSystems::{Decide, Observe, Report, Search, Step};

        app.init_resource::<NavClock>()
            .init_resource::<AgentIds>()
            .init_resource::<NavDiagnostics>()
            .init_resource::<NavBudget>()
            .init_resource::<targets::Targets>()
            .init_resource::<fields::Fields>()
            .init_resource::<standing::Standing>()
            .init_resource::<decide::Summons>()
            .init_resource::<long_search::LongSearch>()
            .init_resource::<search::SearchQueue>()
            .init_resource::<search::Searchers>()
            .init_resource::<step::Steps>()
            .init_resource::<step::Outcomes>()
            .init_resource::<step::Wants>()
            .init_resource::<screens::Sightings>()
            .add_message::<EditRefused>()
            .add_message::<PathBroken>()
            .add_message::<PathFound>()
            .add_message::<PathFailed>()
            .add_message::<TargetReached>();
        number_agents(app.world_mut());

        app.configure_sets(
            self.schedule,
            (Observe, Decide, Search, Step, Report).chain(),
        )
        .add_systems(
            self.schedule,
            (
                (
                    observe::advance_clock,
                    observe::locate_targets,
                    targets::see_targets,
                    fields::see_edits,
                    edits::drop_broken_paths,
                    edits::repair_charts,
                    fields::make_room,
                    fields::aim,
                    fields::make_aimed,
                    placing::place_bodies,
                )
                    .chain()
                    .in_set(Observe),
                (
                    tunings::see_tunings,
                    decide::decide_searches,
                    (decide::meet_newcomers, decide::decide_for_summoned)
                        .chain()
                        .run_if(decide::some_are_summoned),
                )
                    .chain()
                    .in_set(Decide),
                (
                    fields::make_asked_for,
                    fields::make_far_fields.run_if(decide::some_look_far),
                    decide::decide_for_expectant.run_if(decide::some_are_expectant),
                    fields::aim_far.run_if(decide::some_look_far),
                    search::run_searches,
                    search::settle_searches,
                )
                    .chain()
                    .in_set(Search),
                (
                    // Again, for chasers that came or were tuned since.
                    tunings::see_tunings,
                    step::step_chased,
                    step::step_ghosts,
                    step::propose_steps,
                    step::give_out_cells,
                    step::step_solids,
                    screens::see_everybody,
                )
                    .chain()
                    .in_set(Step),
                report::report.in_set(Report),
            ),
        );
        #[cfg(feature = "reflect")]
        crate::reflect::register(app);
    }
}

/// Numbers the agents that were spawned before the plugin was added.
fn number_agents(world: &mut World) {
    let mut agents = world.query::<(Entity, &mut AgentId)>();
    let mut order: Vec<(Entity, AgentId)> = agents
        .iter(world)
        .map(|(entity, id)| (entity, *id))
        .collect();
    // Numbers that were given first, so that they are not handed out.
    order.sort_unstable_by_key(|&(entity, id)| (id.0 == 0, entity));
    world.resource_scope(|world, mut ids: Mut<AgentIds>| {
        for (entity, mut id) in order {
            ids.resolve(&mut id);
            if let Some(mut stored) = world.get_mut::<AgentId>(entity) {
                *stored = id;
            }
        }
    });
}
