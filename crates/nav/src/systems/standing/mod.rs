//! Who stands where.

mod band;
mod holders;
mod stage;

pub(crate) use band::Band;
pub(crate) use stage::{Stage, strip_of, strips};

use crate::{Body, NavMap};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Footprint, Size, Terrain};
use std::collections::BTreeMap;

/// The bodies of each map, followed from step to step. Maps on which there never was one have no
/// stage.
#[derive(Resource, Default)]
pub(crate) struct Standing {
    stages: BTreeMap<Entity, Stage>,
    /// By the index of an entity: where it was put down.
    places: Vec<Place>,
}

/// A step of an agent, by its index.
#[derive(Clone, Copy)]
pub(crate) struct Moved {
    pub(crate) agent: u32,
    pub(crate) to: Cell,
}

/// Where an agent was put down.
#[derive(Clone, Copy, Default)]
struct Place {
    map: Option<Entity>,
    cell: Cell,
    footprint: Footprint,
}

impl Standing {
    /// A map together with its bodies and what was prepared of it.
    pub(crate) fn terrain<'a>(&'a self, entity: Entity, map: &'a NavMap) -> Terrain<'a> {
        let terrain = Terrain::from(map.indexed());
        match self.stages.get(&entity) {
            Some(stage) => terrain.with_bodies(stage.bodies()),
            None => terrain,
        }
    }

    /// The maps and their bodies, in the order of maps.
    pub(crate) fn stages(&mut self) -> impl Iterator<Item = (Entity, &mut Stage)> {
        self.stages.iter_mut().map(|(&map, stage)| (map, stage))
    }

    /// A floor of a map on which there are bodies.
    pub(crate) fn floor(&mut self, map: Entity, floor: u8) -> Option<Band<'_>> {
        self.stages.get_mut(&map)?.floor(floor)
    }

    /// How many agents may have been put down: none has a higher index.
    pub(crate) fn agents(&self) -> usize {
        self.places.len()
    }

    /// Whether there never was a body.
    pub(super) fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// Keeps the bodies of some maps, of the size that they have. Says whether it kept those of all.
    pub(super) fn keep(&mut self, size: impl Fn(Entity) -> Option<Size>) -> bool {
        let before = self.stages.len();
        self.stages
            .retain(|&map, stage| size(map) == Some(stage.size()));
        if self.stages.len() == before {
            return true;
        }
        let stages = &self.stages;
        for place in &mut self.places {
            place.map = place.map.filter(|map| stages.contains_key(map));
        }
        false
    }

    /// Whether an agent is where it was put down.
    #[inline]
    pub(crate) fn is_at(
        &self,
        agent: Entity,
        map: Entity,
        footprint: Footprint,
        cell: Cell,
    ) -> bool {
        let place = self.places.get(agent.index_u32() as usize);
        place.is_some_and(|place| {
            (place.map, place.cell, place.footprint) == (Some(map), cell, footprint)
        })
    }

    /// Puts an agent down, or elsewhere than it was. Says whether that is news.
    pub(super) fn put(
        &mut self,
        agent: Entity,
        map: Entity,
        size: Size,
        body: Body,
        cell: Cell,
    ) -> bool {
        let index = agent.index_u32() as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, Place::default());
        }
        if self.is_at(agent, map, body.footprint, cell) {
            return false;
        }
        self.leave(agent);
        let stage = self.stages.entry(map).or_insert_with(|| Stage::new(size));
        stage.enter(agent.index_u32(), cell, body.footprint);
        self.places[index] = Place {
            map: Some(map),
            cell,
            footprint: body.footprint,
        };
        true
    }

    /// Takes an agent away.
    pub(crate) fn leave(&mut self, agent: Entity) {
        let Some(place) = self.places.get_mut(agent.index_u32() as usize) else {
            return;
        };
        if let Some(map) = place.map.take()
            && let Some(stage) = self.stages.get_mut(&map)
        {
            stage.exit(agent.index_u32(), place.cell, place.footprint);
        }
    }

    /// Moves an agent of the map, which has a stage, to another cell of it.
    pub(crate) fn step(&mut self, agent: Entity, map: Entity, to: Cell) {
        let index = agent.index_u32();
        let (Some(place), Some(stage)) = (
            self.places.get_mut(index as usize),
            self.stages.get_mut(&map),
        ) else {
            return;
        };
        stage.exit(index, place.cell, place.footprint);
        stage.enter(index, to, place.footprint);
        place.cell = to;
    }

    /// Notes where an agent stepped within a [band](Band).
    #[inline]
    pub(crate) fn has_stepped(&mut self, Moved { agent, to }: Moved) {
        if let Some(place) = self.places.get_mut(agent as usize) {
            place.cell = to;
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let stages: usize = self.stages.values().map(Stage::heap_bytes).sum();
        stages + self.places.capacity() * size_of::<Place>()
    }
}
