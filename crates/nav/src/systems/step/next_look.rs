//! When a body that finds no cell looks again.

use crate::{MoveTimer, Period};

/// When a body that finds no cell looks again, unless it is woken before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NextLook {
    /// After its idle period.
    Idle,
    /// After its chasing period: one of those in front of a pack whose target goes on.
    Soon,
}

impl NextLook {
    /// All of them, in the order of their numbers.
    pub(super) const ALL: [Self; 2] = [Self::Idle, Self::Soon];

    /// That of a body which may be in front of a pack whose target goes on.
    #[inline]
    pub(super) const fn new(is_in_front: bool) -> Self {
        if is_in_front { Self::Soon } else { Self::Idle }
    }

    /// After how long that is.
    #[inline]
    pub(super) fn period(self, timer: &MoveTimer) -> Period {
        // Without a branch: who looks when follows no pattern.
        [timer.idle, timer.chasing][self as usize]
    }
}
