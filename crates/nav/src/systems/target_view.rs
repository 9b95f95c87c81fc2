//! What a chaser sees of its target: place, map and shared field, looked up once for many chasers.

#![expect(
    clippy::inline_always,
    reason = "on the way of every chaser: a view stays in registers only if all of it is inlined"
)]

use super::{
    directions::without,
    fields::{Fields, SharedField, worth},
    reach::{Approach, DETOUR_RADIUS, are_single, in_reach, overlaps},
    storage::{
        chaser::{ChaseKey, ChaserView},
        targets::{Target, Targets},
    },
};
use crate::{NavMap, NavTime, PathCursor, PathFailure, components::Tuning};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Directions, Grid, Rules};
use std::cell;

/// How many cells away a target is at hand: where it goes shows in the next steps of who follows it.
const AT_HAND: u16 = 12;

/// For how long, in nanoseconds, a target that went back where it came from may be about to go to and
/// fro: less than from one look to the next, so that who waits for it misses one at most.
const TO_AND_FRO: u64 = 200_000_000;

/// As many chasers surround a target: some are within reach wherever it turns.
const RING: u32 = 8;

/// A target as chasers of one tuning see it, and the map that both are on.
#[derive(Clone)]
pub(crate) struct TargetView<'a> {
    /// Which look-up it comes from: whoever keeps something for a view finds out by it that this is
    /// another one.
    pub(crate) number: u32,
    pub(crate) slot: usize,
    pub(crate) target: &'a Target,
    pub(crate) map: &'a NavMap,
    /// The tuning of the chasers.
    pub(crate) tuning: Tuning,
    /// The field that they share, if they are of a group that shares.
    pub(crate) field: Option<SharedField<'a>>,
    /// The approach of their group, if they are of one and it is the same for all.
    approach: Option<Approach>,
    /// How many cells away the target is at most that may be within reach or in the way.
    near: u32,
    /// Which of the cells at and around the target it was found to be within reach from, or not.
    around: Around,
    /// Who is less than so many cells away has the field be aimed anew: nobody once somebody did. One number, since
    /// how far chasers are away follows no pattern.
    wants_within: cell::Cell<u16>,
    /// Whether it has stood still for a while.
    pub(crate) is_standing: bool,
    /// Whether bodies make room for each other around it.
    pub(crate) is_pressed: bool,
    pub(crate) now: NavTime,
}

/// What is known of the nine cells at and around a target, by a bit for each.
#[derive(Clone, Default)]
struct Around {
    known: cell::Cell<u16>,
    reached: cell::Cell<u16>,
}

impl<'a> TargetView<'a> {
    #[inline]
    pub(crate) const fn grid(&self) -> &'a Grid {
        self.map.grid()
    }

    /// How near a chaser comes: that of its group, which is the same for all, or its own.
    #[inline]
    pub(crate) fn approach(&self, chaser: &ChaserView) -> Approach {
        match self.approach {
            Some(approach) => approach,
            None => chaser.chaser.into(),
        }
    }

    /// The field that its chasers share, if the target has enough of them for one. Those who share only close
    /// to it do so while it moves: then there is no time for a way of their own.
    #[inline]
    pub(crate) fn shared_field(&self) -> Option<SharedField<'a>> {
        let is_worth_it = worth::near_field(self.target.chasers);
        self.field
            .filter(|field| is_worth_it && !(field.is_close() && self.is_standing))
    }

    /// Whether a detour leads to the target as long as it stands, from so far away.
    #[inline]
    pub(crate) const fn allows_detour(&self, away: u16) -> bool {
        self.is_standing && away <= DETOUR_RADIUS
    }

    /// By which rules chasers of the group move, if they are of one.
    #[inline]
    pub(crate) fn rules(&self) -> Option<Rules> {
        self.field.map(SharedField::rules)
    }

    /// Whether all chasers of the view are within reach of the target from the same cells, but for
    /// those with a path that says so.
    #[inline]
    pub(crate) const fn has_one_approach(&self) -> bool {
        self.approach.is_some()
    }

    /// Where the target is.
    #[inline]
    pub(crate) const fn cell(&self) -> Cell {
        self.target.seen.position.cell
    }

    /// How many columns or rows away from a cell the target is.
    #[inline(always)]
    pub(crate) const fn away(&self, from: Cell) -> u16 {
        from.chebyshev(self.cell())
    }

    /// Whether a target that is so far away is so near, or would be after some more steps, that it may
    /// be within reach or in the way, links aside: who comes within reach by a link sees that at its
    /// next move tick.
    #[inline(always)]
    pub(crate) const fn is_near(&self, away: u16, steps: u16) -> bool {
        away as u32 <= self.near + steps as u32
    }

    /// Has the near field be aimed anew as soon as the target goes on, if a chaser is so near that its
    /// next steps would show it.
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

    /// Whether the target may be within reach from a cell: far away nobody is but by a link.
    #[inline(always)]
    pub(crate) fn may_be_reached(&self, at: Cell) -> bool {
        self.is_near(self.away(at), 0) || self.tuning.reaches_through_links()
    }

    /// Whether a cell that [may be](Self::may_be_reached) is within reach of the target, as near as an
    /// approach says. Most of those who ask are on the same few cells.
    #[inline(always)]
    pub(crate) fn is_within_reach(
        &self,
        approach: Approach,
        cursor: &PathCursor,
        at: Cell,
    ) -> bool {
        let bit = self.bit_around(at);
        let Around { known, reached } = &self.around;
        if known.get() & bit != 0 {
            return reached.get() & bit != 0;
        }
        let is_reached = self.look_whether_reached(approach, cursor, at);
        known.set(known.get() | bit);
        if is_reached {
            reached.set(reached.get() | bit);
        }
        is_reached
    }

    #[inline(never)]
    fn look_whether_reached(&self, approach: Approach, cursor: &PathCursor, at: Cell) -> bool {
        in_reach(approach, self.grid(), at, &self.target.seen, cursor)
    }

    /// Whether all chasers of the view are within reach from a cell at or around the target, or none is.
    #[inline]
    pub(crate) fn is_the_same_for_all(&self, at: Cell) -> bool {
        self.bit_around(at) != 0
    }

    /// The bit of a cell at or around the target; none for others, and where the answer is not the same
    /// for all chasers of the view: a path may lead on that is short enough.
    #[inline(always)]
    fn bit_around(&self, at: Cell) -> u16 {
        let place = self.cell();
        let column = at.x.wrapping_sub(place.x).wrapping_add(1);
        let row = at.y.wrapping_sub(place.y).wrapping_add(1);
        let is_around = column < 3 && row < 3 && at.floor == place.floor;
        let is_for_all = self.has_one_approach() && self.near == 1;
        u16::from(is_around && is_for_all) << (row.wrapping_mul(3).wrapping_add(column) & 15)
    }

    /// The step by which a body keeps the side of its target on which it is, if that went on by one
    /// step and has not turned back: beside one that goes to and fro it may rest. Who could not take it
    /// before the target stands rests, too, or steps aside if that is on its cells.
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
        let legal = self.off_target(legal, (from, self.away(from)), rules);
        let to = from.step(way).filter(|_| legal.contains(way))?;
        self.is_within_reach(approach, cursor, to).then_some(to)
    }

    /// Whether a target with a pack around it went back a moment ago to where it came from: who is left
    /// a cell short waits whether it stays, and is spared a step to and fro.
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

    /// Whether nothing changed for a chaser that rests within reach since its last look: the target, which
    /// moves about, has stayed in its cell.
    #[inline(always)]
    pub(crate) fn is_as_it_was(&self, chaser: &ChaserView, away: u16) -> bool {
        let timer = &chaser.move_timer;
        let Some((_, since)) = self.target.anchor.still else {
            return false;
        };
        !self.is_standing && since.after(timer.chasing) <= timer.next_step && self.is_near(away, 0)
    }

    /// Whether the target came onto the cells of a chaser.
    #[inline]
    pub(crate) fn is_over(&self, chaser: &ChaserView) -> bool {
        let rules = self.approach(chaser).rules;
        overlaps(rules, chaser.cell(), &self.target.seen)
    }

    /// Whether the only way that the field leads on from a cell ends on the target, by the rules of those who
    /// share it.
    #[cold]
    #[inline(never)]
    pub(crate) fn leads_onto_target(&self, rules: Rules, from: Cell) -> bool {
        self.next_cells(from).is_some_and(|next| {
            let is_on = |to| overlaps(rules, to, &self.target.seen);
            let off = self.off_target(next.best, (from, self.away(from)), rules);
            !next.is_end() && off.is_empty() && next.link.is_none_or(is_on)
        })
    }

    /// The same where a step may end on the target from where that is not within reach: for large bodies.
    #[inline(always)]
    pub(crate) fn off_large_target(
        &self,
        ways: Directions,
        from: Cell,
        chaser: &ChaserView,
    ) -> Directions {
        let rules = self.approach(chaser).rules;
        if are_single(rules, &self.target.seen) {
            ways
        } else {
            self.off_target(ways, (from, self.away(from)), rules)
        }
    }

    /// Those of some directions in which a step from a cell, so far away, does not end on the target.
    #[inline(always)]
    pub(crate) fn off_target(
        &self,
        ways: Directions,
        (from, away): (Cell, u16),
        rules: Rules,
    ) -> Directions {
        if self.is_near(away, 1) {
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
        let ends_on_target = |way| {
            let to = from.step(way);
            to.is_some_and(|to| overlaps(rules, to, &self.target.seen))
        };
        let keep = |ways, way| {
            if ends_on_target(way) {
                without(ways, way)
            } else {
                ways
            }
        };
        ways.into_iter().fold(ways, keep)
    }
}

/// Looks up the views of chasers, one after the other.
///
/// Chasers of one target mostly follow each other in the tables, so the last view is kept and lent
/// out. It is not copied: a copy reads at once, in wide parts, what was just written in narrow ones,
/// and a processor waits for such a read until all that came before is done.
pub(crate) struct TargetViews<'a> {
    targets: &'a Targets,
    fields: &'a Fields,
    maps: &'a Query<'a, 'a, &'static NavMap>,
    now: NavTime,
    /// How many were looked up.
    count: u32,
    /// What the last view was looked up by.
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
            count: 0,
            key: None,
            view: None,
        }
    }

    /// What a chaser sees of its target, if that is on the same map.
    #[inline(always)]
    pub(crate) fn of(&mut self, chaser: &ChaserView) -> Option<&TargetView<'a>> {
        self.get(chaser.chase()?)
    }

    /// What a chaser sees that is described by a key.
    #[inline(always)]
    pub(crate) fn get(&mut self, key: ChaseKey) -> Option<&TargetView<'a>> {
        if self.key != Some(key) {
            // In parts, which stay in registers where nothing is to be looked up.
            self.look_up(key.tuning, key.target, key.map);
        }
        self.view.as_ref()
    }

    #[inline(never)]
    fn look_up(&mut self, tuning: Tuning, target: Entity, map: Entity) {
        let key = ChaseKey {
            tuning,
            target,
            map,
        };
        self.key = Some(key);
        self.count += 1;
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
            number: self.count,
            slot,
            target,
            map: self.maps.get(map).ok()?,
            tuning,
            field,
            approach: field.and_then(|field| Approach::new(tuning, field.rules())),
            near: u32::from(tuning.near()) + u32::from(target.seen.body.side()) - 1,
            around: Around::default(),
            wants_within: cell::Cell::new(field.map_or(0, |_| AT_HAND + 1)),
            is_standing: target.anchor.is_standing(self.now),
            is_pressed: target.anchor.is_pressed(self.now),
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
