//! The clocks: processor time, and the time on the wall.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// Returns the processor time of all threads of this process.
///
/// Not the time on the wall: other programs of a shared machine would count, and threads in the
/// background would not.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A moment on the wall clock.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// Returns the moment `duration` from now.
    #[expect(
        clippy::disallowed_methods,
        reason = "it bounds a run, and the background work of a tick; no result of this repository's crates depends on it"
    )]
    pub fn after(duration: Duration) -> Self {
        Self(Instant::now() + duration)
    }

    /// Whether it has passed.
    pub fn has_passed(self) -> bool {
        Self::after(Duration::ZERO).0 >= self.0
    }
}
