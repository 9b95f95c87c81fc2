//! The search for a way past the bodies around a target, to a place within reach of it.

use super::{
    gather::Crowd,
    relation::{Asker, Relation},
};
use crate::{
    occupancy::MapOccupancy,
    systems::{
        guidance::{
            list_nearer, list_places,
            reach::{Approach, DETOUR_RADIUS, overlaps},
            walk_down,
        },
        storage::targets::TargetSnapshot,
    },
};
use nav_grid::{
    Cell, Grid, Method, Outcome, Path, Status,
    fields::{CostField, Passage},
    query::Counters,
};

/// Scratch memory of searches past bodies.
#[derive(Default)]
pub(crate) struct PastScratch {
    field: CostField,
    /// The places within reach of the target.
    places: Vec<Cell>,
    /// The places to which ways lead.
    goals: Vec<Cell>,
}

/// A search for a way past bodies.
///
/// Bodies that move on, make room or move along have tolls, and all others are walls: see
/// [`Relation::passage`]. The way leads to a free place, or to one that its holder leaves if asked. On
/// the way to a destination that a body holds for good, to a free cell that is nearer.
pub(crate) struct PastBodies<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) approach: Approach,
    pub(crate) target: &'a TargetSnapshot,
    pub(crate) from: Cell,
    /// Whether bodies make room.
    pub(crate) makes_room: bool,
}

impl PastBodies<'_> {
    /// Whether the window around the target, in which ways are searched, holds the body.
    pub(crate) const fn is_near_enough(&self) -> bool {
        self.from.chebyshev(self.target.position.cell) <= DETOUR_RADIUS
    }

    /// Searches among the bodies of a map for a body that meets them.
    pub(crate) fn search(
        &self,
        (crowd, bodies): (&Crowd, &MapOccupancy),
        asker: &Asker,
        scratch: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let holder = |cell| {
            let agent = crowd.agent(bodies.holder(cell)?);
            let neighbour = || crowd.neighbour(agent);
            (agent != asker.agent)
                .then(|| (agent, Relation::of(asker, neighbour().as_ref())))
        };
        self.search_past(holder, scratch, path)
    }

    /// Searches past the holders of cells, each with its relation to the body. Lays the way into `path`.
    fn search_past<H: PartialEq + Copy>(
        &self,
        holder: impl Fn(Cell) -> Option<(H, Relation)>,
        PastScratch {
            field,
            places,
            goals,
        }: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let rules = self.approach.rules;
        let target = self.target;
        // The body on a place that is least ready to make room, and the number of bodies there.
        let bodies_at = |place: Cell| {
            let (mut last, mut found) = (None, None);
            for cell in rules.footprint.area(place).cells() {
                let Some((body, relation)) = holder(cell) else {
                    continue;
                };
                if last != Some(body) {
                    last = Some(body);
                    let (least, count) = found.unwrap_or((relation, 0_u8));
                    found = Some((relation.max(least), count.saturating_add(1)));
                }
            }
            found
        };
        list_places(self.grid, self.approach, target, places);
        let is_free = |place: &&Cell| bodies_at(**place).is_none();
        let is_held = |place: &Cell| bodies_at(*place).is_some_and(|(relation, _)| relation.rests());
        goals.clear();
        goals.extend(places.iter().filter(is_free));
        let only_nearer =
            target.is_entered && !places.is_empty() && places.iter().all(is_held);
        if only_nearer {
            list_nearer((self.grid, rules), target, self.from, places);
            goals.extend(places.iter().filter(is_free));
        } else if self.makes_room {
            let leaves = |place: &&Cell| {
                let holder = |cell| holder(cell).is_none_or(|(_, relation)| relation.leaves_place());
                bodies_at(**place).is_some() && rules.footprint.area(**place).cells().all(holder)
            };
            goals.extend(places.iter().filter(leaves));
        }
        places.sort_unstable();
        path.clear();
        let mut counters = Counters::default();
        let (mut cost, mut status) = (0, Status::Unreachable);
        if !goals.is_empty() {
            let window = (target.position.cell, DETOUR_RADIUS);
            field.compute_past((self.grid, rules), window, goals, &[self.from], |place| {
                if overlaps(rules, place, target) {
                    return Passage::Blocked;
                }
                match bodies_at(place) {
                    None => Passage::Free,
                    // Coming nearer is not worth that a body gives up its place.
                    Some((Relation::Settled, _)) if only_nearer => Passage::Blocked,
                    Some((relation, count)) => {
                        let is_beside = places.binary_search(&place).is_ok();
                        relation.passage(count, is_beside, self.makes_room)
                    }
                }
            });
            counters.expanded = field.expanded();
            if let Some(of_way) = walk_down(field, (self.grid, rules), self.from, path) {
                (cost, status) = (of_way, Status::Found);
            }
        }
        let outcome = Outcome::new(Method::Dijkstra, status).with_cost(cost);
        outcome.with_counters(counters)
    }
}
