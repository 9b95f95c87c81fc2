//! What a world's digest consists of.

use super::components::StateComponents;
use bevy_ecs::prelude::*;

/// Declares the parts of this crate, each with its name.
macro_rules! parts {
    ($($(#[$doc:meta])* $Part:ident,)*) => {
        /// A part of the state that the digest covers: a component, or what is kept beside them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Part {
            $($(#[$doc])* $Part,)*
        }

        /// The names of the parts of this crate, each at the place of its number.
        const NAMES: &[&str] = &[$(stringify!($Part),)*];
    };
}

parts! {
    CellPosition,
    WorldPosition,
    OnMap,
    /// Whether a chaser was put onto another map and has not forgotten what it followed on the one before.
    LastMap,
    AgentId,
    Disabled,
    Body,
    Destination,
    FieldAnchor,
    Chaser,
    Chasing,
    PathCursor,
    NavTimer,
    MoveTimer,
    Paused,
    /// Whether a body sleeps though its timers do not say so, or the other way round.
    Asleep,
    /// Where a body is put down while its components say otherwise.
    Elsewhere,
    /// When a body on the map of one who goes around bodies last moved.
    BodiesMoved,
    Fields,
    NavMap,
    /// The cells of a map on which several bodies stand.
    SharedCells,
    NavClock,
    AgentIds,
    NavBudget,
    LongSearch,
}

/// The names of all parts that the digest of a world can have, each at the place of its number: components,
/// resources, and what is kept beside them; the [registered](super::StateAppExt) ones come last.
pub fn part_names(world: &World) -> Vec<&'static str> {
    let registered = world.get_resource::<StateComponents>();
    let registered = registered.into_iter().flat_map(StateComponents::names);
    NAMES.iter().copied().chain(registered).collect()
}

/// The number of a registered component.
pub(crate) const fn registered_part(place: usize) -> usize {
    NAMES.len() + place
}

/// Takes the fingerprints of all parts while a digest is taken: see [`digest_parts`](super::digest_parts).
pub trait Parts {
    /// Whether they are computed at all.
    const COUNTED: bool = true;

    /// Takes the fingerprint of a part of an agent, a map, or the world. `part` is its number, by which
    /// [`part_names`] has its name.
    fn add(&mut self, of: Option<Entity>, part: usize, fingerprint: u64);

    /// What stands for an entity to which a part refers.
    fn name(&self, entity: Entity) -> u64;
}

/// The whole alone.
pub(crate) struct NoParts;

impl Parts for NoParts {
    const COUNTED: bool = false;

    fn add(&mut self, _: Option<Entity>, _: usize, _: u64) {}

    fn name(&self, _: Entity) -> u64 {
        0
    }
}
