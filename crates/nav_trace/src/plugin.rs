//! Where in a tick a trace is recorded, and replayed.

use crate::recorder::{self, Recorder};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::ScheduleSystem,
};
use nav::NavSystems;

/// Makes it possible to record traces: see the [module](super).
///
/// Until [`start`](crate::start) is called, each tick is asked four times whether anything is to be recorded.
#[derive(Clone, Copy, Debug)]
pub struct TracePlugin {
    /// The schedule of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl TracePlugin {
    /// For navigation in a schedule of the game's choice.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for TracePlugin {
    /// For navigation in [`FixedUpdate`].
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for TracePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Recorder>();
        add_points(
            app,
            self.schedule,
            recorder::note_early,
            recorder::let_act,
            recorder::note_late,
            recorder::note_tick,
        );
    }
}

/// Adds what is run in each tick: before behaviours act, after they did, before the plugin looks at what
/// changed, and after its last system.
pub(super) fn add_points<A, B, C, D>(
    app: &mut App,
    schedule: Interned<dyn ScheduleLabel>,
    before_behaviours: impl IntoScheduleConfigs<ScheduleSystem, A>,
    after_behaviours: impl IntoScheduleConfigs<ScheduleSystem, B>,
    before_nav: impl IntoScheduleConfigs<ScheduleSystem, C>,
    after_nav: impl IntoScheduleConfigs<ScheduleSystem, D>,
) {
    use NavSystems::{Act, Behave, First, Last};
    // In the sets, so that systems that a game orders before or after a set are so, too.
    app.add_systems(
        schedule,
        (
            before_behaviours.in_set(Behave).before(Act),
            after_behaviours.in_set(Behave).after(Act),
            before_nav.in_set(First),
            after_nav.in_set(Last),
        ),
    );
}
