//! The program `nav_lab`, from the outside.

#[path = "../../../chase/tests/common/mod.rs"]
mod common;

mod pursuit;
mod scaling;
mod scen;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_nav_lab");
