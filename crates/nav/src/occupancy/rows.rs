//! The bodies on some rows of a map: what one thread may read and write.

use crate::{Body, BodyKind, NavTime};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::{Cell, Directions, Footprint, Size, map::BodiesBand};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Rows of a strip: two rows of pages. Around it lie half as many on either side, which is further
/// than any body reaches in one step.
pub(crate) const STRIP: u16 = 2 * HEIGHT;

/// The cells of a page: a row of it is four cache lines, and what is sorted by rows of pages lies
/// together.
const WIDTH: u16 = 64;
pub(super) const HEIGHT: u16 = 16;
const CELLS: usize = WIDTH as usize * HEIGHT as usize;

/// The index of an entity and one more, or 0 without a holder.
type Page = [u32; CELLS];

/// The bodies on a row of pages of one floor.
#[derive(Default)]
pub(super) struct PageRow {
    /// The holder of each cell, in pages that are allocated when a body first enters.
    pages: Vec<Option<Box<Page>>>,
    /// The other bodies on a cell beside its holder.
    pub(super) others: BTreeMap<Cell, Vec<u32>>,
}

/// The place of a cell of the map in its row of pages: a page, and a spot on it.
#[inline]
fn spot(cell: Cell) -> (usize, usize) {
    let spot = usize::from(cell.y % HEIGHT * WIDTH + cell.x % WIDTH);
    ((cell.x / WIDTH).into(), spot % CELLS)
}

impl PageRow {
    /// The holder of a cell.
    #[inline]
    pub(super) fn holder(&self, cell: Cell) -> Option<u32> {
        let (page, spot) = spot(cell);
        self.pages.get(page)?.as_ref()?[spot].checked_sub(1)
    }

    #[inline]
    fn set_holder(&mut self, cell: Cell, holder: Option<u32>) {
        let (page, spot) = spot(cell);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([0; CELLS]));
        page[spot] = holder.map_or(0, |agent| agent + 1);
    }

    /// Puts an agent on a cell.
    fn enter(&mut self, agent: u32, cell: Cell) {
        if self.holder(cell).is_none() {
            self.set_holder(cell, Some(agent));
        } else {
            self.others.entry(cell).or_default().push(agent);
        }
    }

    /// Takes an agent off a cell. Of the others the last one inherits what it holds.
    fn exit(&mut self, agent: u32, cell: Cell) {
        let (holds, mut left) = (self.holder(cell) == Some(agent), None);
        if let Some(others) = self.others.get_mut(&cell) {
            let leaver = if holds {
                others.len().checked_sub(1)
            } else {
                others.iter().position(|&other| other == agent)
            };
            left = leaver.map(|leaver| others.swap_remove(leaver));
            if others.is_empty() {
                self.others.remove(&cell);
            }
        }
        if holds {
            self.set_holder(cell, left);
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count();
        pages * size_of::<Page>() + self.pages.capacity() * size_of::<Option<Box<Page>>>()
    }
}

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

/// Steps from a place that are free for a body, and steps that would be if the [`Gate`] admitted
/// it.
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
        let mut holders = self.cells(place).map(|cell| (self.holder)(cell));
        if !holders.all(|holder| holder.is_none_or(|holder| holder == index)) {
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
        gate.is_inner(place)
            || self.body.kind == BodyKind::Soft
            || (self.cells(place))
                .all(|cell| gate.is_open(cell) || (self.holder)(cell) == Some(index))
            || gate.admits(self.agent, place)
    }
}

/// The cells of a body on a map; none off it.
fn cells_of(size: Size, anchor: Cell, footprint: Footprint) -> impl Iterator<Item = Cell> + use<> {
    let on_map = size.contains(anchor);
    let area = footprint.area(anchor).clipped(size);
    area.cells().take(if on_map { usize::MAX } else { 0 })
}

/// The time at which a body of a map last moved, came or went. Shared by the threads that move
/// bodies.
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
    pub(super) rows: &'a mut [PageRow],
    pub(super) moves: &'a Moves,
    pub(super) gate: Option<&'a dyn Gate>,
}

impl OccupancyRows<'_> {
    fn cut(self, row: u16) -> (Self, Self) {
        let at = self.row(row).min(self.rows.len());
        let (bodies, more_bodies) = self.bodies.cut(row);
        let (sleepers, more_sleepers) = self.sleepers.cut(row);
        let (rows, more_rows) = self.rows.split_at_mut(at);
        let before = Self {
            bodies,
            sleepers,
            rows,
            ..self
        };
        let behind = Self {
            bodies: more_bodies,
            sleepers: more_sleepers,
            rows: more_rows,
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

    /// The row of pages that a row of cells is in, counted from the first one of these rows.
    fn row(&self, y: u16) -> usize {
        let first = self.bodies.rows().start / HEIGHT;
        (y / HEIGHT).wrapping_sub(first).into()
    }

    /// The index of the body that holds a cell.
    #[inline]
    fn holder_of(&self, cell: Cell) -> Option<u32> {
        self.rows.get(self.row(cell.y))?.holder(cell)
    }

    /// Changes who stands on a cell.
    #[inline]
    fn change(&mut self, cell: Cell, change: impl FnOnce(&mut PageRow)) {
        let row = self.row(cell.y);
        if let Some(row) = self.rows.get_mut(row) {
            change(row);
            self.bodies.set(cell, row.holder(cell).is_some());
        }
    }

    /// Moves a body from where it was put down to another place, which may be taken. Counts as no
    /// [move](Self::note_move) yet: the step may be taken back.
    #[inline]
    pub(crate) fn step(&mut self, agent: Entity, footprint: Footprint, from: Cell, to: Cell) {
        let index = agent.index_u32();
        let row = self.rows.get(self.row(from.y));
        let alone = footprint == Footprint::ONE
            && !self.bodies.is_occupied(to)
            && row.is_some_and(|row| row.others.is_empty());
        if alone {
            self.sleepers.set(from, false);
            self.change(from, |row| row.set_holder(from, None));
            self.change(to, |row| row.set_holder(to, Some(index)));
        } else {
            self.take(index, from, footprint);
            self.put(index, to, footprint);
        }
    }

    /// Notes that a body moved: by a step that is not taken back.
    #[inline]
    pub(crate) fn note_move(&self) {
        self.moves.note();
    }

    /// Whether an agent is on a cell.
    pub(super) fn has(&self, agent: u32, cell: Cell) -> bool {
        let row = self.rows.get(self.row(cell.y));
        row.is_some_and(|row| {
            let mut others = row.others.get(&cell).into_iter().flatten();
            row.holder(cell) == Some(agent) || others.any(|&other| other == agent)
        })
    }

    /// Puts an agent down that is nowhere.
    pub(super) fn enter(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        self.moves.note();
        self.put(agent, anchor, footprint);
    }

    /// Takes an agent away from where it was put down.
    pub(super) fn exit(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        self.moves.note();
        self.take(agent, anchor, footprint);
    }

    fn put(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        for cell in cells_of(self.size, anchor, footprint) {
            self.change(cell, |row| row.enter(agent, cell));
        }
    }

    fn take(&mut self, agent: u32, anchor: Cell, footprint: Footprint) {
        self.sleepers.set(anchor, false);
        for cell in cells_of(self.size, anchor, footprint) {
            self.change(cell, |row| row.exit(agent, cell));
        }
    }

    /// Sets the holder and the other bodies of a cell that several bodies stand on.
    #[cfg(feature = "serialize")]
    pub(crate) fn share(&mut self, cell: Cell, holder: u32, others: Vec<u32>) {
        self.change(cell, |row| {
            if let Some(shared) = row.others.get_mut(&cell) {
                *shared = others;
                row.set_holder(cell, Some(holder));
            }
        });
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
        EntityIndex::from_raw_u32(self.holder_of(cell)?)
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
        let is_inner = self.gate.is_none_or(|gate| gate.is_inner(from));
        if body.footprint == Footprint::ONE && is_inner {
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
            is_held.then(|| self.holder_of(cell)).flatten()
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
