//! The place at which the shared fields of a target are aimed, and how the target moves.

use super::CellPosition;
use crate::{NavTime, Period};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::*;
use nav_grid::Cell;

/// Where the shared fields of a target were last aimed, how often they are aimed again, and how the
/// target moves.
///
/// If a chaser that shares the field is within 12 cells, the field is aimed again as soon as the
/// target changes its cell, at most once in 100 ms. If that holds for 32 targets or more, it takes
/// up to eight ticks. Otherwise the field is aimed again at most once in an interval, and only if
/// the target moved further than the re-path distance. Interval and re-path distance are the least
/// that any of the chasers asks for.
///
/// Comes with [`ChasedBy`](super::ChasedBy). The fields themselves are not saved. They follow from
/// the anchor and the map, so a loaded world continues like the saved one.
// Decision 9: docs/decisions/0009-fields-follow-from-anchors.md
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(Reflect), reflect(opaque, Component))]
#[cfg_attr(feature = "reflect", reflect(Default, Clone, Debug, PartialEq))]
#[cfg_attr(feature = "reflect", reflect(Serialize, Deserialize))]
pub struct FieldAnchor {
    /// The place at which the fields are aimed, and the moment at which the interval began; `None`
    /// while no chaser shares a field.
    ///
    /// If many fields are aimed early in one tick, the moment is put off by a part of the interval
    /// that depends on the place. Otherwise all of them would be aimed in the same ticks from then
    /// on.
    pub aimed: Option<(CellPosition, NavTime)>,
    /// The same for the far fields.
    ///
    /// They are aimed again when their interval is over and, for eight of the chasers, the target
    /// has moved away from that place by more than an eighth of their remaining way.
    pub far: Option<(CellPosition, NavTime)>,
    /// The shortest [interval](super::Chaser::repath_interval) of the sharing chasers.
    pub interval: Period,
    /// The least [re-path distance](super::Chaser::repath_distance) of the sharing chasers.
    pub repath_distance: f32,
    /// The cell of the target, and since when; `None` before the plugin first sees the target.
    pub still: Option<(Cell, NavTime)>,
    /// The previous cell of the target, and whether it had entered that from its present cell.
    pub before: (Cell, bool),
    /// The last time at which a body came within reach while places around the target were left, by
    /// the count of `arrivals`: later ones take places that others lost.
    ///
    /// 30 to 60 s after this, or after the target entered its cell, bodies around it stop pushing.
    pub reached: NavTime,
    /// How many bodies came within reach since the target entered its cell, each counted once.
    pub arrivals: u16,
    /// Whether a chaser within 12 cells used the field since it was aimed, or rested within reach.
    /// Then it is aimed again as soon as the target changes its cell.
    pub wanted: bool,
}

impl FieldAnchor {
    /// How long a target stays in one cell to count as standing, in nanoseconds: four steps at the
    /// default pace.
    ///
    /// Measured: with one step, chasers are 7 % less of the time beside targets that move. From two
    /// steps to sixteen it is the same.
    const STANDS: u64 = 1_000_000_000;

    /// How long bodies push at least toward a target that stands if no chaser arrives, in
    /// nanoseconds.
    ///
    /// Measured on 200 drawn worlds: without an end, some packs still push after three minutes.
    /// From 7.5 to 60 s, equally many chasers arrive but for one or two of 2,099.
    const PRESSED: u64 = 30_000_000_000;

    /// How much longer they push for each chaser, in nanoseconds: two steps. Where two packs meet
    /// in a corridor, one lets the other out body by body.
    const PRESSED_BY_CHASER: u64 = 500_000_000;

    /// How long they push at most, in nanoseconds: the longest time that was measured.
    const PRESSED_MOST: u64 = 60_000_000_000;

    /// Whether bodies push toward the target, which has some chasers: until 30 to 60 s after it
    /// stopped or a body last took one of the places around it.
    #[inline]
    pub(crate) fn is_pressed(&self, now: NavTime, chasers: u32) -> bool {
        let more = Self::PRESSED_BY_CHASER * u64::from(chasers);
        let time = (Self::PRESSED + more).min(Self::PRESSED_MOST);
        self.still
            .is_none_or(|(_, since)| now.0 <= since.max(self.reached).0.saturating_add(time))
    }

    /// Whether the target has stood still for a second.
    #[inline]
    pub(crate) fn is_standing(&self, now: NavTime) -> bool {
        self.still
            .is_some_and(|(_, since)| now.0 >= since.0.saturating_add(Self::STANDS))
    }

    /// Notes that another body came within reach, where bodies like it have a number of places
    /// around the target.
    pub(crate) fn note_arrival(&mut self, now: NavTime, places: u16) {
        // A pack whose bodies take each other's places would push for minutes.
        if self.arrivals < places {
            self.arrivals += 1;
            self.reached = now;
        }
    }

    /// Whether an interval or a re-path distance is less than that of the fields, or is the first.
    pub(crate) fn is_closer(&self, interval: Period, repath_distance: f32) -> bool {
        self.aimed.is_none() || interval < self.interval || repath_distance < self.repath_distance
    }

    /// Lowers interval and re-path distance to what a chaser needs.
    pub(crate) fn follow_closer(&mut self, interval: Period, repath_distance: f32) {
        if self.aimed.is_none() {
            (self.interval, self.repath_distance) = (interval, repath_distance);
        }
        self.interval = self.interval.min(interval);
        self.repath_distance = self.repath_distance.min(repath_distance);
    }
}
