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
    Area, Cell, Footprint, Grid, Method, Outcome, Path, Rules, Status,
    fields::{CostField, Passage},
    query::{Counters, Fault, QueryEnd},
    rules::Cost,
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
        self.search_past(
            |cell| {
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
            },
            scratch,
            path,
        )
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
        let bodies = Bodies {
            rules: self.approach.rules,
            holder,
        };
        let mut spent = 0;
        if self.makes_room && self.is_stuck {
            let free = Self {
                makes_room: false,
                ..*self
            };
            let outcome = free.search_once(&bodies, scratch, path);
            if outcome.status == Status::Found {
                return outcome;
            }
            spent = outcome.counters.expanded;
        }
        let mut outcome = self.search_once(&bodies, scratch, path);
        outcome.counters.expanded += spent;
        outcome
    }

    /// Searches once. Up to three fields: to free places, to places that their holders leave, and
    /// past bodies that lose theirs.
    fn search_once<H: Fn(Cell) -> Option<Holder>>(
        &self,
        bodies: &Bodies<H>,
        PastScratch {
            field,
            places,
            goals,
        }: &mut PastScratch,
        path: &mut Path,
    ) -> Outcome {
        let (rules, target) = (self.approach.rules, self.target);
        list_places(self.grid, self.approach, target, places);
        bodies.keep_free(places, goals);
        let only_nearer = target.is_entered
            && !places.is_empty()
            && places.iter().all(|&place| bodies.is_held(place));
        let mut nearest = goals.len();
        if only_nearer {
            let ground = (self.grid, rules);
            nearest = list_nearer(ground, target, self.from, |at| bodies.are_off(at), goals);
        }
        places.sort_unstable();
        path.clear();
        let mut legs = Legs {
            search: self,
            bodies,
            only_nearer,
            field,
            path,
            expanded: 0,
        };
        let mut cost = legs.lay(&goals[..nearest], places);
        if cost.is_none() && nearest < goals.len() {
            cost = legs.lay(goals, places);
        }
        let may_take_places = self.makes_room && !only_nearer;
        if cost.is_none() && may_take_places {
            goals.clear();
            goals.extend((places.iter().copied()).filter(|&at| self.is_left(at, places, bodies)));
            cost = legs.lay(goals, places);
        }
        if cost.is_none() && may_take_places {
            // There is no other way than past bodies that lose their places, and get others behind.
            bodies.keep_free(places, goals);
            cost = legs.lay(goals, &[]);
        }
        let status = if cost.is_some() {
            Status::Found
        } else if places.iter().all(|&place| bodies.is_taken(place)) {
            // Bodies that stay, or are there for the same target.
            Status::Invalid(QueryEnd::Goal, Fault::Blocked)
        } else {
            Status::Unreachable
        };
        let mut counters = Counters::default();
        counters.expanded = legs.expanded;
        Outcome::new(Method::Dijkstra, status)
            .with_cost(cost.unwrap_or_default())
            .with_counters(counters)
    }

    /// Whether the bodies on a place leave it if asked, or shift to the side.
    fn is_left<H: Fn(Cell) -> Option<Holder>>(
        &self,
        place: Cell,
        places: &[Cell],
        bodies: &Bodies<H>,
    ) -> bool {
        let area = self.approach.rules.footprint.area(place);
        let mut holders = area.cells().filter_map(&bodies.holder).peekable();
        holders.peek().is_some()
            && holders.all(|body| {
                body.relation.leaves_place()
                    || body.relation == Relation::Beside
                        && self.can_shift(body, area, places, bodies)
            })
    }

    /// Whether a large body beside the target has another place one step further, off an area:
    /// large bodies can stand so that the room for another one is divided.
    fn can_shift<H: Fn(Cell) -> Option<Holder>>(
        &self,
        body: Holder,
        off: Area,
        places: &[Cell],
        bodies: &Bodies<H>,
    ) -> bool {
        let rules = self.approach.rules;
        if rules.footprint == Footprint::ONE {
            return false;
        }
        let mut steps = self.grid.steps(body.at, rules).into_iter();
        steps.any(|way| {
            let to = (body.at.step(way)).filter(|to| places.binary_search(to).is_ok());
            to.is_some_and(|to| {
                rules.footprint.area(to).cells().all(|cell| {
                    !off.contains(cell)
                        && (bodies.holder)(cell).is_none_or(|there| there.agent == body.agent)
                })
            })
        })
    }
}

/// The bodies that a search may meet, by the cells that they hold.
struct Bodies<H> {
    rules: Rules,
    holder: H,
}

impl<H: Fn(Cell) -> Option<Holder>> Bodies<H> {
    /// The relation of the body on a place that is least ready to make room, and the number of
    /// bodies there; `None` if it is free.
    fn on(&self, place: Cell) -> Option<(Relation, u8)> {
        let (mut last, mut found) = (None, None);
        for cell in self.rules.footprint.area(place).cells() {
            let Some(body) = (self.holder)(cell) else {
                continue;
            };
            if last != Some(body.agent) {
                last = Some(body.agent);
                let (least, count) = found.unwrap_or((body.relation, 0_u8));
                found = Some((body.relation.max(least), count.saturating_add(1)));
            }
        }
        found
    }

    fn are_off(&self, place: Cell) -> bool {
        self.on(place).is_none()
    }

    /// Keeps the free ones of some places.
    fn keep_free(&self, places: &[Cell], free: &mut Vec<Cell>) {
        free.clear();
        free.extend((places.iter().copied()).filter(|&place| self.are_off(place)));
    }

    /// Whether a body rests on a place.
    fn is_held(&self, place: Cell) -> bool {
        self.on(place).is_some_and(|(relation, _)| relation.rests())
    }

    /// Whether a body is on a place that does not leave it.
    fn is_taken(&self, place: Cell) -> bool {
        let least_ready = self.on(place).map(|(relation, _)| relation);
        matches!(least_ready, Some(Relation::Beside | Relation::Stayer))
    }
}

/// The fields of one search, each laid if the one before led nowhere.
struct Legs<'s, 'p, H> {
    search: &'s PastBodies<'p>,
    bodies: &'s Bodies<H>,
    /// Whether the way only leads nearer: all places are held.
    only_nearer: bool,
    field: &'s mut CostField,
    path: &'s mut Path,
    expanded: u32,
}

impl<H: Fn(Cell) -> Option<Holder>> Legs<'_, '_, H> {
    /// Computes the field of some goals, and lays the way to one of them. Bodies beside the target
    /// stand on `places`, in order.
    fn lay(&mut self, goals: &[Cell], places: &[Cell]) -> Option<Cost> {
        if goals.is_empty() {
            return None;
        }
        let PastBodies {
            grid,
            approach,
            target,
            from,
            ..
        } = *self.search;
        let centre = target.position.cell;
        let ground = (grid, approach.rules);
        let (bodies, only_nearer, search) = (self.bodies, self.only_nearer, self.search);
        (self.field).compute_past(ground, (centre, DETOUR_RADIUS), goals, &[from], |place| {
            if overlaps(approach.rules, place, target) || search.closed == Some(place) {
                return Passage::Blocked;
            }
            match bodies.on(place) {
                None => Passage::Free,
                // Coming nearer is not worth that a body gives up its place.
                Some((Relation::Settled, _)) if only_nearer => Passage::Blocked,
                Some((relation, count)) => {
                    let is_beside = places.binary_search(&place).is_ok();
                    relation.passage(count, is_beside, search.makes_room)
                }
            }
        });
        self.expanded += self.field.expanded();
        walk_down(self.field, ground, (from, centre), self.path)
    }
}

#[cfg(test)]
mod tests;
