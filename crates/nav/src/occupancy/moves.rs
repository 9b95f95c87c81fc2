//! When the bodies of a map last moved.

use crate::NavTime;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// When a body of a map last moved, came or went. Tasks that have bodies take their steps share it.
#[derive(Default)]
pub(crate) struct Moves {
    now: NavTime,
    last: AtomicU64,
}

impl Moves {
    pub(super) fn new(now: NavTime) -> Self {
        Self {
            now,
            last: AtomicU64::default(),
        }
    }

    pub(super) const fn set_now(&mut self, now: NavTime) {
        self.now = now;
    }

    #[cfg(feature = "serialize")]
    pub(super) fn set_last(&mut self, last: NavTime) {
        *self.last.get_mut() = last.0;
    }

    pub(super) fn last(&self) -> NavTime {
        NavTime(self.last.load(Relaxed))
    }

    /// Notes that a body moves.
    #[inline]
    pub(super) fn note(&self) {
        // Looked at first: threads that only read share a cache line.
        if self.last.load(Relaxed) != self.now.0 {
            self.last.store(self.now.0, Relaxed);
        }
    }
}
