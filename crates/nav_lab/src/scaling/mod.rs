//! How the cost of a tick grows with the number of chasers: `nav_lab scaling`.
//!
//! Every point is a run in a child process, because task pools are global and memory is counted per
//! process.

mod child;
mod plot;
mod point;
mod shape;
mod table;

pub use child::run_child;
pub use plot::svg;
pub use point::Point;
pub use shape::scaled;
pub use table::{header, row};
