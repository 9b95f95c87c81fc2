//! The bodies that stand around, as others see them: whether they make room, and whether they are
//! looked through, passed at a toll, or walls.

use super::{intent::StepParams, outcomes::Outcomes, proposals::Proposal};
use crate::{
    AgentId, Body, CellPosition, ChasedBy, Chaser, Chasing, Crowding, MoveTimer, NavTimer, OnMap,
    PathCursor,
    components::Tuning,
    occupancy::{MapOccupancy, OccupancyRows},
    systems::{
        guidance::{
            nearest,
            reach::{Approach, overlaps},
        },
        storage::targets::{Target, Targets},
    },
};
use bevy_ecs::{
    entity::{Entities, EntityIndex},
    prelude::*,
    query::QueryData,
};
use nav_grid::{Area, Cell, Footprint, Grid, fields::Passage, rules::BodyPolicy};

/// The components of a body that stands on a cell. No more than are read, since each column is
/// looked up for each body that is asked.
#[derive(QueryData)]
pub(super) struct StandingBody {
    pub(super) entity: Entity,
    pub(super) id: &'static AgentId,
    pub(super) chaser: &'static Chaser,
    pub(super) tuning: &'static Tuning,
    pub(super) chasing: &'static Chasing,
    pub(super) on_map: &'static OnMap,
    pub(super) body: &'static Body,
    pub(super) position: &'static CellPosition,
    pub(super) cursor: &'static PathCursor,
    pub(super) crowding: &'static Crowding,
    pub(super) move_timer: &'static MoveTimer,
}

/// The bodies that may be asked to make room. A body that lacks a timer cannot be moved.
pub(super) type Standing<'w, 's> = Query<'w, 's, StandingBody, (With<NavTimer>, Without<ChasedBy>)>;

/// All bodies of a tick, as they were before any of them stepped.
#[derive(Clone, Copy)]
pub(super) struct Crowd<'a> {
    pub(super) params: &'a StepParams<'a, 'a>,
    pub(super) targets: &'a Targets,
    pub(super) entities: &'a Entities,
    pub(super) solids: &'a Standing<'a, 'a>,
    pub(super) outcomes: &'a Outcomes,
}

impl StandingBodyItem<'_, '_> {
    /// Whether it comes as near to its target as an approach says, by the same rules.
    pub(super) fn comes_as_near(&self, approach: Approach) -> bool {
        self.chaser.rules.with_bodies(BodyPolicy::Ignore) == approach.rules
            && self.chaser.stop_distance <= approach.stop_distance
    }
}

impl Crowd<'_> {
    /// The holder of a cell, and its components if it is a chaser and no target.
    pub(super) fn standing(
        &self,
        holder: EntityIndex,
    ) -> (Entity, Option<StandingBodyItem<'_, '_>>) {
        let agent = self.entities.resolve_from_index(holder);
        (agent, self.solids.get(agent).ok())
    }

    /// Whether a body on another detour goes before the bodies on the detour to a target, which may
    /// be of one `owner`.
    ///
    /// The first goes round the second. The second keeps to its way, and waits where that is taken.
    /// Were both to go round, both would turn back in the same tick, again and again.
    pub(super) fn goes_first(
        &self,
        other: &StandingBodyItem,
        (target, owner): (Entity, Option<Entity>),
    ) -> bool {
        let is_apart = other.chaser.rules.footprint != Footprint::ONE;
        let is_by_another = other.chasing.0 != target || is_apart;
        if !other.cursor.is_on_detour() || !is_by_another {
            return false;
        }
        let cell = |target| {
            let slot = self.targets.slot(target);
            slot.map(|slot| self.targets.at(slot).seen.position.cell)
        };
        let owner = owner.and_then(|owner| self.solids.get(owner).ok());
        let own = (cell(target), owner.map(|owner| *owner.id));
        let other = (cell(other.chasing.0), is_apart.then_some(*other.id));
        other <= own
    }

    /// Whether a body stands where a proposal leads first that stays whatever it is asked: it chases
    /// no target, or is paused.
    #[cold]
    pub(super) fn is_held_up(&self, rows: &OccupancyRows, proposal: &Proposal) -> bool {
        let (agent, from, body, ranked) = (
            proposal.agent,
            proposal.from,
            proposal.body,
            proposal.ranked,
        );
        let to = nearest(ranked.tiers[0], ranked.toward).and_then(|way| from.step(way));
        let is_stayer = |cell: Cell| {
            // A sleeper waits in a chase of its own. In a crowd most sleep, and need no look-up.
            let holder = rows.holder(cell).filter(|_| !rows.is_asleep(cell));
            holder.is_some_and(|holder| {
                let (other, chaser) = self.standing(holder);
                let is_paused = chaser.is_none_or(|chaser| chaser.move_timer.is_paused());
                other != agent && is_paused
            })
        };
        to.is_some_and(|to| body.footprint.area(to).cells().any(is_stayer))
    }
}

/// The bodies around a target, as a body on the detour to it sees them.
pub(super) struct Surroundings<'a> {
    pub(super) crowd: &'a Crowd<'a>,
    pub(super) bodies: &'a MapOccupancy,
    pub(super) target: &'a Target,
    pub(super) approach: Approach,
    pub(super) is_soft: bool,
    /// The body that the detour is for alone, if it is shared by no others.
    pub(super) owner: Option<Entity>,
    /// Whether others make room. When they no longer do, moving bodies are walls as well, but for
    /// those with the right of way, which are looked through.
    pub(super) is_pressed: bool,
}

/// The relation of a body to another that looks for a detour, from the readiest to make room to a wall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Other {
    /// Moves on, to the same target or elsewhere.
    Mover,
    /// Waits for the same target, and goes the same way.
    Companion,
    /// Waits for a way elsewhere, and makes room if asked.
    Waiter,
    /// Beside the same target, and comes no nearer either: moves along.
    Neighbour,
    /// Within reach of the same target, by other rules or from further off: makes room by a step that
    /// keeps it there.
    Outer,
    /// Within reach of another target: makes room if there is no other way, and returns.
    Settled,
    /// Stays: chases no target.
    Stayer,
}

impl Surroundings<'_> {
    /// Returns the relation of the holder of a cell; `None` if it will have left, or is the owner itself.
    fn other(&self, holder: EntityIndex) -> Option<Other> {
        let (agent, chaser) = self.crowd.standing(holder);
        if self.owner == Some(agent) {
            return None;
        }
        let Some(chaser) = chaser.filter(|chaser| !chaser.move_timer.is_paused()) else {
            return Some(Other::Stayer);
        };
        let is_reached = chaser.cursor.is_reached();
        let is_companion = chaser.chasing.0 == self.target.entity;
        let is_moving = !is_reached && !chaser.crowding.stands;
        if is_moving && !self.is_pressed {
            let own = (self.target.entity, self.owner);
            if self.crowd.goes_first(&chaser, own) {
                return None;
            }
        }
        Some(match (is_reached, is_companion) {
            (true, true) if chaser.comes_as_near(self.approach) => Other::Neighbour,
            (true, true) => Other::Outer,
            (true, false) => Other::Settled,
            (false, _) if is_moving && self.is_pressed => Other::Mover,
            (false, true) => Other::Companion,
            (false, false) => Other::Waiter,
        })
    }

    /// The body at a place that is least ready to make room, and the number of bodies there.
    pub(super) fn at(&self, place: Cell) -> Option<(Other, u8)> {
        if self.is_soft {
            return None;
        }
        let mut last = None;
        let mut found: Option<(Other, u8)> = None;
        for cell in self.approach.rules.footprint.area(place).cells() {
            let holder = self.bodies.holder(cell);
            if holder == last {
                continue;
            }
            last = holder;
            if let Some(other) = holder.and_then(|holder| self.other(holder)) {
                let (least, count) = found.unwrap_or((other, 0));
                found = Some((least.max(other), count.saturating_add(1)));
            }
        }
        found
    }

    /// Whether the bodies on a place leave it if asked: they wait for a way elsewhere, or may stand
    /// further off. For a large
    /// body also bodies beside the target that would stay so one step further: large bodies can stand
    /// so that the room for another one is divided.
    pub(super) fn may_be_cleared(&self, grid: &Grid, place: Cell, places: &[Cell]) -> bool {
        let area = self.approach.rules.footprint.area(place);
        area.cells().all(|cell| {
            let Some(holder) = self.bodies.holder(cell) else {
                return true;
            };
            match self.other(holder) {
                None | Some(Other::Waiter | Other::Outer) => true,
                Some(Other::Neighbour) => {
                    self.owner.is_some() && self.can_shift(grid, holder, area, places)
                }
                Some(_) => false,
            }
        })
    }

    /// Whether a body beside the target has another place one step further, off an area.
    fn can_shift(&self, grid: &Grid, holder: EntityIndex, off: Area, places: &[Cell]) -> bool {
        let (_, Some(chaser)) = self.crowd.standing(holder) else {
            return false;
        };
        let at = chaser.position.cell;
        let is_free = |to: Cell| {
            places.binary_search(&to).is_ok()
                && self.approach.rules.footprint.area(to).cells().all(|cell| {
                    let there = self.bodies.holder(cell);
                    !off.contains(cell) && there.is_none_or(|there| there == holder)
                })
        };
        let mut steps = grid.steps(at, self.approach.rules).into_iter();
        steps.any(|way| at.step(way).is_some_and(is_free))
    }

    /// Returns the passage of a place while no body makes room.
    pub(super) fn passage_around(&self, place: Cell) -> Passage {
        if overlaps(self.approach.rules, place, &self.target.seen) {
            return Passage::Blocked;
        }
        match self.at(place) {
            None => Passage::Free,
            Some((Other::Mover, _)) => Passage::Toll(MOVER_TOLL),
            Some(_) => Passage::Blocked,
        }
    }

    /// Returns the passage of a place, beside the target or not, if others make room.
    pub(super) fn passage_through(&self, place: Cell, is_beside: bool) -> Passage {
        if overlaps(self.approach.rules, place, &self.target.seen) {
            return Passage::Blocked;
        }
        let Some((other, count)) = self.at(place) else {
            return Passage::Free;
        };
        match other {
            Other::Mover | Other::Companion => Passage::Toll(count.saturating_mul(MOVER_TOLL)),
            Other::Waiter | Other::Outer => Passage::Toll(count.saturating_mul(WAITER_TOLL)),
            Other::Neighbour if is_beside => {
                Passage::AmongGoals(count.saturating_mul(NEIGHBOUR_TOLL))
            }
            // A large body stands beside the target, and reaches further.
            Other::Neighbour => Passage::Toll(count.saturating_mul(NEIGHBOUR_TOLL)),
            Other::Settled => Passage::Toll(count.saturating_mul(SETTLED_TOLL)),
            Other::Stayer => Passage::Blocked,
        }
    }
}

// Tolls in straight steps, by how long a body keeps another one waiting. Guesses in the order of
// that: a moving body clears its cell in about two move ticks, one beside the target has to find
// another place, a waiting one goes off its way and back, and an arrived one is asked last.
const MOVER_TOLL: u8 = 2;
const NEIGHBOUR_TOLL: u8 = 4;
const WAITER_TOLL: u8 = 8;
const SETTLED_TOLL: u8 = 24;
