//! The bodies on some rows of a map: what one thread may read and write.

use super::holders::{self, HolderRows};
use crate::{Body, BodyKind, NavTime};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::{Cell, Directions, Footprint, Size, map::BodiesBand};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Rows of a strip: two rows of pages. Around it lie half as many on either side, which is further
/// than any body reaches in one step.
pub(super) const STRIP: u16 = 2 * holders::HEIGHT;

/// The other bodies on a cell beside its holder.
pub(super) type Others = BTreeMap<Cell, Vec<u32>>;

/// Decides which cells bodies may enter, beside the map and other bodies: see
/// [`BodyPlaces::set_gate`](super::BodyPlaces::set_gate).
pub trait Gate: Send + Sync + 'static {
    /// Whether a body on a cell, of whichever size, reaches only open cells in one step.
    fn is_inner(&self, cell: Cell) -> bool;

    /// Whether a cell is open to all bodies.
    fn is_open(&self, cell: Cell) -> bool;

    /// Whether an agent may take a step to a place though cells there are not open.
    fn admits(&self, agent: Entity, place: Cell) -> bool;
}

/// Whether a body may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Free,
    /// Another body stands there.
    Taken,
    /// No body stands there, and the [`Gate`] has to admit this one first.
    Closed,
}

/// Steps from a place that are free for a body, and steps that would be if the [`Gate`] admitted it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Entries {
    pub(crate) free: Directions,
    pub(crate) closed: Directions,
}

/// A body that asks whether it may stand at places of a map, and the holders of the cells there.
pub(super) struct Asker<'a, H> {
    pub(super) size: Size,
    pub(super) gate: Option<&'a dyn Gate>,
    pub(super) agent: Entity,
    pub(super) body: Body,
    pub(super) holder: H,
}

impl<H: Fn(Cell) -> Option<u32>> Asker<'_, H> {
    fn cells(&self, place: Cell) -> impl Iterator<Item = Cell> + use<H> {
        cells_of(self.size, place, self.body.footprint)
    }

    /// Whether the body may stand at a place, its own cells aside.
    #[inline]
    pub(super) fn entry(&self, place: Cell) -> Entry {
        let index = self.agent.index_u32();
        let is_empty = |cell| (self.holder)(cell).is_none_or(|holder| holder == index);
        if !self.cells(place).all(is_empty) {
            Entry::Taken
        } else if self.is_open(place) {
            Entry::Free
        } else {
            Entry::Closed
        }
    }

    /// Whether the gate admits the body to a place. Soft bodies need no leave, nor does what a body
    /// covers already.
    pub(super) fn is_open(&self, place: Cell) -> bool {
        let Some(gate) = self.gate else {
            return true;
        };
        let index = self.agent.index_u32();
        let is_open = |cell| gate.is_open(cell) || (self.holder)(cell) == Some(index);
        gate.is_inner(place)
            || self.body.kind == BodyKind::Soft
            || self.cells(place).all(is_open)
            || gate.admits(self.agent, place)
    }
}

/// The cells of a body on a map; none off it.
fn cells_of(size: Size, anchor: Cell, footprint: Footprint) -> impl Iterator<Item = Cell> + use<> {
    let on_map = size.contains(anchor);
    let area = footprint.area(anchor).clipped(size);
    area.cells().take(if on_map { usize::MAX } else { 0 })
}

/// The time at which a body of a map last moved, came or went. Shared by the threads that move bodies.
#[derive(Default)]
pub(crate) struct Moves {
    pub(super) now: NavTime,
    pub(super) last: AtomicU64,
}

impl Moves {
    #[inline]
    fn note(&self) {
        // Read first: threads that only read share a cache line.
        if self.last.load(Relaxed) != self.now.0 {
            self.last.store(self.now.0, Relaxed);
        }
    }
}

/// Some rows of a floor. They begin where a row of pages begins.
pub(crate) struct OccupancyRows<'a> {
    pub(super) size: Size,
    pub(super) bodies: BodiesBand<'a>,
    pub(super) sleepers: BodiesBand<'a>,
    pub(super) holders: HolderRows<'a>,
    pub(super) others: &'a mut [Others],
    pub(super) moves: &'a Moves,
    pub(super) gate: Option<&'a dyn Gate>,
}

impl OccupancyRows<'_> {
    fn cut(self, row: u16) -> (Self, Self) {
        let first = self.bodies.rows().start / holders::HEIGHT;
        let (bodies, more_bodies) = self.bodies.cut(row);
        let (sleepers, more_sleepers) = self.sleepers.cut(row);
        let (holders, more_holders) = self.holders.cut(row);
        let at = usize::from((row / holders::HEIGHT).saturating_sub(first));
        let (others, more_others) = self.others.split_at_mut(at.min(self.others.len()));
        let before = Self {
            bodies,
            sleepers,
            holders,
            others,
            ..self
        };
        let behind = Self {
            bodies: more_bodies,
            sleepers: more_sleepers,
            holders: more_holders,
            others: more_others,
            ..self
        };
        (before, behind)
    }

    /// Every other strip of a floor, with half a strip on either side.
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
        cells_of(self.size, anchor, footprint)
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

    /// Puts an agent down that is nowhere.
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

    /// Takes an agent away from where it was put down.
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

    /// Takes an agent off the list of bodies on a shared cell; if it holds the cell, returns the
    /// heir.
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

    /// Sets the holder and the other bodies of a cell that several bodies stand on.
    #[cfg(feature = "serialize")]
    pub(crate) fn share(&mut self, cell: Cell, holder: u32, others: Vec<u32>) {
        let row = self.row(cell);
        if let Some(shared) = self.others.get_mut(row).and_then(|row| row.get_mut(&cell)) {
            *shared = others;
            self.holders.set(cell, Some(holder));
        }
    }

    /// Marks a body of one cell as waiting for a neighbouring cell.
    pub(crate) fn sleep(&mut self, cell: Cell) {
        self.sleepers.set(cell, true);
    }

    /// Marks the body on a cell as awake.
    pub(crate) fn wake(&mut self, cell: Cell) {
        self.sleepers.set(cell, false);
    }

    /// Whether the body on a cell waits for a neighbouring one.
    pub(crate) fn is_asleep(&self, cell: Cell) -> bool {
        self.sleepers.is_occupied(cell)
    }

    /// The body that holds a cell.
    pub(crate) fn holder(&self, cell: Cell) -> Option<EntityIndex> {
        EntityIndex::from_raw_u32(self.holders.of(cell)?)
    }

    /// Which of some steps from a place a body may take.
    #[inline]
    pub(crate) fn entries(
        &self,
        agent: Entity,
        body: Body,
        from: Cell,
        steps: Directions,
    ) -> Entries {
        let is_inner = |gate: &dyn Gate| gate.is_inner(from);
        if body.footprint == Footprint::ONE && self.gate.is_none_or(is_inner) {
            let free = Directions(steps.0 & !self.bodies.occupied_around(from).0);
            return Entries {
                free,
                ..Entries::default()
            };
        }
        steps
            .into_iter()
            .fold(Entries::default(), |mut found, step| {
                match from.step(step).map(|to| self.entry(agent, body, to)) {
                    Some(Entry::Free) => found.free.0 |= 1 << step as u8,
                    Some(Entry::Closed) => found.closed.0 |= 1 << step as u8,
                    Some(Entry::Taken) | None => {}
                }
                found
            })
    }

    /// Whether a body may stand at a place, its own cells aside.
    pub(crate) fn entry(&self, agent: Entity, body: Body, place: Cell) -> Entry {
        self.asker(agent, body).entry(place)
    }

    /// Whether the gate admits a body to a place.
    pub(crate) fn is_open(&self, agent: Entity, body: Body, place: Cell) -> bool {
        self.asker(agent, body).is_open(place)
    }

    fn asker(&self, agent: Entity, body: Body) -> Asker<'_, impl Fn(Cell) -> Option<u32>> {
        let holder = |cell| {
            let is_held = self.bodies.is_occupied(cell);
            is_held.then(|| self.holders.of(cell)).flatten()
        };
        Asker {
            size: self.size,
            gate: self.gate,
            agent,
            body,
            holder,
        }
    }

    /// The directions from a cell in which a body waits for a cell to become free.
    #[inline]
    pub(crate) fn sleepers_at(&self, cell: Cell) -> Directions {
        self.sleepers.occupied_around(cell)
    }
}
