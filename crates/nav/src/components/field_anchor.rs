//! Where the fields of a target lead, and how the target moves.

use super::CellPosition;
use crate::{NavTime, Period};
use bevy_ecs::prelude::*;
#[cfg(feature = "reflect")]
use bevy_reflect::prelude::ReflectDefault;
#[cfg(all(feature = "reflect", feature = "serialize"))]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use nav_grid::Cell;

/// Where a target was when the fields that its chasers share were last aimed at it, how often they are
/// aimed anew, and how the target moves.
///
/// The field around the target is aimed anew as soon as that is in another cell, if one of those who
/// share it is within 12 cells, at most once in 100 ms; where that holds for 32 targets and more, within
/// eight ticks. Otherwise it is at most once in an interval, and only if the target moved further than the
/// displacement, the least that any of the chasers asks for.
///
/// Comes with [`ChasedBy`](super::ChasedBy). The fields themselves are not kept with the world: they
/// follow from this place and the map, so a world that is saved and loaded goes on alike.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "reflect",
    reflect(opaque, Component, Default, Clone, Debug, PartialEq)
)]
#[cfg_attr(
    all(feature = "reflect", feature = "serialize"),
    reflect(Serialize, Deserialize)
)]
pub struct FieldAnchor {
    /// The place, and the moment from which on the interval counts; `None` as long as nobody shares
    /// a field.
    ///
    /// Where many fields are aimed in one tick that need not have been, the moment lies ahead by a
    /// part of the interval that follows from the place: so they are not all aimed anew in the same
    /// ticks from then on.
    pub aimed: Option<(CellPosition, NavTime)>,
    /// The same of the fields for those who are too far away for others. They are aimed anew when,
    /// for an eighth of the chasers, the target went away from that place by more than an eighth of
    /// the way that they still have, and their own interval is over.
    pub far: Option<(CellPosition, NavTime)>,
    /// The shortest [interval](super::Chaser::repath_interval) of those who share.
    pub interval: Period,
    /// The least [displacement](super::Chaser::displacement) of those who share.
    pub displacement: f32,
    /// The cell that the target is in, and since when; `None` before it was first seen.
    pub still: Option<(Cell, NavTime)>,
    /// The cell that it was in before, and whether it had come to that from the one that it is in now.
    pub before: (Cell, bool),
    /// When a chaser last came within reach, other than back to where others had it make room. Half a
    /// minute after that, or after the target came into its cell, bodies no longer make room for each
    /// other around it.
    pub reached: NavTime,
    /// Whether a chaser within 12 cells went by the field since that was aimed, or rested within reach:
    /// then it is aimed anew as soon as the target is in another cell.
    pub wanted: bool,
}

impl FieldAnchor {
    /// How long a target stays in one cell to count as standing, in nanoseconds.
    const STANDS: u64 = 1_000_000_000;

    /// For how long bodies push toward a target that stands if none of them comes nearer, in
    /// nanoseconds.
    const PRESSED: u64 = 30_000_000_000;

    /// Whether bodies that chase the target have others make room: as long as it moves, and until
    /// half a minute after one last reached it. Then there is no use in more of it.
    #[inline]
    pub(crate) const fn is_pressed(&self, now: NavTime) -> bool {
        match self.still {
            Some((_, since)) => {
                let last = if since.0 > self.reached.0 {
                    since
                } else {
                    self.reached
                };
                now.0 <= last.0.saturating_add(Self::PRESSED)
            }
            None => true,
        }
    }

    /// Whether the target has stood still for a second.
    #[inline]
    pub(crate) const fn is_standing(&self, now: NavTime) -> bool {
        match self.still {
            Some((_, since)) => now.0 >= since.0.saturating_add(Self::STANDS),
            None => false,
        }
    }
}

impl FieldAnchor {
    /// What two processes know together after a tick in which both had chasers of one target, or one of them
    /// had none: see [`shared`](crate::shared). In whichever order anchors are merged, the result is the same.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let is_aimed = |anchor: &Self| anchor.aimed.is_some();
        let latest = |one: Option<(CellPosition, NavTime)>,
                      other: Option<(CellPosition, NavTime)>| {
            let key = |of: &(CellPosition, NavTime)| (of.1, of.0.cell, of.0.offset);
            one.into_iter().chain(other).max_by_key(key)
        };
        let aimed = latest(self.aimed, other.aimed);
        let both = [self, other];
        // What is asked for counts once somebody shares.
        let (interval, displacement) = match (is_aimed(&self), is_aimed(&other)) {
            (true, false) => (self.interval, self.displacement),
            (false, true) => (other.interval, other.displacement),
            _ => (
                self.interval.min(other.interval),
                self.displacement.min(other.displacement),
            ),
        };
        // Since it was aimed last.
        let wanted = both.iter().any(|one| one.wanted && one.aimed == aimed);
        let seen = |one: &Self| (one.still.map(|(cell, since)| (since, cell)), one.before);
        let last_seen = both.into_iter().max_by_key(seen).unwrap_or(self);
        Self {
            aimed,
            far: latest(self.far, other.far),
            interval,
            displacement,
            still: last_seen.still,
            before: last_seen.before,
            reached: self.reached.max(other.reached),
            wanted,
        }
    }

    /// Whether an interval or a displacement asks for the fields to follow more closely than they
    /// do, or nobody asked before.
    pub(crate) fn is_closer(&self, interval: Period, displacement: f32) -> bool {
        self.aimed.is_none() || interval < self.interval || displacement < self.displacement
    }

    /// Has the fields follow as closely as an interval and a displacement ask for, too.
    pub(crate) fn follow_closer(&mut self, interval: Period, displacement: f32) {
        if self.aimed.is_none() {
            (self.interval, self.displacement) = (interval, displacement);
        }
        self.interval = self.interval.min(interval);
        self.displacement = self.displacement.min(displacement);
    }
}
