//! The plugin.

use crate::{
    AheadSettings, NavSystems, components,
    resource::InitExt,
    shared::Peers,
    state::StateComponents,
    systems::{DecidePlugin, FieldsPlugin, ObservePlugin, ReportPlugin, SearchPlugin, StepPlugin},
};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

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

impl Plugin for NavPlugin {
    fn build(&self, app: &mut App) {
        use NavSystems::{
            Act, AimFields, All, Behave, Decide, First, JoinFields, Last, Observe, Report, Search,
            Step,
        };

        components::number_agents(app.world_mut());
        app.init::<AheadSettings>()
            .init::<Peers>()
            .init::<StateComponents>()
            .configure_sets(
                self.schedule,
                (
                    Behave.before(All),
                    Act.in_set(Behave),
                    (Observe, AimFields, Decide, JoinFields, Search, Step, Report)
                        .chain()
                        .in_set(All),
                    First.in_set(Observe),
                    Last.in_set(Report),
                ),
            )
            .add_plugins((
                ObservePlugin(self.schedule),
                FieldsPlugin(self.schedule),
                DecidePlugin(self.schedule),
                SearchPlugin(self.schedule),
                StepPlugin(self.schedule),
                ReportPlugin(self.schedule),
            ));
        #[cfg(feature = "reflect")]
        crate::reflect::register(app);
    }
}
