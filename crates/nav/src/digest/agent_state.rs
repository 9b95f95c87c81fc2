//! The components of an agent that the digest covers.

use crate::{
    AgentId, Body, CellPosition, Chaser, Chasing, Destination, FieldAnchor, MoveTimer, NavTimer,
    OnMap, PathCursor, Paused, WorldPosition, components::LastMap, shared::Mirror,
    state::Fingerprint,
};
use bevy_ecs::{entity_disabling::Disabled, prelude::*, query::QueryData};
use std::hash::Hash;

/// The components of an agent that the plugin reads.
///
/// Whoever adds one has to say what becomes of it: its fingerprint takes all apart without `..`.
#[derive(QueryData)]
pub(super) struct AgentState {
    pub(super) entity: Entity,
    pub(super) is_disabled: Has<Disabled>,
    pub(super) is_mirror: Has<Mirror>,
    pub(super) id: Option<&'static AgentId>,
    pub(super) position: &'static CellPosition,
    pub(super) world: Option<&'static WorldPosition>,
    pub(super) on_map: Option<&'static OnMap>,
    pub(super) last_map: Option<&'static LastMap>,
    pub(super) body: Option<&'static Body>,
    pub(super) is_destination: Has<Destination>,
    pub(super) anchor: Option<&'static FieldAnchor>,
    pub(super) chaser: Option<&'static Chaser>,
    pub(super) chasing: Option<&'static Chasing>,
    pub(super) cursor: Option<&'static PathCursor>,
    pub(super) search_timer: Option<&'static NavTimer>,
    pub(super) move_timer: Option<&'static MoveTimer>,
    pub(super) paused: Option<&'static Paused>,
}

impl AgentStateItem<'_, '_> {
    /// What stands for it where another agent refers to it.
    pub(super) fn identity(&self) -> u64 {
        let anchor = self.anchor.map(anchor_words);
        Fingerprint::of(&(self.id, self.position, self.body, anchor))
    }
}

pub(super) fn anchor_words(anchor: &FieldAnchor) -> impl Hash + use<> {
    let FieldAnchor {
        aimed,
        far,
        interval,
        displacement,
        still,
        before,
        reached,
        wanted,
    } = *anchor;
    let throttles = (interval, displacement.to_bits(), wanted);
    (aimed, far, throttles, still, before, reached)
}
