//! Which body stands on which cell.

use super::{
    closed::Closed, footing::Footing, map::MapOccupancy, rows::OccupancyRows, stand::Stand,
};
use crate::NavTime;
use bevy_ecs::{change_detection::Tick, prelude::*};
use nav_grid::{Cell, Footprint, Size, map::Bodies};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Which body stands on which cell of each map, updated step by step. Maps on which there never was
/// a body take no memory.
#[derive(Resource, Default)]
pub struct Occupancy {
    maps: BTreeMap<Entity, MapOccupancy>,
    /// By the index of an entity: where it was put down.
    places: Vec<Place>,
    /// The time of the last tick.
    now: NavTime,
    /// Which cells are closed on each map, if any.
    closed: Option<Closed>,
    /// The steps of this tick that closed cells kept agents from: from where to where.
    pub(crate) kept_from: Vec<(Entity, Cell, Cell)>,
    /// When the systems that move bodies last ran: that distinguishes their changes from the game's.
    pub(crate) moved_at: [Option<Tick>; 2],
}

/// Where an agent was put down.
#[derive(Default)]
struct Place {
    map: Option<Entity>,
    /// A [`Footing`]: tasks that have bodies take their steps write those of theirs.
    footing: AtomicU64,
}

impl Place {
    fn footing(&self) -> Footing {
        Footing::from_word(self.footing.load(Relaxed))
    }
}

impl Occupancy {
    /// Whether a cell of a map is taken by another body than that of an agent.
    pub fn is_taken(&self, map: Entity, cell: Cell, except: Entity) -> bool {
        let holder = self.of(map).and_then(|bodies| bodies.holder(cell));
        holder.is_some_and(|holder| holder != except.index())
    }

    /// The bodies of a map, if there ever was one.
    pub(crate) fn bodies(&self, map: Entity) -> Option<&Bodies> {
        self.maps.get(&map).map(MapOccupancy::bodies)
    }

    /// Notes what time it is.
    pub(crate) fn begin_tick(&mut self, now: NavTime) {
        self.now = now;
        for map_occupancy in self.maps.values_mut() {
            map_occupancy.set_now(now);
        }
    }

    /// Whether some cells are closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Closes cells, if any, but for those that were lent: on which map, to whom, and where each agent may step.
    pub(crate) fn close(&mut self, closed: Option<Closed>, loans: &[(Entity, Entity, Cell)]) {
        for (&map, map_occupancy) in &mut self.maps {
            let of_map = loans.iter().filter(|&&(of, ..)| of == map);
            let of_map = of_map.map(|&(_, agent, place)| (agent.index_u32(), place));
            map_occupancy.close(closed.clone().map(|closed| closed.lent(of_map)));
        }
        self.closed = closed;
    }

    /// When a body of a map of some size last moved, came or went, if there ever was one. What there was on
    /// another map of that entity does not count.
    pub(crate) fn last_move(&self, map: Entity, size: Size) -> Option<NavTime> {
        let map_occupancy = self.maps.get(&map)?;
        (map_occupancy.size() == size).then(|| map_occupancy.last_move())
    }

    /// Sets when a body of a map of some size last moved.
    #[cfg(feature = "serialize")]
    pub(crate) fn set_last_move(&mut self, map: Entity, size: Size, last: NavTime) {
        let (now, closed) = (self.now, &self.closed);
        self.maps
            .entry(map)
            .or_insert_with(|| MapOccupancy::new(size, now, closed.clone()))
            .set_last_move(last);
    }

    /// Who stands where on a map, to be changed.
    #[cfg(feature = "serialize")]
    pub(crate) fn of_mut(&mut self, map: Entity) -> Option<&mut MapOccupancy> {
        self.maps.get_mut(&map)
    }

    /// The maps and their bodies, in the order of maps.
    pub(crate) fn maps(&mut self) -> impl Iterator<Item = (Entity, &mut MapOccupancy)> {
        self.maps
            .iter_mut()
            .map(|(&map, map_occupancy)| (map, map_occupancy))
    }

    /// Who stands where on a map, if there ever was a body.
    pub(crate) fn of(&self, map: Entity) -> Option<&MapOccupancy> {
        self.maps.get(&map)
    }

    /// A floor of a map on which there are bodies.
    pub(crate) fn floor(&mut self, map: Entity, floor: u8) -> Option<OccupancyRows<'_>> {
        self.maps.get_mut(&map)?.floor(floor)
    }

    /// How many agents may have been put down: none has a higher index.
    pub(crate) fn agents(&self) -> usize {
        self.places.len()
    }

    /// Whether there never was a body.
    pub(crate) fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// Keeps the bodies of some maps, of the size that they have. Says whether it kept those of all.
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

    /// Notes that an agent which was put down somewhere waits for no cell any longer.
    pub(crate) fn wake(&mut self, agent: Entity) {
        if let Some(Stand { map, cell, .. }) = self.stand(agent)
            && let Some(mut floor) = self.floor(map, cell.floor)
        {
            floor.wake(cell);
        }
    }

    /// Puts an agent down, or elsewhere than it was. Says whether that is news.
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
        let map_occupancy = self
            .maps
            .entry(map)
            .or_insert_with(|| MapOccupancy::new(size, self.now, self.closed.clone()));
        map_occupancy.enter(agent.index_u32(), cell, footprint);
        self.places[index] = Place {
            map: Some(map),
            footing: Footing::new(cell, footprint).word().into(),
        };
        true
    }

    /// Takes an agent away.
    pub(crate) fn leave(&mut self, agent: Entity) {
        let Some(place) = self.places.get_mut(agent.index_u32() as usize) else {
            return;
        };
        if let Some(map) = place.map.take()
            && let Some(map_occupancy) = self.maps.get_mut(&map)
        {
            let footing = place.footing();
            map_occupancy.exit(agent.index_u32(), footing.cell(), footing.footprint());
        }
    }

    /// Moves an agent that was put down on a map to another cell of it.
    pub(crate) fn step(&mut self, agent: Entity, map: Entity, to: Cell) {
        let index = agent.index_u32();
        let (Some(place), Some(map_occupancy)) =
            (self.places.get_mut(index as usize), self.maps.get_mut(&map))
        else {
            return;
        };
        let footing = place.footing();
        let footprint = footing.footprint();
        map_occupancy.exit(index, footing.cell(), footprint);
        map_occupancy.enter(index, to, footprint);
        *place.footing.get_mut() = Footing::new(to, footprint).word();
    }

    /// Notes where an agent stepped within a [`OccupancyRows`]. Only written: nothing is waited for.
    #[inline]
    pub(crate) fn has_stepped(&self, agent: Entity, to: Footing) {
        if let Some(place) = self.places.get(agent.index_u32() as usize) {
            place.footing.store(to.word(), Relaxed);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let maps: usize = self.maps.values().map(MapOccupancy::heap_bytes).sum();
        maps + self.places.capacity() * size_of::<Place>()
    }
}
