//! The length of a bench of ticks.

/// The ticks of a round, and the number of rounds.
pub struct Length {
    pub ticks: usize,
    pub rounds: usize,
    /// Whether it only shows that it runs: with `--test`.
    pub is_test: bool,
}

impl Length {
    /// Returns the length that the arguments ask for: in full, or one round of a few ticks.
    pub fn asked_for(ticks: usize, rounds: usize, ticks_of_a_test: usize) -> Self {
        let is_test = std::env::args().any(|argument| argument == "--test");
        let (ticks, rounds) = if is_test {
            (ticks_of_a_test, 1)
        } else {
            (ticks, rounds)
        };
        Self {
            ticks,
            rounds,
            is_test,
        }
    }
}
