//! Fingerprints of the parts of a saved state, by which a damaged save names what differs.

use crate::{
    digest::WorldSum,
    state::{Fingerprint, Part, Parts, part_names},
};
use bevy_ecs::{entity::EntityHashMap, prelude::*};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Parts of which saves hold nothing: work that begins again.
const BEGUN_AGAIN: [Part; 4] = [
    Part::Fields,
    Part::TickWork,
    Part::LongSearch,
    Part::PathRequests,
];

/// The sums of the fingerprints of each part over all agents and maps, by the names of the parts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct PartSums(BTreeMap<String, u64>);

impl PartSums {
    /// Sums up a world, and returns its digest as well. Entities are known by their places in a
    /// list.
    pub(super) fn of(world: &mut World, entities: impl Iterator<Item = Entity>) -> (u64, Self) {
        let mut summing = Summing {
            sums: vec![0; part_names(world).len()],
            places: entities.zip(0..).collect(),
        };
        let digest = WorldSum::with_parts(world, &mut summing).fingerprint();
        let names = part_names(world).into_iter().map(str::to_owned);
        let sums = names.zip(summing.sums).filter(|(_, sum)| *sum != 0);
        (digest, Self(sums.collect()))
    }

    /// The names of the parts that differ, in order.
    pub(super) fn differing(&self, other: &Self) -> Vec<String> {
        let mut names: Vec<&String> = self.0.keys().chain(other.0.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|&name| self.0.get(name) != other.0.get(name));
        names.into_iter().cloned().collect()
    }
}

/// The sums so far, by the numbers of parts.
struct Summing {
    sums: Vec<u64>,
    places: EntityHashMap<u64>,
}

impl Parts for Summing {
    fn add(&mut self, of: Option<Entity>, part: usize, fingerprint: u64) {
        if !BEGUN_AGAIN.iter().any(|&begun| begun as usize == part) {
            let of = of.map(|of| self.name(of));
            let sum = &mut self.sums[part];
            *sum = sum.wrapping_add(Fingerprint::of(&(of, fingerprint)));
        }
    }

    /// The place of an entity; the last number for an entity that a save does not hold.
    fn name(&self, entity: Entity) -> u64 {
        self.places.get(&entity).copied().unwrap_or(u64::MAX)
    }
}
