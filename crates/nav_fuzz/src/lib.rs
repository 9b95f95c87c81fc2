//! What fuzz targets run: each function takes bytes that a fuzzer makes up, and panics when something is wrong.
//!
//! The targets in `fuzz/` call these functions, and `tests/corpora.rs` runs all that was kept of their inputs through
//! the same functions. Each returns whether the input meant something, so that tests can tell a corpus that is
//! out of date. [`Meter`](heap_meter::Meter) must be the allocator of the process.

mod frames;
mod maps;
mod queries;
mod saves;
mod scenarios;
mod scenes;
mod seeds;
mod tapes;
mod target;
mod traces;
mod worlds;

pub use seeds::seeds;
pub use target::Target;
