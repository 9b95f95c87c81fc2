//! Answers scenario files of the `MovingAI` benchmarks by search methods, and judges the answers.
//!
//! [`lines`] returns the queries, and [`METHODS`] lists the methods. [`run`] asks, judges and
//! measures, and returns a [`ScenReport`]. All queries have the octile metric and strict corners,
//! as the lengths in the files do.
//!
//! An answer is wrong if
//!
//! - its path cannot be walked, ends elsewhere, or costs something else than the answer states;
//! - it has no path where the file gives a length, or has one where the start or the goal is
//!   blocked;
//! - its path is shorter than the length in the file;
//! - the method promises cheapest paths, and this path is longer than the length in the file, or
//!   dearer than the path of another method.
//!
//! A method may report that it cannot serve a query, or that it reached its limit on expansions:
//! this is not wrong. A method with a window is asked only the lines whose shortest paths cannot
//! leave it.
//!
//! Lengths in files are rounded, in older files to two decimals, so a difference of [`ROUNDING`] is
//! allowed. Costs of methods are whole numbers and must be equal.

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
