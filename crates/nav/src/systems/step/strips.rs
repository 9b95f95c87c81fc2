//! The proposals of a tick, by the strips of ground on which the bodies stand.

use super::proposals::Proposal;
use crate::occupancy::{BodyPlaces, MapOccupancy, OccupancyRows, strip_of, strips};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Size};

/// The place of a proposal in the list of all, below its [rank](Proposal::rank) without the number of
/// the agent: half as wide as with that, and agents are mostly asked in the order of their numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankedPlace(u64);

impl RankedPlace {
    /// Set for bodies that found no cell and ask others to make room.
    const PUSHES: u64 = 1 << 31;

    const fn new(rank: u32, place: u32) -> Self {
        Self((rank as u64) << 32 | place as u64)
    }

    /// The place in the list of proposals.
    pub(super) const fn place(self) -> u32 {
        (self.0 & !Self::PUSHES) as u32
    }

    /// The rank without the number of the agent.
    const fn rank(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Records that its body found no cell and asks others to make room.
    pub(super) const fn push(&mut self) {
        self.0 |= Self::PUSHES;
    }

    pub(super) const fn pushes(self) -> bool {
        self.0 & Self::PUSHES != 0
    }
}

/// The proposals of a tick, by strips of ground.
///
/// Bodies in strips that do not touch do not meet in one step, so threads may give out the cells of
/// one strip each: first the strips with even numbers, then those with odd ones. Strips depend on the
/// map alone; which thread has which one does not show.
#[derive(Default)]
pub(super) struct Strips {
    /// The maps with bodies, and the number of the first strip of each.
    maps: Vec<(Entity, Size, usize)>,
    /// How many strips there are.
    count: usize,
    /// Where the proposals of each strip begin: even ones, then odd ones.
    starts: Vec<u32>,
    /// The rank without the number of the agent, and the place of the strip, of each proposal:
    /// proposals are wide, and read once.
    keys: Vec<(u32, u32)>,
    ranked: Vec<RankedPlace>,
}

/// One strip, and the proposals of the bodies on it.
pub(super) struct Strip<'a> {
    pub(super) rows: OccupancyRows<'a>,
    pub(super) ranked: &'a mut [RankedPlace],
}

impl Strip<'_> {
    /// Sorts the proposals by rank, and copies them in that order: in one go, since they lie anywhere
    /// in memory.
    pub(super) fn sort(&mut self, proposals: &[Proposal], sorted: &mut Vec<Proposal>) {
        let ranked = &mut *self.ranked;
        let proposal = |ranked: RankedPlace| &proposals[ranked.place() as usize];
        ranked.sort_unstable();
        sorted.clear();
        sorted.extend(ranked.iter().map(|&ranked| *proposal(ranked)));
        let mut at = 1;
        while at < ranked.len() {
            if sorted[at].order() < sorted[at - 1].order() {
                // Rare: bodies of equal rank were mostly asked in the order of their numbers.
                let rank = ranked[at].rank();
                let begin = ranked.partition_point(|one| one.rank() < rank);
                let end = ranked.partition_point(|one| one.rank() <= rank);
                let equals = &mut ranked[begin..end];
                equals.sort_unstable_by_key(|&ranked| proposal(ranked).order());
                for (copy, &mut ranked) in sorted[begin..].iter_mut().zip(equals) {
                    *copy = *proposal(ranked);
                }
                at = end;
            }
            at += 1;
        }
    }
}

impl Strips {
    /// Number of proposals.
    pub(super) const fn len(&self) -> usize {
        self.ranked.len()
    }

    /// Sorts the proposals of bodies that are where they were put down by strips. A body that the game
    /// moved in the middle of a tick is placed in the next one.
    pub(super) fn sort(&mut self, occupancy: &mut BodyPlaces, proposals: &[Proposal]) {
        self.maps.clear();
        self.count = 0;
        for (map, of_map) in occupancy.maps() {
            self.maps.push((map, of_map.size(), self.count));
            self.count += strips(of_map.size());
        }
        self.starts.clear();
        self.starts.resize(2 * self.count + 1, 0);
        self.keys.clear();
        let mut last: Option<(Entity, Size, usize)> = None;
        for proposal in proposals {
            let (agent, map, from) = (proposal.agent, proposal.map, proposal.from);
            // Proposals in a row are mostly of one map.
            let known = last.filter(|&(last, ..)| last == map);
            last = known.or_else(|| self.map(map));
            let is_there = occupancy.is_at(agent, map, proposal.body.footprint, from);
            let there = last.filter(|_| is_there);
            let place = there.and_then(|map| self.place(map, from));
            let place = place.map_or(u32::MAX, |place| place as u32);
            if let Some(start) = self.starts.get_mut(place as usize) {
                *start += 1;
            }
            self.keys.push(((proposal.rank >> 32) as u32, place));
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.ranked.clear();
        self.ranked.resize(sum as usize, RankedPlace::default());
        // From the end of each strip to where it begins.
        for (&(rank, place), index) in self.keys.iter().zip(0u32..) {
            if let Some(start) = self.starts.get_mut(place as usize) {
                *start -= 1;
                self.ranked[*start as usize] = RankedPlace::new(rank, index);
            }
        }
    }

    /// A map with bodies.
    fn map(&self, map: Entity) -> Option<(Entity, Size, usize)> {
        let place = self.maps.binary_search_by_key(&map, |&(map, ..)| map);
        Some(self.maps[place.ok()?])
    }

    /// The place of the strip of a cell among all of them: even ones, then odd ones.
    fn place(&self, (_, size, first): (Entity, Size, usize), cell: Cell) -> Option<usize> {
        let (strip, odd) = strip_of(size, cell)?;
        Some(first + strip + self.count * usize::from(odd))
    }

    /// The strips with even or odd numbers that have proposals, one after the other, of the maps that
    /// were there when proposals were sorted.
    pub(super) fn strips<'a>(
        &'a mut self,
        occupancies: impl Iterator<Item = (Entity, &'a mut MapOccupancy)> + Send,
        odd: bool,
    ) -> impl Iterator<Item = Strip<'a>> + Send {
        let begin = self.starts[self.count * usize::from(odd)];
        let (starts, count) = (&*self.starts, self.count);
        let mut rest = self.ranked.get_mut(begin as usize..).unwrap_or_default();
        let maps = self.maps.iter().zip(occupancies);
        let strips = maps.flat_map(move |(&(.., first), (_, occupancy))| {
            let strips = occupancy.strips(odd);
            strips.map(move |(strip, rows)| (first + strip + count * usize::from(odd), rows))
        });
        strips.filter_map(move |(place, rows)| {
            let len = starts[place + 1] - starts[place];
            let (ranked, more) = std::mem::take(&mut rest).split_at_mut(len as usize);
            rest = more;
            (len > 0).then_some(Strip { rows, ranked })
        })
    }
}
