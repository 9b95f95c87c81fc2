//! The view of a target by its chasers: place, map, shared field and contact, looked up once for
//! many chasers.

use super::{
    ranked::{Ranked, heading, without},
    reach::{self, Approach, are_single, in_reach, overlaps},
};
use crate::{
    NavMap, NavTime, PathCursor, PathFailure,
    components::Tuning,
    occupancy::BodyPlaces,
    systems::{
        fields::{FIELD_CHASERS_MIN, Fields, SharedField},
        storage::{
            columns::{ChaseKey, ChaserView},
            targets::{Target, Targets},
        },
    },
};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Direction, Directions, Grid, Rules, Terrain, rules::BodyPolicy};
use std::cell;

/// A chaser at most this many cells away has the near field follow the target cell by cell. Three
/// seconds of walking: further away a turn of the target does not show in the next steps.
///
/// Measured: with 3, chasers are 1.5 % less of the time beside targets that move. From 10 to 48 it
/// is the same, but with 48 the scenario `siege-10k` makes a tenth more fields.
const AT_HAND: u16 = 12;

/// How long, in nanoseconds, a target that went back where it came from is taken to pace to and
/// fro. Less than the time between two looks (250 ms), so that a waiting chaser misses one at most.
const TO_AND_FRO: u64 = 200_000_000;

/// Chasers that surround a target of one cell on all sides: some are within reach wherever it
/// turns.
const RING: u32 = 8;

/// A target as chasers of one tuning see it, and the map that both are on.
#[derive(Clone)]
pub(crate) struct TargetView<'a> {
    /// Distinguishes this view from earlier ones of the same [`TargetViews`].
    pub(crate) number: u32,
    pub(crate) slot: usize,
    pub(crate) fields: &'a Fields,
    pub(crate) target: &'a Target,
    pub(crate) map: &'a NavMap,
    /// The tuning of the chasers.
    pub(crate) tuning: Tuning,
    /// The field that they share, if they are of a group that shares.
    pub(crate) field: Option<SharedField<'a>>,
    /// The approach of their group, if it is the same for all chasers of it.
    pub(crate) approach: Option<Approach>,
    /// Cells from the target within which it may be in reach, or in the way of the next step.
    near: u32,
    /// A chaser closer than this asks for the field to be aimed again; set to 0 after the first
    /// one. One number, since distances follow no pattern that branches could be predicted by.
    wants_within: cell::Cell<u16>,
    /// Whether it has stood still for a while.
    pub(crate) is_standing: bool,
    /// Whether bodies make room for each other around it.
    pub(crate) is_pressed: bool,
    pub(crate) now: NavTime,
}

/// How a chaser stands to its target.
// Decision 20: docs/decisions/0020-last-steps-follow-the-target.md
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// The target came onto the chaser's own cells.
    Under,
    /// The target went on from beside the body, which keeps its side by a step to this cell.
    Alongside(Cell),
    /// Within reach.
    Reached,
    /// Out of reach.
    Apart,
}

impl<'a> TargetView<'a> {
    pub(crate) fn grid(&self) -> &'a Grid {
        self.map.grid()
    }

    /// How near a chaser comes.
    #[inline(always)]
    pub(crate) fn approach(&self, chaser: &ChaserView) -> Approach {
        match self.approach {
            Some(approach) => approach,
            None => chaser.chaser.into(),
        }
    }

    /// The field that its chasers share, if the target has enough of them. A close field serves
    /// only while the target moves: then there is no time for a way of one's own.
    #[inline]
    pub(crate) fn shared_field(&self) -> Option<SharedField<'a>> {
        let is_worth_it = self.target.chasers >= FIELD_CHASERS_MIN;
        self.field
            .filter(|field| is_worth_it && !(field.is_close() && self.is_standing))
    }

    /// By which rules chasers of the group move, if they are of one.
    pub(crate) fn rules(&self) -> Option<Rules> {
        self.field.map(SharedField::rules)
    }

    /// Where the target is.
    pub(crate) const fn cell(&self) -> Cell {
        self.target.seen.position.cell
    }

    /// How many columns or rows away from a cell the target is.
    #[inline(always)]
    pub(crate) const fn away(&self, from: Cell) -> u16 {
        from.chebyshev(self.cell())
    }

    /// Whether a target `away` cells off may be within reach, or in the way of the next step, links
    /// aside.
    #[inline(always)]
    pub(crate) const fn is_near(&self, away: u16) -> bool {
        away as u32 <= self.near
    }

    /// How a chaser at a cell stands to the target.
    #[inline(always)]
    pub(crate) fn contact(&self, chaser: &ChaserView, at: Cell) -> Contact {
        if chaser.cursor.is_reached()
            && chaser.body.is_some()
            && let Some(to) = self.step_along(&chaser.cursor, at)
        {
            Contact::Alongside(to)
        } else if !self.is_reached(chaser, at) {
            Contact::Apart
        } else if overlaps(self.approach(chaser).rules, at, &self.target.seen) {
            Contact::Under
        } else {
            Contact::Reached
        }
    }

    /// Asks for the near field to be aimed as soon as the target moves, if a chaser is so near that
    /// its next steps would show it.
    #[inline(always)]
    pub(crate) fn want_field(&self, away: u16) {
        if away < self.wants_within.get()
            && let Some(field) = self.field
        {
            self.wants_within.set(0);
            field.want();
        }
    }

    /// Whether a chaser that came to a cell is within reach of the target.
    #[inline(always)]
    pub(crate) fn is_reached(&self, chaser: &ChaserView, at: Cell) -> bool {
        self.may_be_reached(at) && self.is_within_reach(self.approach(chaser), &chaser.cursor, at)
    }

    /// Whether the target may be within reach from a cell: from far away only by a link.
    #[inline(always)]
    pub(crate) fn may_be_reached(&self, at: Cell) -> bool {
        self.is_near(self.away(at)) || self.tuning.reaches_through_links()
    }

    /// Whether the target is within reach from a cell, by an approach.
    #[inline]
    pub(crate) fn is_within_reach(
        &self,
        approach: Approach,
        cursor: &PathCursor,
        at: Cell,
    ) -> bool {
        in_reach(approach, self.grid(), at, &self.target.seen, cursor)
    }

    /// The step by which a body keeps its side of a target that went on by one step. Not if the
    /// target turned back: beside a target that goes to and fro the body may rest.
    #[inline(never)]
    pub(crate) fn step_along(&self, cursor: &PathCursor, from: Cell) -> Option<Cell> {
        if self.is_standing || self.target.chasers == 1 {
            return None;
        }
        let (_, turned_back) = self.target.anchor.before;
        let before = cursor.searched_for()?.cell;
        let way = before.direction_to(self.cell()).filter(|_| !turned_back)?;
        let approach = self.approach?;
        let rules = approach.rules;
        let legal = self.grid().steps(from, rules);
        let ways = self.off_target(legal, (from, self.away(from)), rules);
        let to = from.step(way).filter(|_| ways.contains(way))?;
        self.is_within_reach(approach, cursor, to).then_some(to)
    }

    /// Whether a target with a pack around it just went back to where it came from. A chaser left
    /// one cell short waits whether it stays there, and is spared a step to and fro.
    #[inline]
    pub(crate) fn goes_to_and_fro(&self, from: Cell) -> bool {
        let anchor = &self.target.anchor;
        anchor.before.1
            && self.target.chasers >= RING
            && self.away(from) <= 2
            && anchor
                .still
                .is_some_and(|(_, since)| self.now.0 < since.0.saturating_add(TO_AND_FRO))
    }

    /// Whether a body that is a wall to a chaser stands on one of some places.
    #[inline]
    pub(crate) fn is_barred(
        &self,
        chaser: &ChaserView,
        occupancy: &BodyPlaces,
        mut places: impl Iterator<Item = Cell>,
    ) -> bool {
        let (tuning, from, target) = (chaser.chaser, chaser.cell(), &self.target.seen);
        if tuning.rules.bodies == BodyPolicy::Ignore {
            return false;
        }
        occupancy.bodies(target.map).is_some_and(|bodies| {
            // As its searches see bodies.
            let query = reach::query(tuning, self.grid(), (from, from), target);
            let terrain = Terrain::from(self.grid()).with_bodies(bodies);
            places.any(|place| terrain.is_blocked(&query, place))
        })
    }

    /// The steps off the target's cells, by preference clockwise from where the target lies.
    #[cold]
    pub(crate) fn aside(&self, from: Cell, rules: Rules) -> Ranked {
        let steps = self.grid().steps(from, rules);
        let toward = heading(from, self.cell()).unwrap_or(Direction::North);
        Ranked::steps(
            self.off_target(steps, (from, self.away(from)), rules),
            toward,
        )
    }

    /// The same moves, without the moves that end on the target.
    #[inline(always)]
    pub(crate) fn clear_of_target(&self, ranked: Ranked, from: Cell, rules: Rules) -> Ranked {
        let away = self.away(from);
        Ranked {
            tiers: ranked
                .tiers
                .map(|tier| self.off_target(tier, (from, away), rules)),
            link: ranked
                .link
                .filter(|&to| !overlaps(rules, to, &self.target.seen)),
            ..ranked
        }
    }

    /// The directions in which a step from a cell, `away` cells off, does not end on the target.
    #[inline(always)]
    pub(crate) fn off_target(
        &self,
        ways: Directions,
        (from, away): (Cell, u16),
        rules: Rules,
    ) -> Directions {
        if self.is_near(away) && !self.target.seen.is_entered {
            self.off_near_target(ways, from, rules)
        } else {
            ways
        }
    }

    #[inline(never)]
    fn off_near_target(&self, ways: Directions, from: Cell, rules: Rules) -> Directions {
        if are_single(rules, &self.target.seen) {
            // One step at most ends on it.
            let onto = from.direction_to(self.cell());
            return onto.map_or(ways, |way| without(ways, way));
        }
        let mut clear = ways;
        for way in ways {
            let to = from.step(way);
            if to.is_some_and(|to| overlaps(rules, to, &self.target.seen)) {
                clear = without(clear, way);
            }
        }
        clear
    }
}

/// Looks up the views of chasers, one after the other.
///
/// Chasers of one target mostly follow each other in the tables, so the last view is kept and lent
/// out. Not copied: a copy reads in wide parts what was just written in narrow ones, and the
/// processor waits for such a read.
pub(crate) struct TargetViews<'a> {
    targets: &'a Targets,
    fields: &'a Fields,
    maps: &'a Query<'a, 'a, &'static NavMap>,
    now: NavTime,
    /// Views looked up so far.
    number: u32,
    /// The key of the last view.
    key: Option<ChaseKey>,
    /// Nothing if the target is on another map.
    view: Option<TargetView<'a>>,
}

impl<'a> TargetViews<'a> {
    pub(crate) const fn new(
        targets: &'a Targets,
        fields: &'a Fields,
        maps: &'a Query<'a, 'a, &'static NavMap>,
        now: NavTime,
    ) -> Self {
        Self {
            targets,
            fields,
            maps,
            now,
            number: 0,
            key: None,
            view: None,
        }
    }

    /// Returns a chaser's view of its target, if that is on the same map.
    #[inline(always)]
    pub(crate) fn of(&mut self, chaser: &ChaserView) -> Option<&TargetView<'a>> {
        self.get(chaser.key()?)
    }

    /// The same for a chaser that has something to follow, or is within reach.
    #[inline(always)]
    pub(crate) fn followed(&mut self, chaser: &ChaserView) -> Option<&TargetView<'a>> {
        if chaser.cursor.has_nothing() {
            return None;
        }
        self.of(chaser)
    }

    /// Returns the view of a key.
    #[inline(always)]
    pub(crate) fn get(&mut self, key: ChaseKey) -> Option<&TargetView<'a>> {
        if self.key != Some(key) {
            self.look_up(key);
        }
        self.view.as_ref()
    }

    #[inline(never)]
    fn look_up(&mut self, key: ChaseKey) {
        self.key = Some(key);
        self.number += 1;
        self.view = self.view_of(key);
    }

    /// The same as a value of its own.
    pub(crate) fn view_of(&self, key: ChaseKey) -> Option<TargetView<'a>> {
        let ChaseKey {
            tuning,
            target,
            map,
        } = key;
        let slot = self.targets.slot_on(target, map)?;
        let group = tuning.group();
        let field = group.and_then(|group| self.fields.shared(group, slot));
        let target = self.targets.at(slot);
        Some(TargetView {
            number: self.number,
            slot,
            fields: self.fields,
            target,
            map: self.maps.get(map).ok()?,
            tuning,
            field,
            approach: field.and_then(|field| Approach::new(tuning, field.rules())),
            near: tuning.near_to(target.seen.body.side()),
            wants_within: cell::Cell::new(field.map_or(0, |_| AT_HAND + 1)),
            is_standing: target.anchor.is_standing(self.now),
            is_pressed: target.anchor.is_pressed(self.now, target.chasers),
            now: self.now,
        })
    }

    /// Why a chaser on a map sees no target.
    #[cold]
    pub(crate) fn why_none(&self, map: Option<Entity>, target: Entity) -> PathFailure {
        if map.is_none_or(|map| self.maps.get(map).is_err()) {
            PathFailure::ChaserNotOnMap
        } else if self.targets.slot(target).is_none() {
            PathFailure::TargetNotOnMap
        } else {
            PathFailure::MapsDiffer
        }
    }
}
