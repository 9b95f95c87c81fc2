//! Agents that occupy cells.

use super::{Chaser, Crowding};
use crate::occupancy::BodyPlaces;
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::Footprint;

/// Makes an agent, chaser or target, occupy the cells that it stands on.
///
/// Other agents may search around it, as their [`Rules::bodies`](nav_grid::Rules::bodies) say. A
/// chaser with a body avoids other bodies at every step, as its [`kind`](Self::kind) says. An agent
/// without a body is a ghost: it blocks no agent, and no body blocks it.
///
/// The [`CellPosition`](super::CellPosition) of a body is the upper left cell of its footprint.
/// With the feature `transform`, `CellToTransform` shows it at the centre of all its cells. The
/// footprint also sets the size of a chaser: the plugin copies it to the chaser's
/// [`Rules::footprint`](nav_grid::Rules::footprint), which decides the gaps that it fits through. A
/// ghost keeps the footprint of its rules. Rules with a size other than 1×1 or that of the body,
/// and a body at a place where it does not fit, are [reported](crate::ValueRefused) once.
///
/// The game may put bodies anywhere, also on top of each other. Only steps of the plugin keep them
/// apart.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
#[require(Crowding)]
#[component(on_remove = leave, summary_tick)]
pub struct Body {
    /// The cells that it covers; one by default.
    pub footprint: Footprint,
    /// Its behaviour toward bodies in its way; [`BodyKind::Solid`] by default.
    pub kind: BodyKind,
}

/// The behaviour of a chaser with a [body](Body) toward other bodies in its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BodyKind {
    /// Never steps onto another body: walks around it, waits, or pushes it aside.
    #[default]
    Solid,
    /// Prefers free cells, and walks through other bodies where there is none.
    Soft,
}

impl Body {
    /// A solid body.
    pub const fn solid(footprint: Footprint) -> Self {
        Self {
            footprint,
            kind: BodyKind::Solid,
        }
    }

    /// A soft body.
    pub const fn soft(footprint: Footprint) -> Self {
        Self {
            footprint,
            kind: BodyKind::Soft,
        }
    }
}

/// Frees the cells of an agent that is despawned or loses its body, which also changes the chasers
/// with which it shares fields.
///
/// A hook, since Bevy keeps lists of removals for two frames only, and the next tick may come
/// later.
fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut occupancy) = world.get_resource_mut::<BodyPlaces>() {
        occupancy.leave(entity);
    }
    if let Some(mut chaser) = world.get_mut::<Chaser>(entity) {
        chaser.set_changed();
    }
}
