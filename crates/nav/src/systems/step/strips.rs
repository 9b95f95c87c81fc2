//! The proposals of a tick, by the strips of ground on which the bodies stand.

use super::proposals::Proposal;
use crate::occupancy::{BodyPlaces, MapOccupancy, OccupancyRows, strip_of, strips};
use bevy_ecs::prelude::*;
use nav_grid::Size;

/// The proposals of a tick, by strips of ground.
///
/// Bodies in strips that do not touch do not meet in one step, so threads may give out the cells of
/// one strip each: first the strips with even numbers, then those with odd ones. Strips depend on
/// the map alone; which thread has which one does not show.
// Decision 12: docs/decisions/0012-bodies-step-in-strips.md
#[derive(Default)]
pub(super) struct Strips {
    /// The maps with bodies, and the number of the first strip of each.
    maps: Vec<(Entity, Size, usize)>,
    /// The proposals of each strip. Buffers are kept from tick to tick.
    lists: Vec<StripList>,
    /// Bodies that take a link: places in the list of proposals.
    pub(super) links: Vec<u32>,
}

/// The proposals of the bodies on a strip.
#[derive(Default)]
pub(super) struct StripList {
    /// The [order](Proposal::order) of each, and its place in the list of proposals.
    pub(super) ranked: Vec<((u64, Entity), u32)>,
    /// Bodies that found no cell, and ask others to make room: places in the list of proposals.
    pub(super) pushers: Vec<u32>,
}

impl Strips {
    /// Sorts the proposals of bodies that are where they were put down by strips. A body that the
    /// game moved in the middle of a tick is placed in the next one.
    pub(super) fn sort(&mut self, occupancy: &mut BodyPlaces, proposals: &[Proposal]) {
        let Self { maps, lists, links } = self;
        let mut count = 0;
        maps.clear();
        links.clear();
        for (map, of_map) in occupancy.maps() {
            maps.push((map, of_map.size(), count));
            count += strips(of_map.size());
        }
        lists.resize_with(count, StripList::default);
        for list in &mut *lists {
            list.ranked.clear();
            list.pushers.clear();
        }
        let mut last: Option<(Entity, Size, usize)> = None;
        for (proposal, place) in proposals.iter().zip(0..) {
            let (agent, map, from) = (proposal.agent, proposal.map, proposal.from);
            // Proposals in a row are mostly of one map.
            if last.is_none_or(|(last, ..)| last != map) {
                let found = maps.binary_search_by_key(&map, |&(map, ..)| map);
                last = found.ok().map(|found| maps[found]);
            }
            if let Some((_, size, first)) = last
                && occupancy.is_at(agent, map, proposal.body.footprint, from)
                && let Some(strip) = strip_of(size, from)
            {
                if proposal.ranked.link.is_some() {
                    links.push(place);
                } else {
                    let ranked = &mut lists[first + strip].ranked;
                    ranked.push((proposal.order(), place));
                }
            }
        }
    }

    /// Whether any body on a strip pushes: mostly none does, and no thread need be woken.
    pub(super) fn have_pushers(&self) -> bool {
        self.lists.iter().any(|list| !list.pushers.is_empty())
    }

    /// Every other strip on which bodies want to step, with its rows: those with even numbers on
    /// their floor or those with odd ones.
    pub(super) fn strips<'a>(
        &'a mut self,
        occupancies: impl Iterator<Item = (Entity, &'a mut MapOccupancy)> + Send,
        odd: bool,
    ) -> impl Iterator<Item = (OccupancyRows<'a>, &'a mut StripList)> + Send {
        let maps = self.maps.iter().zip(occupancies);
        let strips = maps.flat_map(move |(&(.., first), (_, occupancy))| {
            let strips = occupancy.strips(odd);
            strips.map(move |(strip, rows)| (first + strip, rows))
        });
        let mut rest = self.lists.iter_mut().enumerate();
        strips.filter_map(move |(strip, rows)| {
            let (_, list) = rest.find(|&(number, _)| number == strip)?;
            (!list.ranked.is_empty()).then_some((rows, list))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::drawing::{Drawing, MAP, agent},
        *,
    };
    use crate::systems::guidance::Ranked;
    use nav_grid::Cell;

    /// A map of one column with bodies in some rows, and the proposals of these.
    fn column(bodies: &[(usize, &str)]) -> (Drawing, Vec<Proposal>) {
        let mut rows = [".."; 100];
        for &(row, sign) in bodies {
            rows[row] = sign;
        }
        let drawing = Drawing::new(&rows);
        let signs = drawing.signs().into_iter();
        let proposals = signs.map(|sign| drawing.proposal(sign, Ranked::default()));
        let proposals = proposals.collect();
        (drawing, proposals)
    }

    /// Returns the proposals of even strips and those of odd ones: the agents of each strip in
    /// their order.
    fn agents(drawing: &mut Drawing, proposals: &[Proposal], strips: &mut Strips) -> [String; 2] {
        strips.sort(&mut drawing.places, proposals);
        [false, true].map(|odd| {
            let strips = strips.strips(drawing.places.maps(), odd);
            let agents = strips.map(|(_, list)| {
                list.ranked.sort_unstable();
                let places = list.ranked.iter().map(|&(_, place)| place as usize);
                let agents = places.map(|place| proposals[place].agent.index_u32());
                agents.filter_map(char::from_u32).collect()
            });
            agents.collect::<Vec<String>>().join(" ")
        })
    }

    #[test]
    fn strips_by_rows() {
        let bodies = [
            (0, "F."),
            (31, "C."),
            (32, "B."),
            (63, "D."),
            (64, "A."),
            (99, ".E"),
        ];
        let (mut drawing, mut proposals) = column(&bodies);
        let strips = &mut Strips::default();
        // Strips of 32 rows; in a strip by rank, which is the sign.
        let expected = ["CF A", "BD E"];
        assert_eq!(agents(&mut drawing, &proposals, strips), expected);
        // The order of proposals makes no difference.
        proposals.reverse();
        assert_eq!(agents(&mut drawing, &proposals, strips), expected);
        // Nothing is left of the tick before.
        let expected = ["", "E"];
        assert_eq!(agents(&mut drawing, &proposals[1..2], strips), expected);
    }

    #[test]
    fn rows_of_a_strip_see_all_of_it() {
        let (mut drawing, proposals) = column(&[(0, "A."), (32, "B."), (99, "C.")]);
        let mut strips = Strips::default();
        strips.sort(&mut drawing.places, &proposals);
        for odd in [false, true] {
            for (rows, list) in strips.strips(drawing.places.maps(), odd) {
                assert_eq!(list.ranked.len(), 1);
                let from = proposals[list.ranked[0].1 as usize].from;
                assert!(rows.sees(from), "{from}");
            }
        }
    }

    #[test]
    fn bodies_that_are_elsewhere() {
        let (mut drawing, proposals) = column(&[(0, "AB"), (50, "C.")]);
        let mut proposals = proposals;
        // The game moved it in this tick, or it is on a map without bodies.
        proposals[0].from = Cell::new(1, 1);
        proposals[1].map = agent('M');
        let expected = ["", "C"];
        let strips = &mut Strips::default();
        assert_eq!(agents(&mut drawing, &proposals, strips), expected);
        assert_eq!(proposals[2].map, MAP);
    }

    #[test]
    fn links_are_listed_apart() {
        let (mut drawing, mut proposals) = column(&[(0, "AB"), (50, "C.")]);
        for place in [0, 2] {
            proposals[place].ranked.link = Some(Cell::new(1, 99));
        }
        let expected = ["B", ""];
        let strips = &mut Strips::default();
        assert_eq!(agents(&mut drawing, &proposals, strips), expected);
        assert_eq!(strips.links, [0, 2]);
    }
}
