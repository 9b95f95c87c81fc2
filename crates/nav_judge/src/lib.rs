//! Naive judges for tests: of searches on grids, and of readers of files.
//!
//! The truth about paths is [`Dijkstra`](nav_grid::methods::Dijkstra), which shares no code with
//! other methods, and [`walk`], which follows the rules literally.
//!
//! - [`judge_exact_methods`] checks methods that find cheapest paths against both.
//! - [`judge_all_methods`] checks every method against its own promise.
//! - [`judge_slices`] checks that a search in slices answers like a search at once.
//! - [`judge_budget`] checks that a search with a budget answers like a search without one.
//! - [`read_map`] and [`read_scenario`] check what callers of readers rely on. Readers do not panic
//!   or reserve memory that a header claims. Errors can be printed. Maps can be written and read
//!   again.
//!
//! [`Ground`] is the recipe of a random map. [`metrics`] lists step costs to try. [`by_tier`] and
//! [`cases`] choose how much tests try. [`shown_commands`] finds the commands that documents show.
//!
//! Every judge panics if the code under test is wrong.

mod budget;
mod commands;
mod every;
mod exact;
mod files;
mod ground;
mod metrics;
mod random;
mod refusals;
mod sliced;
mod tier;
mod walk;

pub use budget::judge_budget;
pub use commands::shown_commands;
pub use every::{Terms, judge_all_methods, judge_all_methods_by};
pub use exact::{judge_exact_methods, judge_exact_methods_by, truth_of};
pub use files::{
    check_error, check_objects, check_warning, frugally, mend_checksums, read_map,
    read_map_as_detected, read_scenario,
};
pub use ground::Ground;
pub use metrics::metrics;
pub use random::Xorshift;
pub use refusals::{has, served_last_step};
pub use sliced::{judge_slices, judge_slices_of, resume_to_end};
pub use tier::{by_tier, cases};
pub use walk::{cells, covered, judge_way_out, settled, stands, step, walk};
