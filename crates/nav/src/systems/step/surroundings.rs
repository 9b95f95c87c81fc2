//! The bodies around a target, as those see them who look for a detour.

use super::{right_of_way::RightOfWay, strip_ground::Reservation};
use crate::{
    occupancy::MapOccupancy,
    systems::{reach::overlaps, storage::targets::Target},
};
use bevy_ecs::{entity::EntityIndex, prelude::*};
use nav_grid::{Area, Cell, Grid, Rules, fields::Passage, rules::BodyPolicy};

/// The bodies around a target, as those see them who look for a detour to it.
pub(super) struct Surroundings<'a> {
    pub(super) reservation: &'a Reservation<'a>,
    pub(super) bodies: &'a MapOccupancy,
    pub(super) target: &'a Target,
    pub(super) rules: Rules,
    pub(super) is_soft: bool,
    pub(super) owner: Option<Entity>,
    /// Whether others make room. When they no longer do, those who go on are in the way as well, but for
    /// those with the right of way, who are looked through.
    pub(super) is_pressed: bool,
}

/// What a body is to those who look for a detour, those who make least room last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Other {
    /// Somebody who goes on, to the same target or elsewhere.
    Mover,
    /// Another one after the same target that waits, and goes the same way.
    Companion,
    /// Somebody who waits for a way elsewhere, and makes room if asked.
    Waiter,
    /// Another one after the same target, by the same rules, that is beside it: it moves along.
    Neighbour,
    /// Somebody within reach of another target: it makes room if there is no other way, and returns.
    Settled,
    /// Somebody who stays: after nobody, or by other rules.
    Stayer,
}

impl Surroundings<'_> {
    /// What somebody is who holds a cell; `None` for who will have left it.
    fn other(&self, holder: EntityIndex) -> Option<Other> {
        let (agent, chaser) = self.reservation.standing(holder);
        if self.owner == Some(agent) {
            return None;
        }
        let Some(chaser) = chaser else {
            return Some(Other::Stayer);
        };
        if chaser.move_timer.is_paused() {
            return Some(Other::Stayer);
        }
        let is_companion = chaser.chasing.0 == self.target.entity;
        let is_on_the_way = !chaser.cursor.is_reached() && !chaser.search_timer.stands();
        if is_on_the_way && !self.is_pressed {
            let own = (self.target.entity, self.owner);
            if self.reservation.right_of_way(own, &chaser) == Some(RightOfWay::Other) {
                return None;
            }
        }
        let is_alike = chaser.chaser.rules.with_bodies(BodyPolicy::Ignore) == self.rules;
        Some(if chaser.cursor.is_reached() {
            match (is_companion, is_alike) {
                (true, true) => Other::Neighbour,
                (true, false) => Other::Stayer,
                (false, _) => Other::Settled,
            }
        } else if is_on_the_way && self.is_pressed {
            Other::Mover
        } else if is_companion {
            Other::Companion
        } else {
            Other::Waiter
        })
    }

    /// Who is in the way at a place: of several the one who makes least room, and how many.
    pub(super) fn at(&self, place: Cell) -> Option<(Other, u8)> {
        if self.is_soft {
            return None;
        }
        let mut last = None;
        let mut found: Option<(Other, u8)> = None;
        for cell in self.rules.footprint.area(place).cells() {
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

    /// Whether those who cover a place leave it if asked: they wait for a way elsewhere. For a large body
    /// also those who are beside the target and would stay so a step further: large bodies can stand so
    /// that the room for another one is divided.
    pub(super) fn may_be_cleared(&self, grid: &Grid, place: Cell, places: &[Cell]) -> bool {
        let area = self.rules.footprint.area(place);
        area.cells().all(|cell| {
            let Some(holder) = self.bodies.holder(cell) else {
                return true;
            };
            match self.other(holder) {
                None | Some(Other::Waiter) => true,
                Some(Other::Neighbour) => {
                    self.owner.is_some() && self.can_shift(grid, holder, area, places)
                }
                Some(_) => false,
            }
        })
    }

    /// Whether somebody beside the target has another place a step further, off an area.
    fn can_shift(&self, grid: &Grid, holder: EntityIndex, off: Area, places: &[Cell]) -> bool {
        let (_, Some(chaser)) = self.reservation.standing(holder) else {
            return false;
        };
        let at = chaser.position.cell;
        let is_free = |to: Cell| {
            places.binary_search(&to).is_ok()
                && self.rules.footprint.area(to).cells().all(|cell| {
                    let there = self.bodies.holder(cell);
                    !off.contains(cell) && there.is_none_or(|there| there == holder)
                })
        };
        let mut steps = grid.steps(at, self.rules).into_iter();
        steps.any(|way| at.step(way).is_some_and(is_free))
    }

    /// What it takes to come past a place as long as nobody makes room.
    pub(super) fn passage_around(&self, place: Cell) -> Passage {
        if overlaps(self.rules, place, &self.target.seen) {
            return Passage::Blocked;
        }
        match self.at(place) {
            None => Passage::Free,
            Some((Other::Mover, _)) => Passage::Toll(2),
            Some(_) => Passage::Blocked,
        }
    }

    /// What it takes to come past a place, which is one beside the target or not, if others do.
    pub(super) fn passage_through(&self, place: Cell, is_beside: bool) -> Passage {
        if overlaps(self.rules, place, &self.target.seen) {
            return Passage::Blocked;
        }
        match self.at(place) {
            None => Passage::Free,
            Some((Other::Mover | Other::Companion, count)) => {
                Passage::Toll(count.saturating_mul(2))
            }
            Some((Other::Waiter, count)) => Passage::Toll(count.saturating_mul(8)),
            Some((Other::Neighbour, count)) if is_beside => {
                Passage::AmongGoals(count.saturating_mul(4))
            }
            Some((Other::Settled, count)) => Passage::Toll(count.saturating_mul(24)),
            Some((Other::Neighbour | Other::Stayer, _)) => Passage::Blocked,
        }
    }
}
