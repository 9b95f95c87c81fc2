//! Looking up bodies in the world, as plain values.

use super::relation::{Asker, Neighbour, Pose};
use crate::{
    AgentId, Body, CellPosition, ChaseState, ChasedBy, Chaser, Chasing, Crowding, MoveTimer,
    NavClock, NavTimer, OnLink, OnMap, PathCursor, components::Tuning,
};
use bevy_ecs::{
    entity::{Entities, EntityIndex},
    prelude::*,
    query::QueryData,
    system::SystemParam,
};
use nav_grid::{Cell, rules::BodyPolicy};

/// The components of a body that stands on a cell. No more than are read, since each column is
/// looked up for each body that is asked.
#[derive(QueryData)]
pub(crate) struct StandingBody {
    pub(crate) entity: Entity,
    pub(crate) id: &'static AgentId,
    pub(crate) chaser: &'static Chaser,
    pub(crate) tuning: &'static Tuning,
    pub(crate) chasing: &'static Chasing,
    pub(crate) on_map: &'static OnMap,
    pub(crate) body: &'static Body,
    pub(crate) position: &'static CellPosition,
    pub(crate) cursor: &'static PathCursor,
    pub(crate) crowding: &'static Crowding,
    pub(crate) move_timer: &'static MoveTimer,
    is_chased: Has<ChasedBy>,
    is_on_link: Has<OnLink>,
}

/// All bodies that chase, for systems that read them while none of them moves.
///
/// Bodies are looked up one by one when a search or a push comes to them, and not listed
/// beforehand: of a million bodies few are asked in a tick.
#[derive(SystemParam)]
pub(crate) struct Crowd<'w, 's> {
    clock: Res<'w, NavClock>,
    entities: &'w Entities,
    bodies: Query<'w, 's, StandingBody, With<NavTimer>>,
}

impl Crowd<'_, '_> {
    /// The agent that holds a cell.
    pub(crate) fn agent(&self, holder: EntityIndex) -> Entity {
        self.entities.resolve_from_index(holder)
    }

    /// The components of a body that chases.
    pub(crate) fn body(&self, agent: Entity) -> Option<StandingBodyItem<'_, '_>> {
        self.bodies.get(agent).ok()
    }

    /// A body as others see it; `None` if it stays: it chases no target, is chased, paused or on a
    /// link.
    pub(crate) fn neighbour(&self, agent: Entity) -> Option<Neighbour> {
        self.body(agent)?.neighbour(&self.clock)
    }
}

impl StandingBodyItem<'_, '_> {
    fn neighbour(&self, clock: &NavClock) -> Option<Neighbour> {
        if self.is_chased || self.is_on_link || self.move_timer.is_paused() {
            return None;
        }
        let stands = self.crowding.stands;
        let pose = if self.cursor.is_reached() {
            Pose::Reached
        } else if stands && self.cursor.state() == ChaseState::Waiting {
            Pose::Lost
        } else if stands {
            Pose::Waiting
        } else {
            Pose::Moving
        };
        Some(Neighbour {
            id: *self.id,
            target: self.chasing.0,
            at: self.position.cell,
            body: *self.body,
            rules: self.chaser.rules.with_bodies(BodyPolicy::Ignore),
            stop_distance: self.chaser.stop_distance,
            pose,
            waits: self.crowding.counted_waits(),
            failed_pushes: self.crowding.failed_pushes,
            may_step: stands || self.move_timer.is_due(clock.now()),
        })
    }

    /// Returns the next place on the way past bodies that it follows, if it follows one.
    pub(crate) fn next_on_detour(&self) -> Option<Cell> {
        let is_on_detour = self.cursor.is_on_detour();
        is_on_detour.then(|| self.cursor.path().peek()).flatten()
    }

    /// The body as an asker, which meets others.
    pub(crate) fn asker(&self, is_under: bool) -> Asker {
        Asker {
            agent: self.entity,
            id: *self.id,
            target: self.chasing.0,
            rules: self.chaser.rules.with_bodies(BodyPolicy::Ignore),
            stop_distance: self.chaser.stop_distance,
            waits: self.crowding.counted_waits(),
            failed_pushes: self.crowding.failed_pushes,
            is_under,
            passes: self.cursor.is_on_detour(),
        }
    }
}
