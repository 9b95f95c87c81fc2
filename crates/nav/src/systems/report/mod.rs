//! What happened in the tick, as messages and counters.

mod messages;

use self::messages::write_messages;
use crate::{
    EditRefused, NavDiagnostics, NavSystems, PathBroken, PathFailed, PathFound, TargetReached,
    ValueRefused, resource::InitExt, systems::storage::tick_events::TickEvents,
};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Writes what happened as messages and counters.
pub(crate) struct ReportPlugin(pub(crate) Interned<dyn ScheduleLabel>);

impl Plugin for ReportPlugin {
    fn build(&self, app: &mut App) {
        app.init::<NavDiagnostics>()
            .init::<TickEvents>()
            .add_message::<EditRefused>()
            .add_message::<PathBroken>()
            .add_message::<PathFound>()
            .add_message::<PathFailed>()
            .add_message::<TargetReached>()
            .add_message::<ValueRefused>()
            .add_systems(
                self.0,
                write_messages
                    .in_set(NavSystems::Report)
                    .before(NavSystems::Last),
            );
    }
}
