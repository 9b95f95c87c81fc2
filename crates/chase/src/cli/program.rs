//! Command line handling shared by all programs of the workspace: exit codes, and errors of one
//! line.

use crate::{Error, error::one_line};
use clap::{Parser, error::ErrorKind};
use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

/// Exit code of every failure, as `clap` uses for a bad command line.
const FAILED: u8 = 2;

/// An error that ends a command.
pub trait Failure: Display {
    /// Whether the reader of standard output has closed it. This is no failure: `chase show big.map
    /// | head`.
    fn is_broken_pipe(&self) -> bool;
}

impl Failure for Error {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Parses the command line and runs it.
///
/// The exit code is that of `run`, or 2 for any failure, which prints one line on stderr. A command
/// line that cannot be parsed also prints the usage.
pub fn run_program<C: Parser, E: Failure>(run: impl FnOnce(&C) -> Result<ExitCode, E>) -> ExitCode {
    let command_line = match C::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return usage(&error),
    };
    match run(&command_line) {
        Ok(code) => code,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

/// Prints the help if it was requested, otherwise the error of the command line.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        // The option is right and its value is not: the expected form says it all.
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let text = error.to_string();
            let message = text.split("\n\n").next().unwrap_or_default();
            fail(message.strip_prefix("error: ").unwrap_or(message))
        }
        _ => {
            // A failure of this cannot be reported anywhere.
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
    }
}

fn fail(message: &str) -> ExitCode {
    // `eprintln!` would panic if stderr is closed.
    let _ = writeln!(io::stderr(), "error: {}", one_line(message));
    ExitCode::from(FAILED)
}
