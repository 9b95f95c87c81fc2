//! Tick counter of a zone.

use crate::{Zone, keeper::Term, ledger::Ledger};
use bevy_ecs::prelude::*;
use bevy_time::Time;

/// Begins a tick.
pub(crate) fn begin_tick(mut zone: ResMut<Zone>, time: Res<Time>, ledger: Option<Res<Ledger>>) {
    if zone.period == 0 {
        zone.tick += 1;
        zone.exchange.begin_tick(zone.tick, Term::default());
        return;
    }
    let tick = time.elapsed().as_nanos() / u128::from(zone.period);
    zone.tick = u64::try_from(tick).unwrap_or(u64::MAX);
    let link = ledger.map(|ledger| (ledger.link.term, ledger.link.holds()));
    let (term, holds) = link.unwrap_or_default();
    zone.holds = holds;
    zone.exchange.begin_tick(zone.tick, term);
}
