//! Chases: their targets, their beginning and end.

use super::{Chaser, FieldAnchor, LastMap, PathCursor, SearchesAlone};
use bevy_ecs::{
    change_detection::{DetectChangesMut, Tick},
    entity::EntityHashMap,
    lifecycle::HookContext,
    prelude::*,
    system::SystemChangeTick,
    world::DeferredWorld,
};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::Cell;
use std::collections::BTreeSet;

/// The target that an NPC chases. Insert it to start or to switch, remove it to stop.
///
/// A relationship: the target carries [`ChasedBy`], and despawning the target removes this, so
/// a chase never points at a target that is gone. Tuning lives on [`Chaser`] because
/// relationship components cannot be changed in place.
///
/// Inserted before the first tick of the [`Chaser`], it continues with the path in the
/// [`PathCursor`], as loading a game does, and begins at its move tick. Inserted later, it starts
/// afresh: in the next tick the chaser drops its path, and it decides at its next move tick.
///
/// What counts is the target from tick to tick: inserting an equal value, or several that end with
/// the target of the last tick, changes nothing.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component))]
#[relationship(relationship_target = ChasedBy)]
#[component(on_insert = start, on_discard = leave, on_remove = stop, summary_tick)]
pub struct Chasing(pub Entity);

/// The chasers of a target; kept up to date by [`Chasing`].
///
/// A sorted set, so that one of a million chasers leaves in O(log n), and in an order that does not
/// depend on hashes.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
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
/// somewhere, [`GoTo`](crate::GoTo) does the rest.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(Component, Default))]
pub struct Destination;

/// A cell for which a chaser heads in place of its target: its searches lead there, and it shares
/// no field.
///
/// A behaviour sets it in each tick with
/// [`HeadingQueryItem::head_for`](crate::HeadingQueryItem::head_for). It is no part of a save or of
/// the digest.
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

/// Chasers of which the target was inserted, replaced or removed since the last tick, each with its
/// target of the last tick: the placeholder if it had none.
///
/// By hooks rather than by change detection, which keeps no former value, and rather than by lists
/// of removals, which Bevy keeps for two frames only: a tick may come later. What the chaser
/// followed is forgotten at the next tick, since it may have its former target again by then.
#[derive(Resource, Default)]
pub(crate) struct Retargeted(pub(crate) EntityHashMap<Entity>);

/// The change tick at which the plugin looked at new chasers last; `None` before its first tick.
#[derive(Resource, Default)]
pub(crate) struct LastLook(Option<Tick>);

/// Notes that the chasers of this moment are no longer new.
pub(crate) fn note_look(mut look: ResMut<LastLook>, change: SystemChangeTick) {
    look.0 = Some(change.this_run());
}

/// Returns whether an entity is a chaser that the plugin has not seen in a tick yet.
///
/// Not whether the chaser and its target were inserted at the same change tick: each observer that
/// runs in between counts that further, so the answer would depend on the plugins of the app.
fn is_new(world: &DeferredWorld, chaser: Entity) -> bool {
    let chaser = world.entity(chaser);
    let Some(ticks) = chaser.get_change_ticks::<Chaser>() else {
        return false;
    };
    // A restored chaser was seen in the saved world.
    if chaser.get::<LastMap>().is_some_and(|last| last.0.is_some()) {
        return false;
    }
    let look = world.get_resource::<LastLook>().and_then(|look| look.0);
    look.is_none_or(|look| ticks.added.is_newer_than(look, world.read_change_tick()))
}

impl Retargeted {
    /// Records a target, unless an earlier one is known or the chaser is new.
    fn note(world: &mut DeferredWorld, chaser: Entity, before: Entity) {
        if is_new(world, chaser) {
            return;
        }
        if let Some(mut retargeted) = world.get_resource_mut::<Self>() {
            retargeted.0.entry(chaser).or_insert(before);
        }
    }
}

fn start(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    // Of a chaser that is spawned or loaded with its target, the path is the one it came with.
    if world.get::<Chaser>(entity).is_some() {
        Retargeted::note(&mut world, entity, Entity::PLACEHOLDER);
    }
}

fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(&Chasing(target)) = world.get(entity) {
        Retargeted::note(&mut world, entity, target);
    }
}

/// Marks the cursor of a chaser without a target, for systems that look at ended chases.
fn stop(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut cursor) = world.get_mut::<PathCursor>(entity) {
        cursor.set_changed();
    }
}
