//! The parts of the state that the digest covers, and the hasher that fingerprints them.

use super::{
    components::{StateComponents, core_components},
    fingerprint::{Fingerprint, write_words},
};
use bevy_ecs::prelude::*;
use std::hash::Hasher;

/// Declares the parts: the components of this crate and what is kept beside them.
macro_rules! parts {
    (
        $({ $($_name:ident: $Component:ident => $_hash:ident,)* })*
        $($(#[$doc:meta])* $Part:ident,)*
    ) => {
        /// A part of the state that the digest covers.
        #[derive(Clone, Copy)]
        pub(crate) enum Part {
            $($($Component,)*)*
            $($(#[$doc])* $Part,)*
        }

        /// The names of the parts of this crate, in the order of their numbers.
        const NAMES: &[&str] = &[
            $($(stringify!($Component),)*)*
            $(stringify!($Part),)*
        ];
    };
}

core_components! { parts
    /// Whether a chaser was put onto another map and still has the path of the previous one.
    LastMap,
    /// Whether the world position of a target was not read yet.
    LastWorldPosition,
    Disabled,
    /// Whether a body sleeps, where its timers say otherwise.
    Asleep,
    /// The cells a body occupies, where its components say otherwise.
    Elsewhere,
    /// The time at which a body last moved on the map of a chaser that searches around bodies.
    BodiesMoved,
    Fields,
    NavMap,
    /// The cells of a map on which several bodies stand.
    SharedCells,
    NavClock,
    AgentIds,
    NavBudget,
    /// The work for maps that is due, or was done beyond the budget.
    TickWork,
    LongSearch,
    /// The search for a path request that takes several ticks.
    PathRequests,
}

/// The names of all parts that the digest of a world can have, in the order of their numbers.
///
/// Components of this crate come first, then resources and derived state, then
/// [registered](super::StateAppExt) components.
pub fn part_names(world: &World) -> Vec<&'static str> {
    let registered = world.get_resource::<StateComponents>().into_iter();
    let names = registered.flat_map(StateComponents::names);
    NAMES.iter().copied().chain(names).collect()
}

/// The part number of a registered component.
pub(crate) const fn registered_part(place: usize) -> usize {
    NAMES.len() + place
}

/// Receives the fingerprints of all parts while a digest is computed: see
/// [`digest_parts`](crate::digest::digest_parts).
pub trait Parts {
    /// Whether the fingerprints are computed.
    const COUNTED: bool = true;

    /// Receives the fingerprint of a part of an agent, a map, or the world.
    ///
    /// `part` is its number, the place of its name in [`part_names`].
    fn add(&mut self, of: Option<Entity>, part: usize, fingerprint: u64);

    /// The number that identifies an entity to which a part refers.
    fn name(&self, entity: Entity) -> u64;
}

/// Computes no part fingerprints.
pub(crate) struct NoParts;

impl Parts for NoParts {
    const COUNTED: bool = false;

    fn add(&mut self, _: Option<Entity>, _: usize, _: u64) {}

    fn name(&self, _: Entity) -> u64 {
        0
    }
}

/// Hashes the whole, and each of its parts, in one pass.
///
/// The rounds of one fingerprint depend on each other, so a second one beside it costs little.
pub(crate) struct PartHasher<'a, P> {
    whole: Fingerprint,
    part: Fingerprint,
    parts: &'a mut P,
}

impl<'a, P: Parts> PartHasher<'a, P> {
    pub(crate) fn new(parts: &'a mut P) -> Self {
        let (whole, part) = Default::default();
        Self { whole, part, parts }
    }

    /// Ends a part: all that was written since the end of the previous one.
    ///
    /// The part is reported only if it `is_there`.
    #[inline]
    pub(crate) fn end(&mut self, of: impl Into<Option<Entity>>, part: Part, is_there: bool) {
        if P::COUNTED {
            let fingerprint = std::mem::take(&mut self.part).finish();
            if is_there {
                self.parts.add(of.into(), part as usize, fingerprint);
            }
        }
    }

    /// Writes the number of an entity to the part only: the whole does not depend on entities.
    #[inline]
    pub(crate) fn refer(&mut self, entity: Entity) {
        if P::COUNTED {
            self.part.write_u64(self.parts.name(entity));
        }
    }

    /// The hasher of the whole only.
    pub(crate) const fn whole(&mut self) -> &mut Fingerprint {
        &mut self.whole
    }

    /// Reports a part that does not count for the whole, or counts there in another form.
    pub(crate) fn add(&mut self, of: Entity, part: Part, fingerprint: u64) {
        if P::COUNTED {
            self.parts.add(Some(of), part as usize, fingerprint);
        }
    }

    #[inline]
    fn mix(&mut self, word: u64) {
        self.whole.write_u64(word);
        if P::COUNTED {
            self.part.write_u64(word);
        }
    }
}

impl<P: Parts> Hasher for PartHasher<'_, P> {
    /// The fingerprint of the whole.
    fn finish(&self) -> u64 {
        self.whole.finish()
    }

    write_words!();
}
