//! Who stands on some rows of a map: what one thread may read and write.

use super::{
    closed::Closed,
    holders::{self, HolderRows},
    moves::Moves,
};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::{Cell, Directions, Footprint, Size, map::BodiesBand};
use std::collections::BTreeMap;

/// How many rows a strip has. Around it lie half as many on either side, which is further than
/// any body reaches in one step.
pub(super) const STRIP: u16 = 2 * holders::HEIGHT;

/// Who else stands on a cell that somebody holds.
pub(super) type Others = BTreeMap<Cell, Vec<u32>>;

/// Of a body, what decides where it may step.
#[derive(Clone, Copy)]
pub(crate) struct Entrant {
    pub(crate) footprint: Footprint,
    /// Whether cells of other processes are open to it.
    pub(crate) is_let_through: bool,
}

/// Those of some ways from a place that lead to one for which something holds.
fn fitting(from: Cell, ways: Directions, fits: impl Fn(Cell) -> bool) -> Directions {
    ways.into_iter().fold(Directions::NONE, |found, way| {
        let is_one = from.step(way).is_some_and(&fits);
        Directions(found.0 | u8::from(is_one) << way as u8)
    })
}

/// Some rows of a floor, apart from the others: they begin where a row of pages does.
pub(crate) struct OccupancyRows<'a> {
    size: Size,
    bodies: BodiesBand<'a>,
    sleepers: BodiesBand<'a>,
    holders: HolderRows<'a>,
    others: &'a mut [Others],
    moves: &'a Moves,
    /// None where all cells are open.
    closed: Option<&'a Closed>,
}

impl<'a> OccupancyRows<'a> {
    pub(super) const fn new(
        size: Size,
        bodies: BodiesBand<'a>,
        sleepers: BodiesBand<'a>,
        holders: HolderRows<'a>,
        others: &'a mut [Others],
        moves: &'a Moves,
        closed: Option<&'a Closed>,
    ) -> Self {
        Self {
            size,
            bodies,
            sleepers,
            holders,
            others,
            moves,
            closed,
        }
    }

    fn cut(self, row: u16) -> (Self, Self) {
        let first = self.bodies.rows().start / holders::HEIGHT;
        let (bodies, more_bodies) = self.bodies.cut(row);
        let (sleepers, more_sleepers) = self.sleepers.cut(row);
        let (holders, more_holders) = self.holders.cut(row);
        let at = usize::from((row / holders::HEIGHT).saturating_sub(first));
        let (others, more_others) = self.others.split_at_mut(at.min(self.others.len()));
        (
            Self::new(
                self.size,
                bodies,
                sleepers,
                holders,
                others,
                self.moves,
                self.closed,
            ),
            Self::new(
                self.size,
                more_bodies,
                more_sleepers,
                more_holders,
                more_others,
                self.moves,
                self.closed,
            ),
        )
    }

    /// Of a floor, every other strip with half a strip on either side.
    pub(super) fn strips(self, odd: bool) -> impl Iterator<Item = (usize, Self)> {
        let height = self.size.height;
        let mut rest = Some(if odd { self.cut(STRIP / 2).1 } else { self });
        let first = usize::from(odd);
        (first..)
            .step_by(2)
            .take_while(move |strip| strip * usize::from(STRIP) < height.into())
            .map_while(move |strip| {
                let end = (strip + 1) * usize::from(STRIP) + usize::from(STRIP / 2);
                let (band, more) = rest.take()?.cut(u16::try_from(end).unwrap_or(height));
                rest = Some(more);
                Some((strip, band))
            })
    }

    /// Whether a cell and all beside it lie in these rows, or off the map.
    #[inline]
    pub(crate) fn sees(&self, cell: Cell) -> bool {
        let rows = self.bodies.rows();
        let above = cell.y > rows.start || rows.start == 0;
        let below = cell.y.saturating_add(1) < rows.end || rows.end == self.size.height;
        above && below && rows.contains(&cell.y)
    }

    /// The cells of a body.
    fn cells(&self, anchor: Cell, footprint: Footprint) -> impl Iterator<Item = Cell> + use<> {
        let on_map = self.size.contains(anchor);
        let area = footprint.area(anchor).clipped(self.size);
        area.cells().take(if on_map { usize::MAX } else { 0 })
    }

    /// The row of pages that a cell is in, counted from the first one of these rows.
    fn row(&self, cell: Cell) -> usize {
        let first = self.bodies.rows().start / holders::HEIGHT;
        (cell.y / holders::HEIGHT).wrapping_sub(first).into()
    }

    /// Moves a body from where it was put down to another place, which may be taken.
    #[inline]
    pub(crate) fn step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        let index = agent.index_u32();
        let alone = footprint == Footprint::ONE
            && !self.bodies.is_occupied(to)
            && self
                .others
                .get(self.row(from))
                .is_some_and(BTreeMap::is_empty);
        if alone {
            self.moves.note();
            self.sleepers.set(from, false);
            self.holders.set(from, None);
            self.bodies.set(from, false);
            self.holders.set(to, Some(index));
            self.bodies.set(to, true);
        } else {
            self.exit(index, from, footprint);
            self.enter(index, to, footprint);
        }
    }

    pub(super) fn enter(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        self.moves.note();
        for cell in self.cells(anchor, footprint) {
            if self.holders.of(cell).is_none() {
                self.holders.set(cell, Some(agent));
                self.bodies.set(cell, true);
            } else {
                let row = self.row(cell);
                if let Some(others) = self.others.get_mut(row) {
                    others.entry(cell).or_default().push(agent);
                }
            }
        }
    }

    pub(super) fn exit(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        self.moves.note();
        self.sleepers.set(anchor, false);
        for cell in self.cells(anchor, footprint) {
            let heir = self.leave_shared(agent, cell);
            if self.holders.of(cell) == Some(agent) {
                self.holders.set(cell, heir);
                self.bodies.set(cell, heir.is_some());
            }
        }
    }

    /// Takes an agent off the list of those who share a cell; if it is the one that holds it,
    /// names another.
    fn leave_shared(&mut self, agent: u32, cell: Cell) -> Option<u32> {
        let holds = self.holders.of(cell) == Some(agent);
        let row = self.row(cell);
        let all = self.others.get_mut(row)?;
        let others = all.get_mut(&cell)?;
        let leaver = if holds {
            others.len().checked_sub(1)
        } else {
            others.iter().position(|&other| other == agent)
        };
        let left = leaver.map(|leaver| others.swap_remove(leaver));
        if others.is_empty() {
            all.remove(&cell);
        }
        left.filter(|_| holds)
    }

    #[cfg(feature = "serialize")]
    pub(super) fn share(&mut self, cell: Cell, holder: u32, others: Vec<u32>) {
        let row = self.row(cell);
        if let Some(shared) = self.others.get_mut(row).and_then(|row| row.get_mut(&cell)) {
            *shared = others;
            self.holders.set(cell, Some(holder));
        }
    }

    /// Notes that an agent of one cell waits for a neighbouring cell.
    pub(crate) fn sleep(&mut self, cell: Cell) {
        self.sleepers.set(cell, true);
    }

    /// Notes that nobody on a cell waits any longer.
    pub(crate) fn wake(&mut self, cell: Cell) {
        self.sleepers.set(cell, false);
    }

    /// Whether somebody on a cell waits for a neighbouring one.
    pub(crate) fn is_asleep(&self, cell: Cell) -> bool {
        self.sleepers.is_occupied(cell)
    }

    /// Who holds a cell.
    pub(crate) fn holder(&self, cell: Cell) -> Option<EntityIndex> {
        EntityIndex::from_raw_u32(self.holders.of(cell)?)
    }

    /// Those of some ways from a place that are open to a body and on which nobody is in its way.
    #[inline]
    pub(crate) fn free(
        &self,
        agent: Entity,
        entrant: Entrant,
        from: Cell,
        ways: Directions,
    ) -> Directions {
        let is_inner = |closed: &Closed| closed.is_inner(from);
        if entrant.footprint == Footprint::ONE && self.closed.is_none_or(is_inner) {
            return Directions(ways.0 & !self.bodies.occupied_around(from).0);
        }
        fitting(from, ways, |to| self.is_free(agent, to, entrant))
    }

    /// Whether a body may stand at a place but for itself.
    pub(crate) fn is_free(&self, agent: Entity, anchor: Cell, entrant: Entrant) -> bool {
        self.is_empty(agent, anchor, entrant.footprint) && self.is_open(agent, anchor, entrant)
    }

    /// Whether nobody stands at a place but a body itself.
    #[inline]
    fn is_empty(&self, agent: Entity, anchor: Cell, footprint: Footprint) -> bool {
        let index = agent.index_u32();
        let is_empty =
            |cell| !self.bodies.is_occupied(cell) || self.holders.of(cell) == Some(index);
        self.cells(anchor, footprint).all(is_empty)
    }

    /// Whether nothing of a place is closed to a body but what it covers.
    pub(crate) fn is_open(&self, agent: Entity, anchor: Cell, entrant: Entrant) -> bool {
        let Some(closed) = self.closed else {
            return true;
        };
        let index = agent.index_u32();
        let is_open = |cell| !closed.contains(cell) || self.holders.of(cell) == Some(index);
        closed.is_far_from(anchor)
            || entrant.is_let_through
            || closed.is_lent(index, anchor)
            || self.cells(anchor, entrant.footprint).all(is_open)
    }

    /// Those of some ways from a place that would be free for a body if what is closed were lent to it.
    #[inline]
    pub(crate) fn free_if_lent(
        &self,
        agent: Entity,
        entrant: Entrant,
        from: Cell,
        ways: Directions,
    ) -> Directions {
        let is_far = |closed: &Closed| closed.is_far_from(from);
        if entrant.is_let_through || self.closed.is_none_or(is_far) {
            return Directions::NONE;
        }
        fitting(from, ways, |to| self.is_free_if_lent(agent, to, entrant))
    }

    /// Whether a place would be free for a body if it were lent to it, and is not: nobody is known to be there.
    pub(crate) fn is_free_if_lent(&self, agent: Entity, anchor: Cell, entrant: Entrant) -> bool {
        !self.is_open(agent, anchor, entrant) && self.is_empty(agent, anchor, entrant.footprint)
    }

    /// In which directions of a cell somebody waits for one to become free.
    #[inline]
    pub(crate) fn sleepers_at(&self, cell: Cell) -> Directions {
        self.sleepers.occupied_around(cell)
    }
}
