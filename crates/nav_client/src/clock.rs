//! Which tick the server is in, estimated from what arrives.

/// For how long the fastest message counts, in seconds; at least as long again in part.
const WINDOW: f64 = 5.0;

/// By how much of itself time is shown faster or slower, to come closer to the server's.
const SLEW: f64 = 0.1;

/// What is further off than so many seconds is set right at once.
const JUMP: f64 = 1.0;

/// Estimates the server's tick: that of the message that was fastest, and the time since. Old ones are
/// forgotten, since clocks drift.
#[derive(Clone, Debug)]
pub(crate) struct TickClock {
    tick_seconds: f64,
    /// By how many ticks the server is ahead of local time, by the fastest message since `since`, and by
    /// that of the window before.
    ahead: f64,
    ahead_before: f64,
    since: f64,
    /// The tick that is shown, and when it was.
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

    /// A message of a tick arrives.
    pub(crate) fn receive(&mut self, tick: u32, now: f64) {
        let ahead = f64::from(tick) - now / self.tick_seconds;
        if now > self.since + WINDOW {
            self.ahead_before = self.ahead;
            self.ahead = f64::NEG_INFINITY;
            self.since = now;
        }
        self.ahead = self.ahead.max(ahead);
    }

    /// Whether it is of ticks of this length, and a message of a tick that arrives now is about in time.
    pub(crate) fn fits(&self, tick_seconds: f64, tick: u32, now: f64) -> bool {
        let expected = now / self.tick_seconds + self.ahead.max(self.ahead_before);
        let off = (f64::from(tick) - expected) * self.tick_seconds;
        self.tick_seconds.total_cmp(&tick_seconds).is_eq() && off.abs() < WINDOW
    }

    /// The tick that is shown.
    pub(crate) fn shown(&self) -> Option<f64> {
        self.shown.map(|(tick, _)| tick)
    }

    /// Goes on to a moment that is shown `lag` seconds late; returns the tick that is shown, and the
    /// seconds since the one before. `None` before anything was received.
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
    fn the_fastest_message_counts_and_time_never_goes_back() {
        let mut clock = TickClock::new(0.05);
        assert_eq!(clock.advance(1.0, 0.0), None);
        // Messages of ticks of 50 ms, up to 4 ticks late, in the order in which they arrive.
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
