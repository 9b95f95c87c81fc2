//! Which scenes are drawn.

use nav_judge::by_tier;
use std::ops::Range;

/// As many as the variable `<of>_SEEDS` says, or the tier, from the seed `<of>_FIRST` on, 0 unless it is set.
pub fn seeds(of: &str, default: u64, soak: u64) -> Range<u64> {
    let number = |what: &str, default| {
        let value = std::env::var(format!("{of}_{what}")).ok();
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    let first = number("FIRST", 0);
    first..first + number("SEEDS", by_tier(default, soak))
}
