//! The plugin.

use crate::{
    agents::Agents,
    clock::{SyncClock, count_tick, time_passed},
    counts::SyncCounts,
    follow::{ReadQueue, follow_agents},
    settings::SyncSettings,
    views::{Views, give_screens, update_views},
    write::write_packets,
};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};
use nav::{NavClock, NavSystems};

/// Writes packets for all [`Watcher`](crate::Watcher)s, in [`NavSyncSystems`], after
/// [`NavPlugin`](nav::NavPlugin).
///
/// A [`SyncSettings`] resource inserted earlier is kept.
#[derive(Clone, Copy, Debug)]
pub struct NavSyncPlugin {
    /// The schedule of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

/// The set that writes packets, after [`NavSystems::All`].
///
/// After it, [`Watcher::drain`](crate::Watcher::drain) returns the packets of this tick.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NavSyncSystems;

impl NavSyncPlugin {
    /// Creates the plugin for navigation in another schedule, with ticks of equal length.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for NavSyncPlugin {
    /// Creates the plugin for navigation in [`FixedUpdate`].
    fn default() -> Self {
        Self::new(FixedUpdate)
    }
}

impl Plugin for NavSyncPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<SyncSettings>()
            .init_resource::<SyncCounts>()
            .init_resource::<SyncClock>()
            .init_resource::<Agents>()
            .init_resource::<Views>()
            .init_resource::<ReadQueue>()
            .configure_sets(self.schedule, NavSyncSystems.after(NavSystems::All))
            .add_systems(
                self.schedule,
                (
                    give_screens,
                    count_tick,
                    update_views,
                    follow_agents,
                    write_packets,
                )
                    .chain()
                    .run_if(time_passed)
                    .in_set(NavSyncSystems),
            );
    }

    fn finish(&self, app: &mut App) {
        assert!(
            app.world().contains_resource::<NavClock>(),
            "NavSyncPlugin needs `NavPlugin`, which this app lacks: add it to the same app, in the \
             same schedule"
        );
    }
}
