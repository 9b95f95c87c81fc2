//! The bodies of one map.

use super::rows::{Asker, Entry, Gate, HEIGHT, Moves, OccupancyRows, PageRow, STRIP};
use crate::{Body, NavTime};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::{Cell, Directions, Size, map::Bodies};
use std::sync::Arc;

/// The bodies of one map.
pub(crate) struct MapOccupancy {
    bodies: Bodies,
    /// The bodies among them that wait for a cell beside them to become free.
    sleepers: Bodies,
    /// Floor after floor.
    rows: Vec<PageRow>,
    pub(super) moves: Moves,
    pub(super) gate: Option<Arc<dyn Gate>>,
}

impl MapOccupancy {
    pub(super) fn new(size: Size, now: NavTime, gate: Option<Arc<dyn Gate>>) -> Self {
        let count = rows_of_floor(size) * usize::from(size.floors);
        let mut rows = Vec::new();
        rows.resize_with(count, PageRow::default);
        Self {
            bodies: Bodies::new(size),
            sleepers: Bodies::new(size),
            rows,
            moves: Moves {
                now,
                ..Moves::default()
            },
            gate,
        }
    }

    pub(crate) const fn size(&self) -> Size {
        self.bodies.size()
    }

    pub(crate) const fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// The body that holds a cell.
    pub(crate) fn holder(&self, cell: Cell) -> Option<EntityIndex> {
        if !self.bodies.is_occupied(cell) {
            return None;
        }
        let row =
            usize::from(cell.floor) * rows_of_floor(self.size()) + usize::from(cell.y / HEIGHT);
        EntityIndex::from_raw_u32(self.rows.get(row)?.holder(cell)?)
    }

    /// Whether a body may stand at a place, its own cells aside.
    pub(crate) fn entry(&self, agent: Entity, body: Body, place: Cell) -> Entry {
        let asker = Asker {
            size: self.size(),
            gate: self.gate.as_deref(),
            agent,
            body,
            holder: |cell| self.holder(cell).map(EntityIndex::index),
        };
        asker.entry(place)
    }

    /// Whether the body whose place is a cell sleeps.
    pub(crate) fn sleeps(&self, cell: Cell) -> bool {
        self.sleepers.is_occupied(cell)
    }

    /// Whether agents of one cell sleep on a cell and in all of some ways from there.
    #[inline]
    pub(crate) fn sleeps_behind_sleepers(&self, cell: Cell, ways: Directions) -> bool {
        self.sleeps(cell)
            && ways.0 & !self.sleepers.occupied_around(cell).0 == 0
            && self.gate.as_ref().is_none_or(|gate| gate.is_inner(cell))
    }

    /// The cells that several bodies stand on, in reading order of rows of pages: each with its
    /// holder and the other bodies, which inherit it last first.
    pub(crate) fn shared(
        &self,
    ) -> impl Iterator<Item = (Cell, EntityIndex, impl Iterator<Item = EntityIndex>)> {
        let cells = self.rows.iter().flat_map(|row| &row.others);
        cells.filter_map(|(&cell, others)| {
            let holder = self.holder(cell)?;
            let others = others.iter().copied();
            Some((cell, holder, others.filter_map(EntityIndex::from_raw_u32)))
        })
    }

    /// All rows of each floor.
    fn floors(&mut self) -> impl Iterator<Item = OccupancyRows<'_>> {
        let size = self.bodies.size();
        let rows = self.rows.chunks_exact_mut(rows_of_floor(size).max(1));
        let boards = self.bodies.floors().zip(self.sleepers.floors());
        let (moves, gate) = (&self.moves, self.gate.as_deref());
        let floors = boards.zip(rows);
        floors.map(move |((bodies, sleepers), rows)| OccupancyRows {
            size,
            bodies,
            sleepers,
            rows,
            moves,
            gate,
        })
    }

    /// All rows of a floor, if the map has it.
    pub(crate) fn floor(&mut self, floor: u8) -> Option<OccupancyRows<'_>> {
        self.floors().nth(floor.into())
    }

    /// Every other strip of every floor with the ground around it, so far apart that no body in one
    /// sees a body in another: strips with even numbers on their floor or with odd ones, in the
    /// order of their numbers on the map.
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
        let pages: usize = self.rows.iter().map(PageRow::heap_bytes).sum();
        boards + pages + self.rows.capacity() * size_of::<PageRow>()
    }
}

/// How many rows of pages a floor has.
fn rows_of_floor(size: Size) -> usize {
    size.height.div_ceil(HEIGHT).into()
}

fn strips_per_floor(size: Size) -> usize {
    size.height.div_ceil(STRIP).into()
}

/// How many strips a map has.
pub(crate) fn strips(size: Size) -> usize {
    strips_per_floor(size) * usize::from(size.floors)
}

/// The strip of a cell of the map.
#[inline]
pub(crate) fn strip_of(size: Size, cell: Cell) -> Option<usize> {
    let strip = usize::from(cell.floor) * strips_per_floor(size) + usize::from(cell.y / STRIP);
    size.contains(cell).then_some(strip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::Footprint;

    #[test]
    fn strips_cover_every_cell_once() {
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
                        if strip_of(size, cell) == Some(strip) {
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
