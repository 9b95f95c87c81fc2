//! How far ahead of its target a chaser aims, and what it saw of that.

use super::course::Course;
use bevy_ecs::prelude::*;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav::Heading;
use nav::NavTime;
use nav_grid::Cell;
use std::collections::VecDeque;

/// Has a chaser cut off a target that runs on: it heads for the cell to which the target comes in the time
/// that the chaser needs for the way there, at their speeds and in the direction of the target's last eight
/// cells.
///
/// It does so while the target is on its floor, further than six steps out of reach (once it does, three) and
/// no further away than the [radius](nav_grid::Limits::radius) of its searches. It
/// chases the target itself if that turns, stands or goes to and fro, and where a search toward the
/// cell ahead fails. Whether the target is within reach, and what messages say, is about the target itself.
///
/// While it heads for a cell ahead, it shares no field: that takes a search of its own in each
/// [interval](nav::Chaser::repath_interval).
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
#[require(Heading)]
pub struct Intercept {
    /// The most cells that it aims ahead; with 0 it chases the target itself.
    pub lead: u16,
    /// Where the target was, and since when; the last cell first.
    trail: VecDeque<(Cell, NavTime)>,
    /// The cell ahead for which it heads.
    aim: Option<Cell>,
}

impl Intercept {
    /// So many cells ahead at most.
    pub const fn new(lead: u16) -> Self {
        Self {
            lead,
            trail: VecDeque::new(),
            aim: None,
        }
    }

    /// The cell ahead of its target for which it heads; `None` while it chases the target itself.
    pub const fn aim(&self) -> Option<Cell> {
        self.aim
    }

    pub(super) const fn set_aim(&mut self, aim: Option<Cell>) {
        self.aim = aim;
    }

    /// Notes where the target is. One that was put elsewhere has no course.
    pub(super) fn follow(&mut self, target: Cell, now: NavTime) {
        /// The most cells that a target goes in a tick.
        const LEAP: u16 = 2;
        let last = self.trail.front().map(|&(last, _)| last);
        if last == Some(target) {
            return;
        }
        if last.is_some_and(|last| last.floor != target.floor || last.chebyshev(target) > LEAP) {
            self.trail.clear();
        }
        self.trail.truncate(Course::STEPS);
        self.trail.push_front((target, now));
    }

    /// Forgets what it saw of a target.
    pub(super) fn forget(&mut self) {
        self.trail.clear();
        self.aim = None;
    }

    /// Where the target is going, if it goes on.
    pub(super) fn course(&self, now: NavTime) -> Option<Course> {
        Course::of(&self.trail, now)
    }
}
