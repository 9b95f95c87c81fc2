//! The `nav_lab` program; everything it does is in the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    nav_lab::cli::main()
}
