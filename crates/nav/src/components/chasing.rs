//! Chases: their targets, their beginning and end, and pauses.

use super::{Chaser, Crowding, FieldAnchor, MoveTimer, NavTimer, PathCursor, SearchesAlone};
use crate::{NavClock, NavTime, Period, occupancy::Occupancy};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::Cell;
use std::collections::BTreeSet;

/// The target that an NPC chases. Insert it to start or to switch, remove it to stop.
///
/// A relationship: the target carries [`ChasedBy`], and despawning the target removes this, so
/// a chase never points at a target that is gone. Tuning lives on [`Chaser`] because
/// relationship components cannot be changed in place.
///
/// Inserted together with the [`Chaser`], or by the same system or command queue, it continues with
/// the path in the [`PathCursor`], as loading a game does. Inserted later, it starts afresh: the
/// chaser drops its path and decides in the next tick, whether that is its move tick or not.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[relationship(relationship_target = ChasedBy)]
#[component(on_insert = start, on_remove = stop, summary_tick)]
pub struct Chasing(pub Entity);

/// The chasers of a target; kept up to date by [`Chasing`].
///
/// A sorted set, so that one of a million chasers leaves in O(log n).
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[relationship_target(relationship = Chasing)]
#[require(FieldAnchor)]
pub struct ChasedBy(BTreeSet<Entity>);

impl ChasedBy {
    /// Number of chasers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no chaser.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The chasers in ascending order of entity.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }
}

/// Makes a target a cell that its chasers enter, instead of an agent beside which they stop: a
/// post, a rally point, the slot of a formation.
///
/// Spawn it with [`OnMap`](super::OnMap) and [`CellPosition`](super::CellPosition), and send agents
/// there with [`Chasing`]. A chaser is within reach as soon as it covers the cell: its stop
/// distance, sight and links do not count. Of several chasers with bodies one enters; the others
/// wait as near as they come. A destination has no [`Body`](super::Body): the first chaser may pass
/// over it.
///
/// One entity may serve any number of chasers, which then share a field. To send a single agent
/// somewhere, `GoTo` of the crate `nav_behaviour` does the rest.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Default)
)]
pub struct Destination;

/// A cell for which a chaser heads in place of its target: its searches lead there, and it shares
/// no field.
///
/// A behaviour sets it in each tick with [`HeaderItem::head_for`](crate::HeaderItem::head_for). It
/// is no part of a save or of the digest.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
#[require(SearchesAlone)]
pub struct Heading(pub(crate) Option<Cell>);

impl Heading {
    /// The cell, if there is one.
    pub const fn cell(self) -> Option<Cell> {
        self.0
    }
}

/// Keeps a chaser where it is: it neither steps nor searches, no body pushes it away, and searches
/// around bodies treat it as a wall. For stuns, cut scenes and what is out of every player's sight.
///
/// The target stays, and may be switched meanwhile. What the chaser followed is forgotten as the
/// pause begins and as it ends. When this is removed, or when [`until`](Self::until) comes, the
/// chaser decides at once.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect), reflect(Component))]
#[component(on_insert = pause, on_remove = resume)]
pub struct Paused {
    /// When the plugin removes it; `None`, the default, if the game does.
    pub until: Option<NavTime>,
}

impl Paused {
    /// A pause of this length from this tick on.
    pub const fn for_period(clock: &NavClock, period: Period) -> Self {
        Self {
            until: Some(clock.now().after(period)),
        }
    }
}

/// Chasers that got another target since the last decisions: these decide in the next tick, though
/// it may not be their move tick.
#[derive(Resource, Default)]
pub(crate) struct Retargeted(pub(crate) Vec<Entity>);

fn start(mut world: DeferredWorld, context: HookContext) {
    wake(&mut world, context.entity);
    let chaser = world.entity(context.entity).get_change_ticks::<Chaser>();
    // Of a chaser that is spawned or loaded with its target, the path is the one it came with.
    let is_new = chaser.is_none_or(|ticks| ticks.added == world.read_change_tick());
    if is_new {
        return;
    }
    forget(&mut world, context.entity);
    if let Some(mut retargeted) = world.get_resource_mut::<Retargeted>() {
        retargeted.0.push(context.entity);
    }
}

/// A hook rather than a list of removals, which Bevy keeps for two frames only: a tick may come
/// later.
pub(super) fn stop(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        cursor.interrupt();
    }
    wake(&mut world, entity);
}

fn pause(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        cursor.interrupt();
    }
    if let Some(mut moves) = world.get_mut::<MoveTimer>(entity) {
        moves.pause();
    }
    if let Some(mut crowding) = world.get_mut::<Crowding>(entity) {
        crowding.stands = false;
    }
    wake(&mut world, entity);
}

fn resume(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    forget(&mut world, entity);
    let now = now(&world);
    if let Some(mut moves) = world.get_mut::<MoveTimer>(entity) {
        moves.next_step = now;
    }
}

/// Forgets the path, and how searches and bodies in the way went.
fn forget(world: &mut DeferredWorld, entity: Entity) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        cursor.interrupt();
    }
    if let Some(mut timer) = world.get_mut::<NavTimer>(entity) {
        *timer = NavTimer::default();
    }
    if let Some(mut crowding) = world.get_mut::<Crowding>(entity) {
        *crowding = Crowding::default();
    }
}

/// Ends the sleep of a body: what it waited for belongs to another chase.
fn wake(world: &mut DeferredWorld, entity: Entity) {
    if let Some(mut occupancy) = world.get_resource_mut::<Occupancy>() {
        occupancy.wake(entity);
    }
}

fn now(world: &DeferredWorld) -> NavTime {
    let clock = world.get_resource::<NavClock>();
    clock.map(NavClock::now).unwrap_or_default()
}
