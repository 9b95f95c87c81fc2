//! The common clock of the processes of a world.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the time since 1970, by which processes on several machines agree on the current tick.
#[expect(
    clippy::disallowed_methods,
    reason = "zones that run in real time have nothing else in common"
)]
pub(crate) fn since_1970() -> Duration {
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).unwrap_or_default()
}
