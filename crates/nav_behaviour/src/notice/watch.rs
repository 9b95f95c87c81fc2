//! Where somebody could be noticed: for each floor, range and choice of factions the cells from which it
//! is worth looking.

use super::{components::Notice, crowd::Crowd, marks::Marks, seen::Seen};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Size};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

/// Which agents look in the same way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WatchKey {
    map: Entity,
    floor: u8,
    range: u16,
    whom: u32,
}

impl WatchKey {
    pub(super) const fn map(&self) -> Entity {
        self.map
    }

    fn of(map: Entity, floor: u8, notice: &Notice) -> Self {
        // Four ranges from one power of two to the next: of many that differ a little, few are marked.
        let grain = match notice.range.checked_ilog2() {
            Some(octave) if octave > 2 => 1 << (octave - 2),
            _ => 1,
        };
        Self {
            map,
            floor,
            range: notice
                .range
                .checked_next_multiple_of(grain)
                .unwrap_or(u16::MAX),
            whom: notice.whom,
        }
    }
}

/// The cells from which it is worth looking.
#[derive(Default)]
struct Watch {
    marks: Marks,
    /// Whether somebody asked in this tick.
    is_asked: AtomicBool,
    /// Ticks since then.
    unasked: u16,
}

/// After so many ticks in which nobody asked, memory is freed.
const UNASKED_MAX: u16 = 1024;

/// All watches. What an agent finds does not depend on whether there is one for it.
#[derive(Default)]
pub(super) struct Watches(BTreeMap<WatchKey, Watch>);

impl Watches {
    /// Marks the surroundings of everybody who can be noticed.
    pub(super) fn update(&mut self, crowd: &Crowd<Seen>, size: impl Fn(Entity) -> Option<Size>) {
        self.0.retain(|key, watch| {
            let is_asked = std::mem::take(watch.is_asked.get_mut());
            watch.unasked = if is_asked { 0 } else { watch.unasked + 1 };
            let size = size(key.map).filter(|_| watch.unasked <= UNASKED_MAX);
            let Some(size) = size else {
                return false;
            };
            watch.marks.clear(size);
            for seen in crowd.on_floor(key.map, key.floor) {
                if seen.factions & key.whom != 0 {
                    watch.marks.mark(seen.cell, key.range);
                }
            }
            true
        });
    }

    /// Watches for these, too, from the next tick on.
    pub(super) fn add(&mut self, wanted: impl Iterator<Item = WatchKey>) {
        for key in wanted {
            self.0.entry(key).or_default();
        }
    }
}

/// The watches that were asked last: those in a row mostly look in few ways.
pub(super) struct Lookout<'a> {
    watches: &'a Watches,
    last: [(Option<LookFrom>, Option<&'a Marks>); LAST],
}

/// Map, floor, range and factions.
type LookFrom = (Entity, u8, u16, u32);

/// How many are kept, found by their range.
const LAST: usize = 8;

impl<'a> Lookout<'a> {
    pub(super) const fn new(watches: &'a Watches) -> Self {
        Self {
            watches,
            last: [(None, None); LAST],
        }
    }

    /// Whether somebody may be within range of a cell. Notes what is not watched for yet.
    #[inline]
    pub(super) fn is_worth_looking(
        &mut self,
        map: Entity,
        cell: Cell,
        notice: &Notice,
        wanted: &mut Vec<WatchKey>,
    ) -> bool {
        let asked = Some((map, cell.floor, notice.range, notice.whom));
        let place = usize::from(notice.range) % LAST;
        if self.last[place].0 != asked {
            let marks = self.find(map, cell.floor, notice, wanted);
            self.last[place] = (asked, marks);
        }
        self.last[place].1.is_none_or(|marks| marks.has(cell))
    }

    #[inline(never)]
    fn find(
        &self,
        map: Entity,
        floor: u8,
        notice: &Notice,
        wanted: &mut Vec<WatchKey>,
    ) -> Option<&'a Marks> {
        let key = WatchKey::of(map, floor, notice);
        let watch = self.watches.0.get(&key);
        match watch {
            // Most ask again and again: written once.
            Some(watch) if !watch.is_asked.load(Ordering::Relaxed) => {
                watch.is_asked.store(true, Ordering::Relaxed);
            }
            Some(_) => {}
            None if wanted.last() == Some(&key) => {}
            None => wanted.push(key),
        }
        watch.map(|watch| &watch.marks)
    }
}
