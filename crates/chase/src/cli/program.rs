//! What all programs of the workspace do with a command line: exit codes, and errors of one line.

use crate::{Error, error::one_line};
use clap::{Parser, error::ErrorKind};
use std::{
    fmt::Display,
    io::{self, Write},
    process::ExitCode,
};

/// The exit code of every failure.
const FAILED: u8 = 2;

/// Why a command of a program failed.
pub trait Failure: Display {
    /// Whether the reader of standard output has gone away, which is no failure: `chase show big.map | head`.
    fn is_broken_pipe(&self) -> bool;
}

impl Failure for Error {
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Reads the command line and does what it says.
///
/// The exit code is that of `run`, or 2 for any failure, which prints one line on stderr; a command line that makes
/// no sense also prints the usage.
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

/// Prints help where it was asked for, and otherwise what is wrong with the command line.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        // The option is right and its value is not: what is expected says all there is to say.
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let text = error.to_string();
            let message = text.split("\n\n").next().unwrap_or_default();
            fail(message.strip_prefix("error: ").unwrap_or(message))
        }
        _ => {
            // There is nowhere left to report a failure of this.
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
    }
}

fn fail(message: &str) -> ExitCode {
    // `eprintln!` would panic where stderr is closed.
    let _ = writeln!(io::stderr(), "error: {}", one_line(message));
    ExitCode::from(FAILED)
}
