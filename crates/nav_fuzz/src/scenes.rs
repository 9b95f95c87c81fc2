//! Scenario files of the `MovingAI` benchmarks.

/// Returns whether the input is a scenario file.
pub(crate) fn run(bytes: &[u8]) -> bool {
    nav_judge::read_scenario(bytes)
}
