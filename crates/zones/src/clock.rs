//! The common clock of the processes of a world.

use crate::ZonesError;
use nav_zones::nats::NatsConnection;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Largest difference from the clock of the broker: far above that of machines that set their
/// clocks by the network, and below the minute beyond which zones refuse messages.
const DIFFERENCE_MAX: Duration = Duration::from_secs(10);

/// Fails if the clock of this machine is far from that of the broker.
///
/// # Errors
///
/// [`ZonesError::Clock`]; others if the broker does not answer.
pub(crate) fn require_clock(connection: &NatsConnection) -> Result<(), ZonesError> {
    let before = since_1970();
    let broker = connection.time()?;
    let after = since_1970();
    let ahead = before.saturating_sub(broker);
    let behind = broker.saturating_sub(after);
    if ahead.max(behind) > DIFFERENCE_MAX {
        return Err(ZonesError::Clock(ahead.max(behind), ahead > behind));
    }
    Ok(())
}

/// Returns the time since 1970, by which processes on several machines agree on the current tick.
#[expect(
    clippy::disallowed_methods,
    reason = "zones that run in real time have nothing else in common"
)]
pub(crate) fn since_1970() -> Duration {
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH).unwrap_or_default()
}
