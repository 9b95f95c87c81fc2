//! Proofs over many worlds: golden digests, faults, drawn worlds, any order of systems, the harness.

mod arrive;
mod by_rows;
mod defaults;
mod determinism;
mod faults;
mod goldens;
mod harness;
mod pursuit;
mod readme;
mod shuffle;
