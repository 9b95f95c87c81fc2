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
use nav::NavSystems;

/// Writes packets for all [`Watcher`](crate::Watcher)s, beside [`NavPlugin`](nav::NavPlugin): after it, in
/// [`NavSyncSystems`].
///
/// A [`SyncSettings`] that the game inserted before is left as it is.
#[derive(Clone, Copy, Debug)]
pub struct NavSyncPlugin {
    /// The schedule of the navigation: that of the [`NavPlugin`](nav::NavPlugin).
    pub schedule: Interned<dyn ScheduleLabel>,
}

/// The set in which packets are written, after [`NavSystems::All`]. After it,
/// [`Watcher::drain`](crate::Watcher::drain) has those of this tick.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NavSyncSystems;

impl NavSyncPlugin {
    /// For navigation in a schedule of the game's choice, whose ticks are of equal length.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for NavSyncPlugin {
    /// For navigation in [`FixedUpdate`].
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
}
