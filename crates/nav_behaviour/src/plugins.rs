//! All behaviours together.

use crate::{
    ActivityPlugin, FormationPlugin, GoToPlugin, HomePlugin, InterceptPlugin, KeepDistancePlugin,
    LeashPlugin, NoticePlugin, PatrolPlugin, StuckPlugin,
};
use bevy_app::{FixedUpdate, PluginGroup, PluginGroupBuilder};
use bevy_ecs::{intern::Interned, schedule::ScheduleLabel};

/// The plugins of all behaviours, in the schedule of the [`NavPlugin`](nav::NavPlugin).
///
/// Leave out what the game does itself:
///
/// ```
/// use bevy_app::{App, PluginGroup};
/// use nav_behaviour::{BehaviourPlugins, PatrolPlugin};
/// # let mut app = App::new();
/// # app.add_plugins((bevy_time::TimePlugin, nav::NavPlugin::default()));
/// app.add_plugins(BehaviourPlugins::default().build().disable::<PatrolPlugin>());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BehaviourPlugins {
    /// The schedule in which all systems run: that of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

impl BehaviourPlugins {
    /// Behaviours in a schedule of the game's choice.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for BehaviourPlugins {
    /// Behaviours in [`FixedUpdate`], as navigation by default.
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl PluginGroup for BehaviourPlugins {
    fn build(self) -> PluginGroupBuilder {
        let schedule = self.schedule;
        PluginGroupBuilder::start::<Self>()
            .add(ActivityPlugin(schedule))
            .add(LeashPlugin(schedule))
            .add(NoticePlugin(schedule))
            .add(GoToPlugin(schedule))
            .add(PatrolPlugin(schedule))
            .add(FormationPlugin(schedule))
            .add(HomePlugin(schedule))
            .add(StuckPlugin(schedule))
            .add(KeepDistancePlugin(schedule))
            .add(InterceptPlugin(schedule))
    }
}
