//! Searches of other crates, in the shape of [`nav_grid::Search`], for comparison.
//!
//! A peer's path is copied cell by cell into a [`nav_grid::Path`]. The copy counts as its work; it
//! is below one part in a hundred.

#![allow(
    dead_code,
    unused_imports,
    reason = "every benchmark compiles this module and uses what it needs of it"
)]

mod grid_pathfinding;
mod pathfinding;
mod textbook;

pub use self::grid_pathfinding::GridPathfinding;
pub use self::pathfinding::Pathfinding;
pub use self::textbook::Textbook;

use nav_grid::{Method, Outcome, Status, query::Counters, rules::Cost};

fn outcome(status: Status, cost: Cost, counters: Counters) -> Outcome {
    // It names methods of this crate only.
    Outcome::new(Method::AStar, status)
        .with_cost(cost)
        .with_counters(counters)
}
