//! The program `chase`, from the outside.

#[path = "../common/mod.rs"]
mod common;

mod check;
mod command_line;
mod compare;
mod convert;
mod errors;
mod figures;
mod generate;
mod map_files;
mod memory;
mod pictures;
mod run;
mod scenarios;
#[cfg(not(feature = "serve"))]
mod serve;
mod show;
mod trace;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_chase");
