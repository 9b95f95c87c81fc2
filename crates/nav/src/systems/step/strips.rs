//! The proposals of a tick, by the strips of ground on which the bodies stand.

use super::proposals::Proposal;
use crate::occupancy::{BodyPlaces, MapOccupancy, OccupancyRows, strip_of, strips};
use bevy_ecs::prelude::*;
use nav_grid::Size;

/// A proposal of a strip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RankedPlace {
    /// Its [order](Proposal::order).
    order: (u64, Entity),
    /// The place in the list of proposals.
    pub(super) place: u32,
    /// Whether its body found no cell and asks others to make room.
    pub(super) pushes: bool,
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
    /// The proposals of each strip. Buffers are kept from tick to tick.
    lists: Vec<Vec<RankedPlace>>,
}

/// One strip, and the proposals of the bodies on it.
pub(super) struct Strip<'a> {
    pub(super) rows: OccupancyRows<'a>,
    pub(super) ranked: &'a mut [RankedPlace],
}

impl Strips {
    /// Number of proposals.
    pub(super) fn len(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// Sorts the proposals of bodies that are where they were put down by strips. A body that the game
    /// moved in the middle of a tick is placed in the next one.
    pub(super) fn sort(&mut self, occupancy: &mut BodyPlaces, proposals: &[Proposal]) {
        let Self { maps, lists } = self;
        let mut count = 0;
        maps.clear();
        for (map, of_map) in occupancy.maps() {
            maps.push((map, of_map.size(), count));
            count += strips(of_map.size());
        }
        lists.resize_with(count, Vec::new);
        lists.iter_mut().for_each(Vec::clear);
        let find = |map| {
            let place = maps.binary_search_by_key(&map, |&(map, ..)| map);
            Some(maps[place.ok()?])
        };
        let mut last: Option<(Entity, Size, usize)> = None;
        for (proposal, place) in proposals.iter().zip(0..) {
            let (agent, map, from) = (proposal.agent, proposal.map, proposal.from);
            // Proposals in a row are mostly of one map.
            let known = last.filter(|&(last, ..)| last == map);
            last = known.or_else(|| find(map));
            if let Some((_, size, first)) = last
                && occupancy.is_at(agent, map, proposal.body.footprint, from)
                && let Some(strip) = strip_of(size, from)
            {
                lists[first + strip].push(RankedPlace {
                    order: proposal.order(),
                    place,
                    pushes: false,
                });
            }
        }
    }

    /// Every other strip on which bodies stand: those with even numbers on their floor or those with odd ones.
    pub(super) fn strips<'a>(
        &'a mut self,
        occupancies: impl Iterator<Item = (Entity, &'a mut MapOccupancy)> + Send,
        odd: bool,
    ) -> impl Iterator<Item = Strip<'a>> + Send {
        let maps = self.maps.iter().zip(occupancies);
        let strips = maps.flat_map(move |(&(.., first), (_, occupancy))| {
            let strips = occupancy.strips(odd);
            strips.map(move |(strip, rows)| (first + strip, rows))
        });
        let mut rest = self.lists.iter_mut().enumerate();
        strips.filter_map(move |(strip, rows)| {
            let (_, ranked) = rest.find(|&(number, _)| number == strip)?;
            (!ranked.is_empty()).then_some(Strip { rows, ranked })
        })
    }
}
