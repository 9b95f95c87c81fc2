//! The `chase` program. All code is in the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    chase::cli::main()
}
