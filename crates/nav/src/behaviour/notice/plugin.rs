//! The plugin of who notices whom.

use super::{components::Noticed, look::notice};
use crate::behaviour::{BehaviourSystems, sets::order_sets};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Begins the chases of [`Notice`](super::Notice).
///
/// # Complexity
///
/// For each who looks around one bit, in memory that is read in a row: whether somebody is within range
/// of its cell. These bits, one for each cell of a floor, range and choice of factions that is in use, are
/// written anew in each tick around those who can be noticed. Only whoever's bit is set looks for whom.
pub struct NoticePlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for NoticePlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_message::<Noticed>()
            .add_systems(self.0, notice.in_set(BehaviourSystems::Notice));
    }
}
