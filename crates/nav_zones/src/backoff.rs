//! Waits between attempts that fail.

use std::time::Duration;

/// Waits between attempts that fail: each is twice as long as the one before, up to a longest one.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    longest: Duration,
    next: Duration,
}

impl Backoff {
    /// The first wait: a lost answer is asked for again within the same tick at 20 Hz, and
    /// a broker that refuses is asked 200 times a second for a moment only.
    pub const FIRST: Duration = Duration::from_millis(5);

    /// Creates waits of at most `longest`.
    pub const fn new(longest: Duration) -> Self {
        let next = Self::FIRST;
        Self { longest, next }
    }

    /// Returns how long to wait after another failure.
    pub fn failed(&mut self) -> Duration {
        let wait = self.next.min(self.longest);
        self.next = wait.saturating_mul(2).max(Self::FIRST);
        wait
    }

    /// Begins with the first wait again.
    pub const fn succeeded(&mut self) {
        self.next = Self::FIRST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_the_longest() {
        let mut backoff = Backoff::new(Duration::from_millis(30));
        let waits = [(); 5].map(|()| backoff.failed().as_millis());
        assert_eq!(waits, [5, 10, 20, 30, 30]);
        backoff.succeeded();
        assert_eq!(backoff.failed(), Backoff::FIRST);
    }
}
