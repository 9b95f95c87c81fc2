//! What tick it is.

use crate::{Zone, ledger::Ledger};
use bevy_ecs::prelude::*;
use bevy_time::Time;

/// Begins a tick.
pub(crate) fn begin_tick(mut zone: ResMut<Zone>, time: Res<Time>, ledger: Option<Res<Ledger>>) {
    if zone.period == 0 {
        zone.tick += 1;
        return;
    }
    let tick = time.elapsed().as_nanos() / u128::from(zone.period);
    zone.tick = u64::try_from(tick).unwrap_or(u64::MAX);
    let term = ledger.map(|ledger| ledger.link.term).unwrap_or_default();
    zone.rounds.begin_tick(zone.tick, term);
}
