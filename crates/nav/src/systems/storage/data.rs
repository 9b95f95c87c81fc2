//! What the systems query of a chaser.

use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, MoveTimer, NavTimer, OnMap, PathCursor,
    WorldPosition, components::Tuning,
};
use bevy_ecs::{prelude::*, query::QueryData};

/// What the systems read and write of a chaser.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(crate) struct ChaserData {
    pub(crate) entity: Entity,
    pub(crate) id: &'static AgentId,
    pub(crate) chaser: Ref<'static, Chaser>,
    pub(crate) tuning: &'static Tuning,
    pub(crate) chasing: Ref<'static, Chasing>,
    pub(crate) on_map: Option<&'static OnMap>,
    pub(crate) body: Option<&'static Body>,
    pub(crate) position: &'static mut CellPosition,
    pub(crate) world: Option<&'static mut WorldPosition>,
    pub(crate) cursor: &'static mut PathCursor,
    pub(crate) search_timer: &'static mut NavTimer,
    pub(crate) move_timer: &'static mut MoveTimer,
}

impl ChaserDataItem<'_, '_> {
    /// Whether the chaser got another target since the system last ran. One that was spawned
    /// together with its [`Chasing`] did not: it is new and has no path yet, or it was loaded, and
    /// its path is the one that it was saved with.
    pub(super) fn is_retargeted(&self) -> bool {
        self.chasing.is_changed() && !self.chaser.is_added()
    }
}
