//! Which body stands on which cell.

use super::{
    map::MapOccupancy,
    rows::{Entry, Gate, OccupancyRows},
};
use crate::{Body, NavTime};
use bevy_ecs::{change_detection::Tick, prelude::*};
use nav_grid::{Cell, Footprint, Size, map::Bodies};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Which body stands on which cell of each map, updated step by step: read it by
/// [`Occupancy`](super::Occupancy). Maps on which there never was a body take no memory.
#[derive(Resource, Default)]
pub struct BodyPlaces {
    maps: BTreeMap<Entity, MapOccupancy>,
    /// By the index of an entity: where it was put down.
    places: Vec<Place>,
    /// The time of the last tick.
    now: NavTime,
    gate: Option<Arc<dyn Gate>>,
    /// The steps of this tick that the gate has to admit first.
    pub(crate) asks: Vec<GateAsk>,
    /// The last runs of the systems that move bodies, which distinguish their changes from the
    /// game's.
    pub(crate) moved_at: [Option<Tick>; 2],
}

/// A step that a body could take if the [`Gate`] admitted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateAsk {
    /// The body.
    pub agent: Entity,
    /// Where it stands: the upper left cell of its footprint.
    pub from: Cell,
    /// Where it wants to stand; anywhere on the map, if it goes there by a link.
    pub to: Cell,
}

/// Where a body is put down, or is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Stand {
    pub(crate) map: Entity,
    pub(crate) cell: Cell,
    pub(crate) footprint: Footprint,
}

/// A cell and the footprint of a body there, in the lowest 48 bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footing(pub(crate) u64);

impl Footing {
    /// Bits of a word that are used.
    pub(crate) const BITS: u32 = 48;

    /// The first bit of the footprint's side.
    const SIDE: u32 = 40;

    pub(crate) const fn new(cell: Cell, footprint: Footprint) -> Self {
        let cell = (cell.x as u64) | (cell.y as u64) << 16 | (cell.floor as u64) << 32;
        Self(cell | (footprint.side() as u64) << Self::SIDE)
    }

    /// The footing in the lowest bits of a word.
    pub(crate) const fn from_word(word: u64) -> Self {
        Self(word & ((1 << Self::BITS) - 1))
    }

    pub(crate) const fn cell(self) -> Cell {
        Cell {
            x: self.0 as u16,
            y: (self.0 >> 16) as u16,
            floor: (self.0 >> 32) as u8,
        }
    }

    pub(crate) fn footprint(self) -> Footprint {
        Footprint::new((self.0 >> Self::SIDE) as u8).unwrap_or_default()
    }
}

/// Where an agent was put down.
#[derive(Default)]
struct Place {
    map: Option<Entity>,
    /// A [`Footing`]. The threads that move bodies each write those of their own.
    footing: AtomicU64,
}

impl Place {
    fn footing(&self) -> Footing {
        Footing::from_word(self.footing.load(Relaxed))
    }
}

impl BodyPlaces {
    /// The bodies of a map, if there ever was one.
    pub(crate) fn bodies(&self, map: Entity) -> Option<&Bodies> {
        self.maps.get(&map).map(MapOccupancy::bodies)
    }

    /// Sets a gate for all maps, in place of the one before, if any: bodies enter only cells that
    /// it opens. Set it before [`NavSystems::Step`](crate::NavSystems::Step).
    ///
    /// A solid body that could step only with leave of the gate [asks](Self::asks) for that step.
    /// It looks again after its chasing period, and counts no wait: no body kept it from the step.
    pub fn set_gate(&mut self, gate: Option<Arc<dyn Gate>>) {
        for map_occupancy in self.maps.values_mut() {
            map_occupancy.gate.clone_from(&gate);
        }
        self.gate = gate;
    }

    /// The steps of the last tick that the gate has to admit first, in no particular order. A body
    /// may have been asked to make room afterwards, and be elsewhere.
    pub fn asks(&self) -> &[GateAsk] {
        &self.asks
    }

    pub(crate) fn begin_tick(&mut self, now: NavTime) {
        self.now = now;
        self.asks.clear();
        for map_occupancy in self.maps.values_mut() {
            map_occupancy.moves.now = now;
        }
    }

    /// Returns the time at which a body of a map of some size last moved, came or went, if there
    /// ever was one. Moves on another map of that entity do not count.
    pub(crate) fn last_move(&self, map: Entity, size: Size) -> Option<NavTime> {
        let map_occupancy = self.maps.get(&map)?;
        let last = map_occupancy.moves.last.load(Relaxed);
        (map_occupancy.size() == size).then_some(NavTime(last))
    }

    /// Sets when a body of a map of some size last moved.
    #[cfg(feature = "serialize")]
    pub(crate) fn set_last_move(&mut self, map: Entity, size: Size, last: NavTime) {
        *self.of_or_new(map, size).moves.last.get_mut() = last.0;
    }

    /// The bodies of a map of some size.
    fn of_or_new(&mut self, map: Entity, size: Size) -> &mut MapOccupancy {
        let (now, gate) = (self.now, &self.gate);
        self.maps
            .entry(map)
            .or_insert_with(|| MapOccupancy::new(size, now, gate.clone()))
    }

    /// The maps and their bodies, in the order of maps.
    pub(crate) fn maps(&mut self) -> impl Iterator<Item = (Entity, &mut MapOccupancy)> {
        self.maps
            .iter_mut()
            .map(|(&map, map_occupancy)| (map, map_occupancy))
    }

    /// The bodies of a map with their holders, if there ever was one.
    pub(crate) fn of(&self, map: Entity) -> Option<&MapOccupancy> {
        self.maps.get(&map)
    }

    /// A floor of a map on which there are bodies.
    pub(crate) fn floor(&mut self, map: Entity, floor: u8) -> Option<OccupancyRows<'_>> {
        self.maps.get_mut(&map)?.floor(floor)
    }

    /// Whether a body may go to a place by a link. Taken on a map without bodies.
    pub(crate) fn entry(&mut self, map: Entity, agent: Entity, body: Body, place: Cell) -> Entry {
        let floor = self.floor(map, place.floor);
        floor.map_or(Entry::Taken, |floor| floor.entry(agent, body, place))
    }

    /// One more than the highest index of an agent that was ever put down.
    pub(crate) fn agents(&self) -> usize {
        self.places.len()
    }

    /// Whether there never was a body.
    pub(crate) fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// Keeps the bodies of some maps, of the size that they have. Returns whether it kept the
    /// bodies of all maps.
    pub(crate) fn keep(&mut self, size: impl Fn(Entity) -> Option<Size>) -> bool {
        let before = self.maps.len();
        self.maps
            .retain(|&map, map_occupancy| size(map) == Some(map_occupancy.size()));
        if self.maps.len() == before {
            return true;
        }
        let maps = &self.maps;
        for place in &mut self.places {
            place.map = place.map.filter(|map| maps.contains_key(map));
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
            place.map == Some(map) && place.footing() == Footing::new(cell, footprint)
        })
    }

    /// Where an agent was put down last, if it is somewhere.
    pub(crate) fn stand(&self, agent: Entity) -> Option<Stand> {
        let place = self.places.get(agent.index_u32() as usize)?;
        let footing = place.footing();
        Some(Stand {
            map: place.map?,
            cell: footing.cell(),
            footprint: footing.footprint(),
        })
    }

    /// Whether an agent that was put down somewhere sleeps there.
    pub(crate) fn sleeps(&self, stand: Stand) -> bool {
        let map = self.maps.get(&stand.map);
        map.is_some_and(|map| map.sleeps(stand.cell))
    }

    /// Marks an agent as awake.
    pub(crate) fn wake(&mut self, agent: Entity) {
        if let Some(Stand { map, cell, .. }) = self.stand(agent)
            && let Some(mut floor) = self.floor(map, cell.floor)
        {
            floor.wake(cell);
        }
    }

    /// Puts an agent down. Returns whether it was elsewhere before.
    pub(crate) fn put(
        &mut self,
        agent: Entity,
        map: Entity,
        size: Size,
        footprint: Footprint,
        cell: Cell,
    ) -> bool {
        let index = agent.index_u32() as usize;
        if self.places.len() <= index {
            self.places.resize_with(index + 1, Place::default);
        }
        if self.is_at(agent, map, footprint, cell) {
            return false;
        }
        self.leave(agent);
        if let Some(mut floor) = self.of_or_new(map, size).floor(cell.floor) {
            floor.enter(agent.index_u32(), cell, footprint);
        }
        self.places[index] = Place {
            map: Some(map),
            footing: Footing::new(cell, footprint).0.into(),
        };
        true
    }

    /// Takes an agent away.
    pub(crate) fn leave(&mut self, agent: Entity) {
        let Some(place) = self.places.get_mut(agent.index_u32() as usize) else {
            return;
        };
        let (map, footing) = (place.map.take(), place.footing());
        if let Some(map) = map
            && let Some(mut floor) = self.floor(map, footing.cell().floor)
        {
            floor.exit(agent.index_u32(), footing.cell(), footing.footprint());
        }
    }

    /// Moves an agent that was put down on a map to another cell of it.
    pub(crate) fn step(&mut self, agent: Entity, map: Entity, to: Cell) {
        let index = agent.index_u32();
        let Some(place) = self.places.get(index as usize) else {
            return;
        };
        let (from, footprint) = (place.footing().cell(), place.footing().footprint());
        if let Some(mut floor) = self.floor(map, from.floor) {
            floor.exit(index, from, footprint);
        }
        if let Some(mut floor) = self.floor(map, to.floor) {
            floor.enter(index, to, footprint);
        }
        self.has_stepped(agent, Footing::new(to, footprint));
    }

    /// Lets an agent hold cells of a map beside those where it was put down. It may hold them
    /// already.
    pub(crate) fn hold(
        &mut self,
        agent: Entity,
        map: Entity,
        size: Size,
        (cell, footprint): (Cell, Footprint),
    ) {
        let index = agent.index_u32();
        if let Some(mut floor) = self.of_or_new(map, size).floor(cell.floor)
            && !floor.has(index, cell)
        {
            floor.enter(index, cell, footprint);
        }
    }

    /// Ends a [hold](Self::hold).
    pub(crate) fn give_up(
        &mut self,
        agent: Entity,
        map: Entity,
        (cell, footprint): (Cell, Footprint),
    ) {
        let index = agent.index_u32();
        if let Some(mut floor) = self.floor(map, cell.floor)
            && floor.has(index, cell)
        {
            floor.exit(index, cell, footprint);
        }
    }

    /// Records where an agent stepped within [`OccupancyRows`]. Only written, so that no thread
    /// waits for a read.
    #[inline]
    pub(crate) fn has_stepped(&self, agent: Entity, to: Footing) {
        if let Some(place) = self.places.get(agent.index_u32() as usize) {
            place.footing.store(to.0, Relaxed);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let maps: usize = self.maps.values().map(MapOccupancy::heap_bytes).sum();
        maps + self.places.capacity() * size_of::<Place>()
    }
}
