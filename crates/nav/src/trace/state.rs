//! The state after a tick, as a trace keeps it: its digest, and a sketch of its parts.

use super::{numbers::Numbers, sketch::Sketch};
use crate::{
    digest::digest_with,
    parts::{Part, Parts},
};
use bevy_ecs::prelude::*;

/// Bits of a number in a sketch that say which part it is; those above say whose.
const PART_BITS: u32 = 6;

/// The state after a tick.
#[derive(Clone)]
pub(super) struct State {
    pub(super) digest: u64,
    pub(super) sketch: Sketch,
}

impl State {
    /// That of a world.
    pub(super) fn of(world: &mut World, numbers: &Numbers) -> Self {
        let mut sketch = Sketch::default();
        let mut counted = Counted {
            numbers,
            last: (Entity::PLACEHOLDER, 0),
            add: |number, fingerprint| sketch.add(number, fingerprint),
        };
        let digest = digest_with(world, &mut counted);
        Self { digest, sketch }
    }

    /// The fingerprint of one part of a world; `None` if there is no such part.
    pub(super) fn part(world: &mut World, numbers: &Numbers, number: u64) -> Option<u64> {
        let mut found = None;
        let mut counted = Counted {
            numbers,
            last: (Entity::PLACEHOLDER, 0),
            add: |other, fingerprint| {
                if other == number {
                    found = Some(fingerprint);
                }
            },
        };
        digest_with(world, &mut counted);
        found
    }
}

/// The number of a part in a sketch: of an agent or a map, or of the world, which is number 0.
const fn number_of(of: u32, part: Part) -> u64 {
    (of as u64) << PART_BITS | part as u64
}

/// Whose part it is, and which one.
pub(super) fn part_of(number: u64) -> Option<(u32, Part)> {
    let part = Part::of_number((number & ((1 << PART_BITS) - 1)) as usize)?;
    Some((u32::try_from(number >> PART_BITS).ok()?, part))
}

/// Numbers the parts of a digest.
struct Counted<'a, F> {
    numbers: &'a Numbers,
    /// Who was added last, and its number: the parts of one come one after the other.
    last: (Entity, u32),
    add: F,
}

impl<F: FnMut(u64, u64)> Parts for Counted<'_, F> {
    const COUNTED: bool = true;

    fn add(&mut self, of: Option<Entity>, part: Part, fingerprint: u64) {
        let of = of.map_or(0, |of| {
            if of != self.last.0 {
                self.last = (of, self.numbers.of(of).unwrap_or(0));
            }
            self.last.1
        });
        (self.add)(number_of(of, part), fingerprint);
    }

    fn name(&self, entity: Entity) -> u64 {
        self.numbers.of(entity).map_or(0, u64::from)
    }
}

// Parts that a sketch could not tell apart would not compile.
const _: () = assert!(Part::COUNT <= 1 << PART_BITS);
