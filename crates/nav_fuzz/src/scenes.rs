//! Scenario files of the `MovingAI` benchmarks.

/// Returns whether it is one.
pub(crate) fn run(bytes: &[u8]) -> bool {
    nav_judge::read_scenario(bytes)
}
