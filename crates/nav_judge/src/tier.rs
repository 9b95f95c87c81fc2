//! Tiers of tests: how much they try.

use std::env::{var, var_os};

/// Returns `soak` if the environment variable `NAV_SOAK` is set to anything, and `default`
/// otherwise.
///
/// The default tier runs after every change: as many cases as find most faults within seconds. The
/// soak tier runs at night.
pub fn by_tier<T>(default: T, soak: T) -> T {
    if var_os("NAV_SOAK").is_some() {
        soak
    } else {
        default
    }
}

/// Returns the number of cases that a property test draws: `PROPTEST_CASES` if set, and the number
/// of the tier otherwise.
///
/// # Panics
///
/// If `PROPTEST_CASES` is not a number.
pub fn cases(default: u32, soak: u32) -> u32 {
    let asked = var("PROPTEST_CASES").ok();
    asked.map_or_else(
        || by_tier(default, soak),
        |asked| asked.parse().expect("PROPTEST_CASES is a number of cases"),
    )
}
