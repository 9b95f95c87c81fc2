//! The state after a tick, as a trace records it: its digest, and a sketch of its parts.

use crate::{numbers::Numbers, sketch::Sketch};
use bevy_ecs::prelude::*;
use nav::extend::{Parts, digest_parts, part_names};

/// Low bits of a number in a sketch, which name the part; the others name the agent or map. A
/// guess: `nav` has 30 parts, which leaves 98 for registered components.
const PART_BITS: u32 = 7;

/// The parts that a trace knows, by their places in its list.
pub(crate) struct TracedParts {
    names: Vec<String>,
    /// The place of each part of this app in the list of the trace.
    places: Vec<Option<u64>>,
}

impl TracedParts {
    /// Parts at most.
    pub(crate) const MAX: usize = 1 << PART_BITS;

    /// The parts of a trace, in its order. The world may have others.
    pub(crate) fn new(names: Vec<String>, world: &World) -> Self {
        let places = part_names(world).into_iter().map(|name| {
            let place = names.iter().position(|known| known == name)?;
            Some(place as u64)
        });
        Self {
            places: places.collect(),
            names,
        }
    }

    /// The number of the agent or map and the name of the part, of a number in a sketch. Parts of
    /// the world itself have the number 0.
    pub(crate) fn part_of(&self, number: u64) -> Option<(u32, &str)> {
        let part = self.names.get(number as usize % Self::MAX)?;
        Some((u32::try_from(number >> PART_BITS).ok()?, part))
    }

    /// Calls a function with the number and the fingerprint of each part of a world, and returns
    /// the digest.
    pub(crate) fn visit(
        &self,
        world: &mut World,
        numbers: &Numbers,
        visit: impl FnMut(u64, u64),
    ) -> u64 {
        digest_parts(
            world,
            &mut Visited {
                parts: self,
                numbers,
                last: (Entity::PLACEHOLDER, 0),
                visit,
            },
        )
    }
}

/// The state after a tick.
#[derive(Clone)]
pub(super) struct State {
    pub(super) digest: u64,
    pub(super) sketch: Sketch,
}

impl State {
    /// The state of a world.
    pub(super) fn of(world: &mut World, numbers: &Numbers, parts: &TracedParts) -> Self {
        let mut sketch = Sketch::default();
        let digest = parts.visit(world, numbers, |number, fingerprint| {
            sketch.add(number, fingerprint);
        });
        Self { digest, sketch }
    }
}

/// Numbers the parts of a digest.
struct Visited<'a, F> {
    parts: &'a TracedParts,
    numbers: &'a Numbers,
    /// The last entity with its number: the parts of one entity follow one another.
    last: (Entity, u32),
    visit: F,
}

impl<F: FnMut(u64, u64)> Parts for Visited<'_, F> {
    fn add(&mut self, of: Option<Entity>, part: usize, fingerprint: u64) {
        let of = of.map_or(0, |of| {
            if of != self.last.0 {
                self.last = (of, self.numbers.of(of).unwrap_or(0));
            }
            self.last.1
        });
        if let Some(&Some(part)) = self.parts.places.get(part) {
            (self.visit)(u64::from(of) << PART_BITS | part, fingerprint);
        }
    }

    fn name(&self, entity: Entity) -> u64 {
        self.numbers.of(entity).map_or(0, u64::from)
    }
}
