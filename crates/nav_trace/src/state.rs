//! The state after a tick, as a trace keeps it: its digest, and a sketch of its parts.

use crate::{numbers::Numbers, sketch::Sketch};
use bevy_ecs::prelude::*;
use nav::state::{Parts, digest_parts, part_names};

/// Bits of a number in a sketch that say which part it is; those above say whose.
const PART_BITS: u32 = 7;

/// The parts that a trace knows, by their places in its list.
pub(crate) struct TracedParts {
    names: Vec<String>,
    /// By the numbers of parts in this app: those of the trace.
    numbers: Vec<Option<u64>>,
}

impl TracedParts {
    /// Those of a world, as far as a sketch has numbers.
    pub(crate) fn all(world: &World) -> Vec<String> {
        let names = part_names(world).into_iter().map(String::from);
        names.take(1 << PART_BITS).collect()
    }

    /// Parts in the order of a trace, of a world that may have others.
    pub(crate) fn new(names: Vec<String>, world: &World) -> Self {
        let here = part_names(world);
        let number = |name| names.iter().position(|known| known == name);
        let numbers = here
            .iter()
            .map(|&name| number(name).map(|place| place as u64));
        Self {
            numbers: numbers.collect(),
            names,
        }
    }

    /// The number of a part in a sketch: of an agent or a map, or of the world, which is number 0.
    fn number_of(&self, of: u32, part: usize) -> Option<u64> {
        let part = self.numbers.get(part).copied().flatten()?;
        Some(u64::from(of) << PART_BITS | part)
    }

    /// Whose part it is, and its name.
    pub(crate) fn part_of(&self, number: u64) -> Option<(u32, &str)> {
        let part = self.names.get((number & ((1 << PART_BITS) - 1)) as usize)?;
        Some((u32::try_from(number >> PART_BITS).ok()?, part))
    }
}

/// The state after a tick.
#[derive(Clone)]
pub(super) struct State {
    pub(super) digest: u64,
    pub(super) sketch: Sketch,
}

impl State {
    /// That of a world.
    pub(super) fn of(world: &mut World, numbers: &Numbers, parts: &TracedParts) -> Self {
        let mut sketch = Sketch::default();
        let mut counted = Counted {
            numbers,
            parts,
            last: (Entity::PLACEHOLDER, 0),
            add: |number, fingerprint| sketch.add(number, fingerprint),
        };
        let digest = digest_parts(world, &mut counted);
        Self { digest, sketch }
    }

    /// The fingerprint of one part of a world; `None` if there is no such part.
    pub(super) fn part(
        world: &mut World,
        numbers: &Numbers,
        parts: &TracedParts,
        number: u64,
    ) -> Option<u64> {
        let mut found = None;
        let mut counted = Counted {
            numbers,
            parts,
            last: (Entity::PLACEHOLDER, 0),
            add: |other, fingerprint| {
                if other == number {
                    found = Some(fingerprint);
                }
            },
        };
        digest_parts(world, &mut counted);
        found
    }
}

/// Numbers the parts of a digest.
struct Counted<'a, F> {
    numbers: &'a Numbers,
    parts: &'a TracedParts,
    /// Who was added last, and its number: the parts of one come one after the other.
    last: (Entity, u32),
    add: F,
}

impl<F: FnMut(u64, u64)> Parts for Counted<'_, F> {
    fn add(&mut self, of: Option<Entity>, part: usize, fingerprint: u64) {
        let of = of.map_or(0, |of| {
            if of != self.last.0 {
                self.last = (of, self.numbers.of(of).unwrap_or(0));
            }
            self.last.1
        });
        if let Some(number) = self.parts.number_of(of, part) {
            (self.add)(number, fingerprint);
        }
    }

    fn name(&self, entity: Entity) -> u64 {
        self.numbers.of(entity).map_or(0, u64::from)
    }
}
