//! The clock that the processes of a world have in common.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time since 1970, by which processes on several machines agree on what tick it is.
#[expect(
    clippy::disallowed_methods,
    reason = "zones that run in real time have nothing else in common"
)]
pub(crate) fn since_1970() -> Duration {
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).unwrap_or_default()
}
