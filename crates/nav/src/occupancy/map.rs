//! The bodies of one map.

use super::{
    closed::Closed,
    holders::{self, Holders},
    moves::Moves,
    rows::{OccupancyRows, Others, STRIP},
};
use crate::NavTime;
use bevy_ecs::entity::EntityIndex;
use nav_grid::{Cell, Directions, Footprint, Size, map::Bodies};

/// The bodies of one map.
pub(crate) struct MapOccupancy {
    bodies: Bodies,
    /// Those among them that wait for a cell beside them to become free.
    sleepers: Bodies,
    holders: Holders,
    /// By rows of pages, floor after floor.
    others: Vec<Others>,
    moves: Moves,
    /// None where all cells are open.
    closed: Option<Closed>,
}

impl MapOccupancy {
    pub(super) fn new(size: Size, now: NavTime, closed: Option<Closed>) -> Self {
        let rows = usize::from(size.height.div_ceil(holders::HEIGHT)) * usize::from(size.floors);
        Self {
            bodies: Bodies::new(size),
            sleepers: Bodies::new(size),
            holders: Holders::new(size),
            others: vec![Others::new(); rows],
            moves: Moves::new(now),
            closed,
        }
    }

    /// Notes what time it is.
    pub(super) const fn set_now(&mut self, now: NavTime) {
        self.moves.set_now(now);
    }

    /// Closes cells, and opens all others.
    pub(super) fn close(&mut self, closed: Option<Closed>) {
        self.closed = closed;
    }

    /// When a body of the map last moved, came or went.
    pub(super) fn last_move(&self) -> NavTime {
        self.moves.last()
    }

    #[cfg(feature = "serialize")]
    pub(super) fn set_last_move(&mut self, last: NavTime) {
        self.moves.set_last(last);
    }

    pub(crate) const fn size(&self) -> Size {
        self.bodies.size()
    }

    pub(crate) const fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Who holds a cell.
    pub(crate) fn holder(&self, cell: Cell) -> Option<EntityIndex> {
        if !self.bodies.is_occupied(cell) {
            return None;
        }
        EntityIndex::from_raw_u32(self.holders.of(cell)?)
    }

    /// Whether somebody whose place is a cell sleeps there.
    pub(crate) fn sleeps(&self, cell: Cell) -> bool {
        self.sleepers.is_occupied(cell)
    }

    /// Whether agents of one cell sleep on a cell and in all of some ways from there.
    #[inline]
    pub(crate) fn sleeps_behind_sleepers(&self, cell: Cell, ways: Directions) -> bool {
        self.sleeps(cell)
            && ways.0 & !self.sleepers.occupied_around(cell).0 == 0
            && self
                .closed
                .as_ref()
                .is_none_or(|closed| closed.is_far_from(cell))
    }

    /// The cells that several bodies stand on, in reading order of rows of pages, with who holds each and
    /// the others in the order in which they would.
    pub(crate) fn shared(
        &self,
    ) -> impl Iterator<Item = (Cell, EntityIndex, impl Iterator<Item = EntityIndex>)> {
        let cells = self.others.iter().flatten();
        cells.filter_map(|(&cell, others)| {
            let holder = EntityIndex::from_raw_u32(self.holders.of(cell)?)?;
            let others = others.iter().copied();
            Some((cell, holder, others.filter_map(EntityIndex::from_raw_u32)))
        })
    }

    /// Says who holds a cell that several bodies stand on, and who would after it: those who are there.
    #[cfg(feature = "serialize")]
    pub(crate) fn share(&mut self, cell: Cell, holder: u32, others: Vec<u32>) {
        if let Some(mut floor) = self.floor(cell.floor) {
            floor.share(cell, holder, others);
        }
    }

    /// All rows of each floor.
    fn floors(&mut self) -> impl Iterator<Item = OccupancyRows<'_>> {
        let size = self.bodies.size();
        let rows = size.height.div_ceil(holders::HEIGHT);
        let boards = self.bodies.floors().zip(self.sleepers.floors());
        let others = self.others.chunks_exact_mut(rows.max(1).into());
        let floors = boards.zip(self.holders.floors()).zip(others);
        let (moves, closed) = (&self.moves, self.closed.as_ref());
        floors.map(move |(((bodies, sleepers), holders), others)| {
            OccupancyRows::new(size, bodies, sleepers, holders, others, moves, closed)
        })
    }

    /// All rows of a floor, if the map has it.
    pub(crate) fn floor(&mut self, floor: u8) -> Option<OccupancyRows<'_>> {
        self.floors().nth(floor.into())
    }

    /// Puts an agent down that is nowhere.
    pub(super) fn enter(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        if let Some(mut floor) = self.floor(anchor.floor) {
            floor.enter(agent, anchor, footprint);
        }
    }

    /// Takes an agent away from where it was put down.
    pub(super) fn exit(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        if let Some(mut floor) = self.floor(anchor.floor) {
            floor.exit(agent, anchor, footprint);
        }
    }

    /// Every other strip of every floor with the ground around it, so far apart that nobody in one
    /// sees who is in another: those with even numbers on their floor or those with odd ones, by
    /// their numbers on the map in rising order.
    pub(crate) fn strips(
        &mut self,
        odd: bool,
    ) -> impl Iterator<Item = (usize, OccupancyRows<'_>)> + use<'_> {
        let per_floor = strips_per_floor(self.size());
        let firsts = (0..).step_by(per_floor.max(1));
        let floors = firsts.zip(self.floors());
        floors.flat_map(move |(first, floor)| {
            let strips = floor.strips(odd);
            strips.map(move |(strip, rows)| (first + strip, rows))
        })
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let boards = self.bodies.heap_bytes() + self.sleepers.heap_bytes();
        let boards = boards + self.closed.as_ref().map_or(0, Closed::heap_bytes);
        boards + self.holders.heap_bytes() + self.others.capacity() * size_of::<Others>()
    }
}

fn strips_per_floor(size: Size) -> usize {
    size.height.div_ceil(STRIP).into()
}

/// How many strips a map has.
pub(crate) fn strips(size: Size) -> usize {
    strips_per_floor(size) * usize::from(size.floors)
}

/// The strip of a cell of the map, and whether it is one with an odd number on its floor.
#[inline]
pub(crate) fn strip_of(size: Size, cell: Cell) -> Option<(usize, bool)> {
    let row = cell.y / STRIP;
    let strip = usize::from(cell.floor) * strips_per_floor(size) + usize::from(row);
    size.contains(cell).then_some((strip, row % 2 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_ecs::prelude::*;

    #[test]
    fn every_cell_is_in_one_strip_and_sees_all_around_it() {
        let agent = Entity::from_raw_u32(3).expect("a valid index");
        for height in [1, 15, 31, 32, 33, 48, 64, 100] {
            let size = Size::new(70, height).with_floors(2);
            let mut map = MapOccupancy::new(size, NavTime::default(), None);
            let mut seen = vec![0; strips(size)];
            for odd in [false, true] {
                for (strip, mut rows) in map.strips(odd) {
                    seen[strip] += 1;
                    for (floor, y) in (0..2).flat_map(|floor| (0..height).map(move |y| (floor, y)))
                    {
                        let cell = Cell::new(69, y).on_floor(floor);
                        if strip_of(size, cell) == Some((strip, odd)) {
                            assert!(rows.sees(cell), "{cell} of height {height}");
                            rows.step(agent, Footprint::ONE, Cell::new(0, y).on_floor(floor), cell);
                        }
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{seen:?}");
            assert_eq!(map.bodies().occupied_count(), 2 * u64::from(height));
        }
    }
}
