//! Hashing a whole and its parts in one pass.

use super::{
    fingerprint::Fingerprint,
    part::{Part, Parts},
};
use bevy_ecs::prelude::*;
use std::hash::{Hash, Hasher};

/// Hashes a whole, and beside it each part of it.
///
/// Rounds of one fingerprint wait for each other, so that those of a second one cost little.
pub(crate) struct PartHasher<'a, P> {
    whole: Fingerprint,
    part: Fingerprint,
    parts: &'a mut P,
}

impl<'a, P: Parts> PartHasher<'a, P> {
    pub(crate) fn new(parts: &'a mut P) -> Self {
        Self {
            whole: Fingerprint::default(),
            part: Fingerprint::default(),
            parts,
        }
    }

    /// Ends a part: all that was written since the last one ended. It counts only if it is there.
    #[inline]
    pub(crate) fn end(&mut self, of: impl Into<Option<Entity>>, part: Part, is_there: bool) {
        if P::COUNTED {
            let fingerprint = std::mem::take(&mut self.part).finish();
            if is_there {
                self.parts.add(of.into(), part as usize, fingerprint);
            }
        }
    }

    /// Hashes a component, as a part that counts if it is there.
    #[inline]
    pub(crate) fn component(&mut self, of: Entity, part: Part, component: Option<impl Hash>) {
        component.hash(self);
        self.end(of, part, component.is_some());
    }

    /// Hashes whether an agent has a component without a value, as a part that counts if it does.
    #[inline]
    pub(crate) fn marker(&mut self, of: Entity, part: Part, is_there: bool) {
        is_there.hash(self);
        self.end(of, part, is_there);
    }

    /// Adds to the part, and not to the whole, what stands for an entity.
    #[inline]
    pub(crate) fn refer(&mut self, entity: Entity) {
        if P::COUNTED {
            self.part.write_u64(self.parts.name(entity));
        }
    }

    /// What counts for the whole only.
    pub(crate) const fn whole(&mut self) -> &mut Fingerprint {
        &mut self.whole
    }

    /// The fingerprint of a part of which the whole has another one, or none.
    pub(crate) fn add(&mut self, of: Entity, part: Part, fingerprint: u64) {
        if P::COUNTED {
            self.parts.add(Some(of), part as usize, fingerprint);
        }
    }
}

impl<P: Parts> Hasher for PartHasher<'_, P> {
    /// That of the whole.
    fn finish(&self) -> u64 {
        self.whole.finish()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.whole.write(bytes);
        if P::COUNTED {
            self.part.write(bytes);
        }
    }

    // A word each, as the fingerprint has it.

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.whole.write_u64(number);
        if P::COUNTED {
            self.part.write_u64(number);
        }
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
