//! Scenes whose digests are written down, and the table in which they are.
//!
//! [`SCENES`] are all of them: short, and each about one part of the plugin, which it asserts to have come into
//! play. [`play`] runs one and returns the digest after each tick; the [`Table`] in `golden/digests.txt` holds some
//! of these, the same for every number of threads, build and machine. The program `golden` runs them where there
//! is nothing but the standard library, and mints the table anew:
//!
//! ```sh
//! cargo run -p nav_tests --bin golden -- mint
//! ```

mod catalog;
mod chance;
mod recorder;
mod scenes;
mod table;

pub use catalog::{GoldenScene, SCENES, play, scene};
pub use recorder::Recorder;
pub use table::{Divergence, Table, TableError};
