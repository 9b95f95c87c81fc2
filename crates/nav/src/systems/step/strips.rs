//! The proposals of a tick, by the strips of ground on which the bodies stand.

use super::proposal::Proposal;
use crate::occupancy::{MapOccupancy, OccupancyRows, strip_of, strips};
use bevy_ecs::prelude::*;
use nav_grid::Size;

/// The [rank](Proposal::rank) of a proposal, and in the lowest 32 bits its place in the list of
/// proposals.
pub(super) type RankedPlace = u128;

/// Set for those who found no cell and have others make room.
pub(super) const PUSHES: RankedPlace = 1 << 127;

/// The proposals of a tick, by strips of ground.
///
/// Bodies in strips that do not touch have nothing to do with each other in one step, so threads
/// may give out the cells of one strip each: first those of strips with even numbers, then those
/// of strips with odd ones. Strips are a matter of the map alone; which thread has which one does
/// not show.
#[derive(Default)]
pub(super) struct Strips {
    /// The maps with bodies, and the number of the first strip of each.
    maps: Vec<(Entity, Size, usize)>,
    /// How many strips there are.
    count: usize,
    /// Where the proposals of each strip begin: even ones, then odd ones.
    starts: Vec<u32>,
    /// Of each proposal its rank and the place of its strip, or none: proposals are wide, and read once.
    keys: Vec<(u64, u32)>,
    ranked: Vec<RankedPlace>,
}

/// One strip, and the proposals of the bodies on it.
pub(super) struct Strip<'a> {
    pub(super) map: Entity,
    pub(super) rows: OccupancyRows<'a>,
    pub(super) ranked: &'a mut [RankedPlace],
}

impl Strips {
    /// How many proposals there are.
    pub(super) const fn len(&self) -> usize {
        self.ranked.len()
    }

    /// Whether nobody wants anything.
    pub(super) const fn is_empty(&self) -> bool {
        self.ranked.is_empty()
    }

    /// Sorts proposals by strips: of bodies that were put down on their maps.
    pub(super) fn sort<'a>(
        &mut self,
        occupancies: impl Iterator<Item = (Entity, &'a mut MapOccupancy)>,
        proposals: &[Proposal],
    ) {
        self.maps.clear();
        self.count = 0;
        for (map, occupancy) in occupancies {
            self.maps.push((map, occupancy.size(), self.count));
            self.count += strips(occupancy.size());
        }
        self.starts.clear();
        self.starts.resize(2 * self.count + 1, 0);
        self.keys.clear();
        for proposal in proposals {
            let place = self.place(proposal).map_or(u32::MAX, |place| place as u32);
            if let Some(start) = self.starts.get_mut(place as usize) {
                *start += 1;
            }
            self.keys.push((proposal.rank, place));
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.ranked.clear();
        self.ranked.resize(sum as usize, 0);
        // From the end of each strip to where it begins.
        for (&(rank, place), index) in self.keys.iter().zip(0u32..) {
            if let Some(start) = self.starts.get_mut(place as usize) {
                *start -= 1;
                let ranked = RankedPlace::from(rank) << 32 | RankedPlace::from(index);
                self.ranked[*start as usize] = ranked;
            }
        }
    }

    /// The place of a proposal's strip among all of them: even ones, then odd ones.
    fn place(&self, proposal: &Proposal) -> Option<usize> {
        let map = self
            .maps
            .binary_search_by_key(&proposal.map, |&(map, ..)| map);
        let (_, size, first) = self.maps[map.ok()?];
        let (strip, odd) = strip_of(size, proposal.from)?;
        Some(first + strip + self.count * usize::from(odd))
    }

    /// The strips with even or odd numbers in which somebody wants something, one after the
    /// other, of the maps that were there when proposals were sorted.
    pub(super) fn strips<'a>(
        &'a mut self,
        occupancies: impl Iterator<Item = (Entity, &'a mut MapOccupancy)> + Send,
        odd: bool,
    ) -> impl Iterator<Item = Strip<'a>> + Send {
        let begin = self.starts[self.count * usize::from(odd)];
        let (starts, count) = (&*self.starts, self.count);
        let mut rest = self.ranked.get_mut(begin as usize..).unwrap_or_default();
        let maps = self.maps.iter().zip(occupancies);
        let strips = maps.flat_map(move |(&(map, _, first), (_, occupancy))| {
            let strips = occupancy.strips(odd);
            strips.map(move |(strip, rows)| (first + strip + count * usize::from(odd), map, rows))
        });
        strips.filter_map(move |(place, map, rows)| {
            let len = starts[place + 1] - starts[place];
            let (ranked, more) = std::mem::take(&mut rest).split_at_mut(len as usize);
            rest = more;
            (len > 0).then_some(Strip { map, rows, ranked })
        })
    }
}
