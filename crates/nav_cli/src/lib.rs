//! The command line of programs, and the files that they write.
//!
//! - [`run_program`] parses a command line and runs it: an exit code, and an error of one line.
//! - [`Failure`] is the error that ends a program; [`InFile`] names the file in its sentence.
//! - [`values`] parses values of options.
//! - [`JsonArgs`] is the option `--json` of all commands with results.
//! - [`OutFile`] is a file that is written whole or not at all, and [`print()`] is standard output.
//! - [`read_file`] reads files of bounded length, and [`FileError`] says why one cannot be read or
//!   written.
//!
//! An option may also be set by a variable of the environment, which its help names. The command
//! line counts first, and an empty variable as none.

mod file_error;
mod json;
mod output;
mod program;
pub mod values;

pub use file_error::{FILE_MAX, FileError, InFile, read_file};
pub use json::{JsonArgs, JsonOut};
pub use output::{OutFile, StdoutError, print};
pub use program::{Failure, one_line, run_program, unexplained_values, usage_sentence};
