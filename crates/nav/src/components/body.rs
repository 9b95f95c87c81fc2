//! Agents that occupy cells.

use super::Chaser;
use crate::occupancy::{Entrant, Occupancy};
use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::Footprint;

/// An agent, chaser or target, that occupies the cells it stands on.
///
/// Others may search their way around it, as their
/// [`Rules::bodies`](nav_grid::Rules::bodies) say, and a chaser with a body of its own keeps off it
/// at every step, as its [`kind`](Self::kind) says. Agents without a body are ghosts: in nobody's
/// way, and nobody is in theirs.
///
/// A body is where its [`CellPosition`](super::CellPosition) is, the upper left cell of its
/// footprint. A chaser with a body is as large as that: the plugin sets its
/// [`Rules::footprint`](nav_grid::Rules::footprint), by which it fits through gaps, to that of the
/// body, so the size of a large chaser is given here only. Ghosts have that of their rules. Rules that
/// name another size than 1×1 or that of the body, and a body that is put where it does not fit, are
/// [named](crate::ValueRefused) once.
///
/// The game may put bodies wherever it likes, on top of each other too; only steps of the plugin
/// keep them apart.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
#[component(on_remove = leave, summary_tick)]
pub struct Body {
    /// The cells it covers; one by default.
    pub footprint: Footprint,
    /// What it does about others in its way; [`BodyKind::Solid`] by default.
    pub kind: BodyKind,
}

/// What a chaser with a body does about other bodies in its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BodyKind {
    /// Never steps where another body stands: goes round it, waits, or has it make room.
    #[default]
    Solid,
    /// Prefers free cells, and goes through where there is none.
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

impl From<Body> for Entrant {
    fn from(body: Body) -> Self {
        Self {
            footprint: body.footprint,
            is_let_through: body.kind == BodyKind::Soft,
        }
    }
}

/// An agent that loses its body, or is despawned, leaves its cells free, and shares fields with others than
/// before. A hook, since a list of removals is kept for two frames only, and a tick may come later.
fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(mut occupancy) = world.get_resource_mut::<Occupancy>() {
        occupancy.leave(entity);
    }
    if let Some(mut chaser) = world.get_mut::<Chaser>(entity) {
        chaser.set_changed();
    }
}
