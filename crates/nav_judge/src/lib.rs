//! Naive judges for tests: of searches on grids, and of readers of files.
//!
//! Truth about paths is [`Dijkstra`](nav_grid::methods::Dijkstra), which shares no code with other methods, and
//! [`walk`], which goes by the letter of the rules. [`judge_exact_methods`] holds methods that find cheapest paths to
//! both, [`judge_all_methods`] every method to what it promises, [`judge_slices`] searches in slices to those at once,
//! and [`judge_budget`] searches with a budget to those without. [`read_map`] and [`read_scenario`] hold readers to
//! what callers rely on: no panic, no memory on the word of a header, errors that can be printed, and that what was
//! read is written and read again.
//!
//! [`Ground`] is what random maps are made of, and [`by_tier`] how much of everything tests try.
//!
//! Every judge here panics when what it judges is wrong.

mod budget;
mod every;
mod exact;
mod files;
mod ground;
mod random;
mod refusals;
mod sliced;
mod tier;
mod walk;

pub use budget::judge_budget;
pub use every::{Terms, judge_all_methods, judge_all_methods_by};
pub use exact::{judge_exact_methods, judge_exact_methods_by, truth_of};
pub use files::{
    check_error, frugally, mend_checksums, read_map, read_map_as_detected, read_scenario,
};
pub use ground::Ground;
pub use random::Xorshift;
pub use refusals::{has, served_last_step};
pub use sliced::{judge_slices, judge_slices_of, resume_to_end};
pub use tier::{by_tier, cases};
pub use walk::{cells, covered, settled, stands, step, walk};
