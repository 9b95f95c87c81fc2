//! The `nav_lab` program. All code is in the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    nav_lab::cli::main()
}
