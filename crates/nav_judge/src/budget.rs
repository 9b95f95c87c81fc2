//! Judge of limits on work.

use nav_grid::{Limits, Path, PathQuery, Search, Status, Terrain};

/// Checks that a budget only turns an answer into `BudgetSpent`, never into a wrong one.
///
/// # Panics
///
/// If the answer is wrong, or if the search expands more than the budget allows.
pub fn judge_budget<S: Search + Default>(terrain: Terrain<'_>, query: &PathQuery, expansions: u32) {
    let (mut path, mut other) = (Path::new(), Path::new());
    let free = S::default().search(terrain, query, &mut path);
    let limits = Limits {
        expansions,
        ..query.limits
    };
    let tight = query.with_limits(limits);
    let capped = S::default().search(terrain, &tight, &mut other);
    assert!(capped.counters.expanded <= expansions, "{capped:?}");
    if capped.status == Status::BudgetSpent {
        // The expansion that the budget lacked may have found the goal.
        let is_spent = free.counters.expanded > expansions || free.status == Status::Found;
        assert!(is_spent, "{capped:?}, not {free:?}, to {query:?}");
    } else {
        assert_eq!((capped, &other), (free, &path), "{query:?}");
    }
}
