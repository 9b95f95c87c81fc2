//! Scenes whose digests are written down, and the table of the digests.
//!
//! [`SCENES`] lists them all. Each is short, covers one part of the plugin, and asserts that.
//! [`play`] runs one and returns the digest after each tick. The [`Table`] in `golden/digests.txt`
//! holds some of these, the same for every number of threads, build and machine. The program
//! `golden` runs the scenes with nothing but the standard library, and rewrites the table:
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
