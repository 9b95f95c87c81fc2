//! Scenario files of the `MovingAI` benchmarks, answered by search methods and judged.
//!
//! [`lines`] are the queries to ask, [`METHODS`] those that can be asked, and [`run`] asks,
//! judges, measures, and gives a [`ScenReport`]. All queries have the octile metric and strict
//! corners, which is what the lengths in the files are about.
//!
//! An answer is wrong if
//!
//! - it has a path that cannot be walked, that leads elsewhere, or that costs something else than
//!   the answer says;
//! - it denies a path of which the file gives the length, or has one where the start or the goal
//!   is blocked;
//! - its path is shorter than the length in the file;
//! - the method promises cheapest paths, and this one is longer than the length in the file, or
//!   dearer than the path of another method to the same query.
//!
//! A method that says that it cannot serve a query, or that its limit on expansions came first, is
//! not wrong. A method that searches a window is asked those lines only whose shortest paths cannot
//! leave it.
//!
//! Lengths in files are rounded, in older ones to two decimals, so that a difference of
//! [`ROUNDING`] counts as none. Costs of methods are whole numbers, so that they must be equal.

mod judge;
mod lines;
mod methods;
mod report;
mod run;

pub use judge::{ROUNDING, Wrong};
pub use lines::{Line, SizeError, lines};
pub use methods::{Candidate, METHODS, Searcher, UnknownMethod};
pub use report::{MethodReport, ScenReport, WrongAnswer};
pub use run::run;
