//! Fuzz targets as functions: each takes bytes from a fuzzer, and panics if the code under test is
//! wrong.
//!
//! The targets in `fuzz/` call these functions, and `tests/corpora.rs` runs all stored inputs
//! through them. Each returns whether the input was meaningful, so that tests can detect an
//! outdated corpus. [`Meter`](heap_meter::Meter) must be the allocator of the process.

mod files;
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
