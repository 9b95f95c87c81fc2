//! The choice of drawn scenes.

use nav_judge::by_tier;
use std::ops::Range;

/// Returns the seeds from the variable `<of>_FIRST` on, 0 unless it is set; `<of>_SEEDS` or the
/// tier sets their number.
pub fn seeds(of: &str, default: u64, soak: u64) -> Range<u64> {
    let number = |what: &str, default| {
        let value = std::env::var(format!("{of}_{what}")).ok();
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    let first = number("FIRST", 0);
    first..first + number("SEEDS", by_tier(default, soak))
}
