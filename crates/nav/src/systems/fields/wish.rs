//! How closely chasers want the field that they share to follow its target.

use crate::{Chaser, FieldAnchor, Period};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The shortest interval and the least displacement that chasers ask for in a tick. They ask from
/// several threads at once, in any order.
pub(super) struct FollowWish {
    /// In microseconds.
    interval: AtomicU32,
    /// The bits of a number that is not negative, which are in the order of such numbers.
    displacement: AtomicU32,
}

/// More than any displacement.
const NONE: u32 = u32::MAX;

impl Default for FollowWish {
    fn default() -> Self {
        Self {
            interval: NONE.into(),
            displacement: NONE.into(),
        }
    }
}

impl FollowWish {
    /// Notes what a chaser asks for that comes to the fields of a target with an anchor.
    pub(super) fn note(&self, chaser: &Chaser, anchor: &FieldAnchor) {
        let Chaser {
            repath_interval,
            displacement,
            ..
        } = *chaser;
        if anchor.is_closer(repath_interval, displacement) {
            lower(&self.interval, repath_interval.micros);
            lower(&self.displacement, displacement.to_bits());
        }
    }

    /// What was asked for, if anything was; from then on nothing.
    pub(super) fn take(&mut self) -> Option<(Period, f32)> {
        let displacement = std::mem::replace(self.displacement.get_mut(), NONE);
        let interval = std::mem::replace(self.interval.get_mut(), NONE);
        (displacement != NONE)
            .then(|| (Period::from_micros(interval), f32::from_bits(displacement)))
    }
}

/// Read first: most ask for the same.
fn lower(least: &AtomicU32, number: u32) {
    if number < least.load(Relaxed) {
        least.fetch_min(number, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellPosition, NavTime};

    #[test]
    fn the_least_of_each_is_kept_and_taken_once() {
        let mut wish = FollowWish::default();
        let asks = |millis, displacement| Chaser {
            repath_interval: Period::from_millis(millis),
            displacement,
            ..Chaser::default()
        };
        let nobody = FieldAnchor::default();
        wish.note(&asks(300, 2.0), &nobody);
        wish.note(&asks(400, 0.0), &nobody);
        assert_eq!(wish.take(), Some((Period::from_millis(300), 0.0)));
        assert_eq!(wish.take(), None);
        let followed = FieldAnchor {
            aimed: Some((CellPosition::new(1, 1), NavTime(0))),
            interval: Period::from_millis(300),
            displacement: 0.5,
            ..nobody
        };
        wish.note(&asks(300, 0.5), &followed);
        assert_eq!(wish.take(), None);
        wish.note(&asks(300, 0.25), &followed);
        assert_eq!(wish.take(), Some((Period::from_millis(300), 0.25)));
    }
}
