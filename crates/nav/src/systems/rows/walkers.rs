//! The columns that steps are taken in.

use super::{Rows, columns::Column};
use crate::{
    CellPosition, Chasing, MoveTimer, NavClock, NavMap, OnMap, PathCursor, WorldPosition,
    systems::{scene::Chase, tunings::Tuning},
};
use nav_grid::Cell;

/// The columns that a step reads and writes which minds nothing but the way. All are as long as each
/// other and lie in variables of the one who walks through them, so that whether there is a row is
/// asked once.
pub(crate) struct Walkers<'r> {
    len: usize,
    tunings: &'r [Tuning],
    chasing: &'r [Chasing],
    on_maps: &'r [OnMap],
    positions: Column<'r, CellPosition>,
    worlds: Option<Column<'r, WorldPosition>>,
    cursors: Column<'r, PathCursor>,
    beats: Column<'r, MoveTimer>,
}

impl Rows<'_> {
    /// The columns that a step reads and writes, if those in the rows are on maps.
    #[inline]
    pub(crate) fn walkers(&mut self) -> Option<Walkers<'_>> {
        let len = self.entities.len();
        Some(Walkers {
            len,
            tunings: &self.tunings[..len],
            chasing: &self.chasing.values[..len],
            on_maps: &self.on_maps?[..len],
            positions: self.positions.first(len),
            worlds: self.worlds.as_mut().map(|worlds| worlds.first(len)),
            cursors: self.cursors.first(len),
            beats: self.beats.first(len),
        })
    }
}

impl Walkers<'_> {
    /// Whether there is a row.
    #[inline]
    pub(crate) const fn has(&self, row: usize) -> bool {
        row < self.len
    }

    /// Whom the chaser of a row chases where.
    #[inline]
    pub(crate) const fn chase(&self, row: usize) -> Chase {
        Chase {
            tuning: self.tunings[row],
            target: self.chasing[row].0,
            map: self.on_maps[row].0,
        }
    }

    #[inline]
    pub(crate) const fn cell(&self, row: usize) -> Cell {
        self.positions.values[row].cell
    }

    #[inline]
    pub(crate) const fn cursor(&self, row: usize) -> &PathCursor {
        &self.cursors.values[row]
    }

    #[inline]
    pub(crate) fn cursor_mut(&mut self, row: usize) -> &mut PathCursor {
        self.cursors.change(row)
    }

    #[inline]
    pub(crate) fn beat_mut(&mut self, row: usize) -> &mut MoveTimer {
        self.beats.change(row)
    }

    /// Has the chaser of a row step to a cell of a map at its move tick.
    #[inline]
    pub(crate) fn step(&mut self, row: usize, map: &NavMap, to: Cell, clock: &NavClock) {
        self.beat_mut(row).tick(clock.now(), clock.previous(), true);
        *self.positions.change(row) = CellPosition::at(to);
        if let Some(worlds) = &mut self.worlds {
            Self::place(worlds.change(row), map, to);
        }
    }

    /// Apart, so that the rest lies in line.
    #[inline(never)]
    fn place(world: &mut WorldPosition, map: &NavMap, to: Cell) {
        *world = WorldPosition::of(map.frame(), to);
    }
}
