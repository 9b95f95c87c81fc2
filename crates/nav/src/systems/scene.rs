//! What a chaser moves about in.

use super::{
    compass::without,
    fields::{Common, Fields},
    pursuers::Pursues,
    reach::{Approach, in_reach, overlaps},
    targets::{Target, Targets},
    tunings::Tuning,
};
use crate::{NavMap, PathFailure};
use bevy_ecs::prelude::*;
use nav_grid::{Cell, Directions, Grid, Rules};

/// Who chases whom where, by which the scene of a chaser is found.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Chase {
    pub(crate) tuning: Tuning,
    pub(crate) target: Entity,
    /// That of the chaser.
    pub(crate) map: Entity,
}

/// A chaser's target, and the map that both are on.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// That of the target.
    pub(crate) slot: usize,
    pub(crate) target: &'a Target,
    pub(crate) map: &'a NavMap,
    /// That of the chaser.
    pub(crate) tuning: Tuning,
    /// What it shares with others, if it is of a kind that does.
    pub(crate) common: Option<Common<'a>>,
    /// That of its kind.
    approach: Option<Approach>,
    /// How many cells away the target is at most that may be within reach or in the way.
    near: u16,
}

impl<'a> Scene<'a> {
    #[inline]
    pub(crate) const fn grid(&self) -> &'a Grid {
        self.map.grid()
    }

    /// How a chaser comes near. That of a kind is the same for all, so that most need not be looked
    /// at.
    #[inline]
    pub(crate) fn approach(&self, walker: &impl Pursues) -> Approach {
        self.approach.unwrap_or_else(|| walker.chaser().into())
    }

    /// Where the target is.
    #[inline]
    pub(crate) const fn place(&self) -> Cell {
        self.target.seen.position.cell
    }

    /// Whether the target is so near, or would be after some more steps, that it may be within
    /// reach or in the way. Links are left out of account: who comes within reach by one sees that
    /// at its next move tick.
    #[inline]
    pub(crate) fn is_near(&self, from: Cell, steps: u16) -> bool {
        from.chebyshev(self.place()) <= self.near.saturating_add(steps)
    }

    /// Whether a chaser that came to a cell is within reach of its target.
    #[inline]
    pub(crate) fn is_reached(&self, chaser: &impl Pursues, at: Cell) -> bool {
        self.is_near(at, 0) && self.is_within_reach(chaser, at)
    }

    #[inline(never)]
    fn is_within_reach(&self, walker: &impl Pursues, at: Cell) -> bool {
        let (approach, cursor) = (self.approach(walker), walker.cursor());
        in_reach(approach, self.grid(), at, &self.target.seen, cursor)
            || cursor.is_sharing() && self.is_in_ring(approach, at)
    }

    /// Whether a chaser that keeps further away than a step would be near enough at a cell, by the
    /// field that it shares.
    #[inline]
    pub(crate) fn is_in_ring(&self, approach: Approach, cell: Cell) -> bool {
        let steps = approach.stop_distance;
        let is_within = |common: Common| common.is_within(self.target, cell, steps);
        steps > 1 && self.common.is_some_and(is_within)
    }

    /// Those of some ways that do not end on the target.
    #[inline]
    pub(crate) fn off_target(&self, ways: Directions, from: Cell, rules: Rules) -> Directions {
        if !self.is_near(from, 1) {
            return ways;
        }
        ways.into_iter()
            .fold(ways, |ways, way| match from.step(way) {
                Some(to) if overlaps(rules, to, &self.target.seen) => without(ways, way),
                _ => ways,
            })
    }
}

/// Finds the scenes of chasers, one after the other.
///
/// Those after one target mostly follow each other: what the last one saw is kept, and lent out.
/// It is not copied, since reading at once what was just written in smaller parts has a processor
/// wait until all of it is in its cache.
pub(crate) struct Scenes<'a> {
    targets: &'a Targets,
    fields: &'a Fields,
    maps: &'a Query<'a, 'a, &'static NavMap>,
    last: Option<Scene<'a>>,
}

impl<'a> Scenes<'a> {
    pub(crate) const fn new(
        targets: &'a Targets,
        fields: &'a Fields,
        maps: &'a Query<'a, 'a, &'static NavMap>,
    ) -> Self {
        Self {
            targets,
            fields,
            maps,
            last: None,
        }
    }

    /// That of a chaser, if its target is on the same map.
    #[inline]
    pub(crate) fn of(&mut self, chaser: &impl Pursues) -> Option<&Scene<'a>> {
        self.see(chaser.chase()?)
    }

    /// That of a chase, if the target is on the map.
    #[inline]
    pub(crate) fn see(&mut self, chase: Chase) -> Option<&Scene<'a>> {
        let is_same = |last: &Scene| {
            last.target.entity == chase.target
                && last.target.seen.map == chase.map
                && last.tuning == chase.tuning
        };
        if !self.last.as_ref().is_some_and(is_same) {
            self.last = self.look_up(chase);
        }
        self.last.as_ref()
    }

    #[inline(never)]
    fn look_up(&self, chase: Chase) -> Option<Scene<'a>> {
        let Chase {
            tuning,
            target,
            map,
        } = chase;
        let slot = self.targets.slot_on(target, map)?;
        let common = tuning
            .kind()
            .and_then(|kind| self.fields.common(kind, slot));
        let target = self.targets.at(slot);
        Some(Scene {
            slot,
            target,
            map: self.maps.get(map).ok()?,
            tuning,
            common,
            approach: common.map(|common| tuning.approach(common.rules())),
            near: tuning.near.max(target.seen.body.side().into()),
        })
    }

    /// Why there is none of a chaser.
    #[cold]
    pub(crate) fn why_not(&self, chaser: &impl Pursues) -> PathFailure {
        if chaser.map().is_none_or(|map| self.maps.get(map).is_err()) {
            PathFailure::ChaserNotOnMap
        } else if self.targets.slot(chaser.target()).is_none() {
            PathFailure::TargetNotOnMap
        } else {
            PathFailure::MapsDiffer
        }
    }
}

/// What many chasers in a row see alike of their scenes, made once for all.
pub(crate) struct Outlooks<'s, 'a, T, F> {
    scenes: &'s mut Scenes<'a>,
    make: F,
    last: Option<Chase>,
    outlook: Option<T>,
}

impl<'s, 'a, T, F: Fn(&Scene<'a>) -> Option<T>> Outlooks<'s, 'a, T, F> {
    /// Those that something makes of scenes.
    pub(crate) const fn new(scenes: &'s mut Scenes<'a>, make: F) -> Self {
        Self {
            scenes,
            make,
            last: None,
            outlook: None,
        }
    }

    /// That of a chase, if the target is on the map and something is made of that.
    #[inline]
    pub(crate) fn of(&mut self, chase: Chase) -> Option<&T> {
        if self.last != Some(chase) {
            self.turn_to(chase);
        }
        self.outlook.as_ref()
    }

    #[inline(never)]
    fn turn_to(&mut self, chase: Chase) {
        self.last = Some(chase);
        self.outlook = self.scenes.see(chase).and_then(&self.make);
    }
}
