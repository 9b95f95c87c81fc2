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
use bevy_ecs::entity::Entity;
use nav_grid::{
    Area, Cell, Footprint, Grid, Method, Outcome, Path, Status,
    fields::{CostField, Passage},
    query::Counters,
    query::{Fault, QueryEnd},
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

/// The body that holds a cell.
#[derive(Clone, Copy)]
struct Holder {
    agent: Entity,
    /// Its place.
    at: Cell,
    relation: Relation,
}

/// A search for a way past bodies.
///
/// Bodies that move on, make room or move along have tolls, and all others are walls: see
/// [`Relation::passage`]. The way leads to a free place, or to a place that its holder leaves if
/// asked. On the way to a destination whose holder stays, to a free cell that is nearer.
pub(crate) struct PastBodies<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) approach: Approach,
    pub(crate) target: &'a TargetSnapshot,
    pub(crate) from: Cell,
    /// Whether bodies make room.
    pub(crate) makes_room: bool,
    /// A place that could not be cleared, by which no way may lead.
    pub(crate) closed: Option<Cell>,
    /// Whether a free way comes first, however long: bodies in the way are in a dead end.
    pub(crate) is_stuck: bool,
}

impl PastBodies<'_> {
    /// Whether the window around the target, in which ways are searched, holds the body.
    pub(crate) const fn is_near_enough(&self) -> bool {
        self.target.shows_places_from(self.from)
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
            if agent == asker.agent {
                return None;
            }
            let neighbour = crowd.neighbour(agent);
            Some(Holder {
                agent,
                at: neighbour.map_or(cell, |neighbour| neighbour.at),
                relation: Relation::of(asker, neighbour.as_ref()),
            })
        };
        self.search_past(holder, scratch, path)
    }

    /// Searches past the holders of cells, each with its relation to the body. Lays the way into
    /// `path`.
    ///
    /// If bodies are in a dead end, first a way on which no body has to make room, however long.
    fn search_past(
        &self,
        holder: impl Fn(Cell) -> Option<Holder>,
        scratch: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let mut spent = 0;
        if self.makes_room && self.is_stuck {
            let free = Self {
                makes_room: false,
                ..*self
            };
            let outcome = free.search_once(&holder, scratch, path);
            if outcome.status == Status::Found {
                return outcome;
            }
            spent = outcome.counters.expanded;
        }
        let mut outcome = self.search_once(&holder, scratch, path);
        outcome.counters.expanded += spent;
        outcome
    }

    /// Searches once. Up to three fields: to free places, to places that their holders leave, and
    /// past bodies that lose theirs.
    fn search_once(
        &self,
        holder: impl Fn(Cell) -> Option<Holder>,
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
                let Some(body) = holder(cell) else {
                    continue;
                };
                if last != Some(body.agent) {
                    last = Some(body.agent);
                    let (least, count) = found.unwrap_or((body.relation, 0_u8));
                    found = Some((body.relation.max(least), count.saturating_add(1)));
                }
            }
            found
        };
        list_places(self.grid, self.approach, target, places);
        let is_free = |place: &&Cell| bodies_at(**place).is_none();
        let is_taken = |place: &Cell| {
            let least_ready = bodies_at(*place).map(|(relation, _)| relation);
            matches!(least_ready, Some(Relation::Beside | Relation::Stayer))
        };
        let is_held =
            |place: &Cell| bodies_at(*place).is_some_and(|(relation, _)| relation.rests());
        goals.clear();
        goals.extend(places.iter().filter(is_free));
        let only_nearer = target.is_entered && !places.is_empty() && places.iter().all(is_held);
        let mut nearest = goals.len();
        if only_nearer {
            let is_free = |place| bodies_at(place).is_none();
            nearest = list_nearer((self.grid, rules), target, self.from, is_free, goals);
        }
        places.sort_unstable();
        path.clear();
        let mut counters = Counters::default();
        let window = (target.position.cell, DETOUR_RADIUS);
        let mut search = |goals: &[Cell], places: &[Cell]| {
            if goals.is_empty() {
                return None;
            }
            field.compute_past((self.grid, rules), window, goals, &[self.from], |place| {
                if overlaps(rules, place, target) || self.closed == Some(place) {
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
            counters.expanded += field.expanded();
            let leg = (self.from, target.position.cell);
            walk_down(field, (self.grid, rules), leg, path)
        };
        let mut cost = search(&goals[..nearest], places);
        if cost.is_none() && nearest < goals.len() {
            cost = search(goals, places);
        }
        let may_take_places = self.makes_room && !only_nearer;
        if cost.is_none() && may_take_places {
            let leaves = |place: &&Cell| {
                let area = rules.footprint.area(**place);
                bodies_at(**place).is_some()
                    && area.cells().all(|cell| {
                        holder(cell).is_none_or(|body| {
                            body.relation.leaves_place()
                                || body.relation == Relation::Beside
                                    && self.can_shift(body, area, places, &holder)
                        })
                    })
            };
            goals.clear();
            goals.extend(places.iter().filter(leaves));
            cost = search(goals, places);
        }
        if cost.is_none() && may_take_places {
            // There is no other way than past bodies that lose their places, and get others behind.
            goals.clear();
            goals.extend(places.iter().filter(is_free));
            cost = search(goals, &[]);
        }
        let status = match cost {
            Some(_) => Status::Found,
            // Bodies that stay, or are there for the same target.
            None if places.iter().all(is_taken) => Status::Invalid(QueryEnd::Goal, Fault::Blocked),
            None => Status::Unreachable,
        };
        let cost = cost.unwrap_or_default();
        let outcome = Outcome::new(Method::Dijkstra, status).with_cost(cost);
        outcome.with_counters(counters)
    }

    /// Whether a large body beside the target has another place one step further, off an area:
    /// large bodies can stand so that the room for another one is divided.
    fn can_shift(
        &self,
        body: Holder,
        off: Area,
        places: &[Cell],
        holder: impl Fn(Cell) -> Option<Holder>,
    ) -> bool {
        let rules = self.approach.rules;
        let is_free = |cell| {
            !off.contains(cell) && holder(cell).is_none_or(|there| there.agent == body.agent)
        };
        let shifts = |to: Cell| {
            places.binary_search(&to).is_ok() && rules.footprint.area(to).cells().all(is_free)
        };
        rules.footprint != Footprint::ONE
            && self
                .grid
                .steps(body.at, rules)
                .into_iter()
                .any(|way| body.at.step(way).is_some_and(shifts))
    }
}

#[cfg(test)]
mod tests;
