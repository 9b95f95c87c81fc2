//! The program `nav_lab`, from the outside.

#[path = "../../../chase/tests/common/mod.rs"]
mod common;

mod cliffs;
mod pursuit;
mod scaling;
mod scen;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_nav_lab");
