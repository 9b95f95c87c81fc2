//! Turns of agents that look around less often than in each tick.

use nav::{AgentId, NavClock, Period};

/// How often agents look around that need not do so in each tick: four looks a second see
/// a player that passes a gap, and leave one in 16 of such agents for each tick at 64 Hz.
pub(super) const LOOK_PERIOD: Period = Period::from_millis(250);

/// Whether an agent looks around in this tick. Agents are spread over the period by their ids.
pub(super) fn is_turn(clock: &NavClock, id: AgentId) -> bool {
    // Whether a multiple of the period, put off by the agent's share of it, lies between the two
    // ticks.
    let since = clock.now().0.saturating_sub(clock.previous().0);
    clock.now().put_off(id.0.into(), LOOK_PERIOD).0 % LOOK_PERIOD.nanos() < since
}
