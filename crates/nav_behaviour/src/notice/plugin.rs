//! The plugin of who notices whom.

use super::{
    components::{Notice, Noticed},
    look::notice,
};
use crate::{BehaviourSystems, on_demand::on_demand, sets::order_sets};
use bevy_app::{App, Plugin};
use bevy_ecs::{intern::Interned, prelude::*, schedule::ScheduleLabel};

/// Begins the chases of [`Notice`](super::Notice).
///
/// # Complexity
///
/// For each who looks around two bits, in memory that is read in a row: whether somebody may be near its
/// block of cells, and if so, whether somebody is within range of its cell. The former are one for each
/// block of 8×8 cells and class of ranges up to 32, the latter one for each cell of a floor, range and choice
/// of factions that is in use; both are written anew in each tick around those who can be noticed. Only
/// whoever's bits are set looks for whom.
pub struct NoticePlugin(pub Interned<dyn ScheduleLabel>);

impl Plugin for NoticePlugin {
    fn build(&self, app: &mut App) {
        order_sets(app, self.0);
        app.add_message::<Noticed>().add_systems(
            self.0,
            on_demand::<With<Notice>, _>(notice).in_set(BehaviourSystems::Notice),
        );
    }
}
