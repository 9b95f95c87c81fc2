//! An estimate of the server's tick from the packets that arrive.

/// Seconds for which the fastest packet counts; up to twice as long, because the window before it
/// counts too: long enough to contain a fast packet, short enough to follow clock drift.
const WINDOW: f64 = 5.0;

/// Share by which shown time runs faster or slower to approach the server's time. A guess.
const SLEW: f64 = 0.1;

/// Error in seconds above which the shown tick jumps instead. A guess.
const JUMP: f64 = 1.0;

/// Estimates the server's tick from the fastest packet and the time since.
///
/// Old packets are forgotten, since clocks drift.
#[derive(Clone, Debug)]
pub(crate) struct TickClock {
    tick_seconds: f64,
    /// Ticks by which the server is ahead of local time: by the fastest packet since `since`, and
    /// by that of the window before.
    ahead: f64,
    ahead_before: f64,
    since: f64,
    /// The tick shown, and the local time when it was.
    shown: Option<(f64, f64)>,
}

impl TickClock {
    pub(crate) fn new(tick_seconds: f64) -> Self {
        Self {
            tick_seconds,
            ahead: f64::NEG_INFINITY,
            ahead_before: f64::NEG_INFINITY,
            since: f64::NEG_INFINITY,
            shown: None,
        }
    }

    /// Records the arrival of a packet.
    pub(crate) fn receive(&mut self, tick: u32, now: f64) {
        let ahead = f64::from(tick) - now / self.tick_seconds;
        if now > self.since + WINDOW {
            self.ahead_before = self.ahead;
            self.ahead = f64::NEG_INFINITY;
            self.since = now;
        }
        self.ahead = self.ahead.max(ahead);
    }

    /// Returns whether the tick length is the same, and a packet of `tick` arriving now is
    /// plausible.
    pub(crate) fn fits(&self, tick_seconds: f64, tick: u32, now: f64) -> bool {
        let expected = now / self.tick_seconds + self.ahead.max(self.ahead_before);
        let off = (f64::from(tick) - expected) * self.tick_seconds;
        self.tick_seconds.total_cmp(&tick_seconds).is_eq() && off.abs() < WINDOW
    }

    /// Returns the tick shown.
    pub(crate) fn shown(&self) -> Option<f64> {
        self.shown.map(|(tick, _)| tick)
    }

    /// Advances to `now`, shown `lag` seconds late. Returns the tick shown, and the seconds since
    /// the previous call. `None` before any packet.
    pub(crate) fn advance(&mut self, now: f64, lag: f64) -> Option<(f64, f64)> {
        let ahead = self.ahead.max(self.ahead_before);
        if ahead == f64::NEG_INFINITY {
            return None;
        }
        let goal = (now - lag) / self.tick_seconds + ahead;
        let (shown, before) = self.shown.unwrap_or((goal, now));
        let seconds = (now - before).max(0.0);
        let passed = seconds / self.tick_seconds;
        let off = goal - (shown + passed);
        let tick = if off.abs() * self.tick_seconds > JUMP {
            goal
        } else {
            shown + passed + off.clamp(-SLEW * passed, SLEW * passed)
        };
        self.shown = Some((tick, now));
        Some((tick, seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fastest_message_counts() {
        let mut clock = TickClock::new(0.05);
        assert_eq!(clock.advance(1.0, 0.0), None);
        // Packets of ticks of 50 ms, up to 4 ticks late, in order of arrival.
        let mut arrivals: Vec<(u32, u32)> =
            (0..400).map(|tick| (tick + tick * 7 % 5, tick)).collect();
        arrivals.sort_unstable();
        let mut last = f64::NEG_INFINITY;
        for (arrival, tick) in arrivals {
            let now = f64::from(arrival) * 0.05;
            clock.receive(tick, now);
            let (shown, _) = clock.advance(now, 0.1).unwrap();
            assert!(shown >= last, "{shown} after {last}");
            last = shown;
        }
        let (shown, _) = clock.advance(30.0, 0.1).unwrap();
        assert!((shown - 598.0).abs() < 0.01, "{shown}");
    }
}
