//! Command line handling shared by all programs of the workspace: exit codes, and errors of one
//! line.

use crate::{Error, error::one_line};
use clap::{
    Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
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
/// The exit code is that of `run`, or 2 for any failure, which prints one line on stderr.
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
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A failure of this cannot be reported anywhere.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        _ => fail(&usage_sentence(error)),
    }
}

/// Returns the error of a command line as one sentence. It ends with the command that lists what is right, unless the
/// option is right and its value is not: then the expected form says it all.
pub fn usage_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    // The error, tips, the usage, and where more is said: `clap` parts them by empty lines.
    let mut parts = text.split("\n\n").map(str::trim);
    let first = parts.next().unwrap_or_default();
    let mut sentence = one_line(first.strip_prefix("error: ").unwrap_or(first));
    let mut command = "";
    for part in parts {
        // How to give a value that looks like an option is seldom what was meant.
        if let Some(tip) = part.strip_prefix("tip: ")
            && !tip.starts_with("to pass ")
        {
            sentence = format!("{sentence}; {}", one_line(tip));
        }
        command = part.strip_prefix("Usage: ").unwrap_or(command);
    }
    if is_about_value(error) {
        return sentence;
    }
    let words = command.split_whitespace();
    // Without a usage there is no name either.
    let names = words.take_while(|word| !word.starts_with(['-', '[', '<']));
    let help: Vec<&str> = names.chain(["--help"]).collect();
    format!("{sentence}; see `{}`", help.join(" "))
}

/// Returns the errors about senseless values that do not say what was expected, for each option and each first argument.
/// For tests of programs.
pub fn unexplained_values(program: &clap::Command) -> Vec<String> {
    let mut unexplained = Vec::new();
    let mut paths = vec![vec![program.get_name().to_owned()]];
    while let Some(words) = paths.pop() {
        let mut command = program.clone();
        command.build();
        for name in &words[1..] {
            command = command.find_subcommand(name).expect("it is there").clone();
        }
        let longs = command.get_opts().filter_map(|option| option.get_long());
        let options = longs.map(|long| vec![format!("--{long}"), "?!".to_owned()]);
        for arguments in options.chain([vec!["?!".to_owned()]]) {
            let line = words.iter().cloned().chain(arguments);
            if let Err(error) = program.clone().try_get_matches_from(line)
                && is_about_value(&error)
            {
                unexplained.push(usage_sentence(&error));
            }
        }
        let names = command.get_subcommands().map(|it| it.get_name().to_owned());
        paths.extend(names.map(|name| [&words[..], &[name]].concat()));
    }
    let explained = ["expected ", "possible values: ", "must be "];
    unexplained.retain(|said| !explained.iter().any(|words| said.contains(words)));
    unexplained
}

/// Returns whether a value is wrong, rather than missing.
fn is_about_value(error: &clap::Error) -> bool {
    match error.kind() {
        ErrorKind::ValueValidation => true,
        ErrorKind::InvalidValue => {
            let found = error.get(ContextKind::InvalidValue);
            found != Some(&ContextValue::String(String::new()))
        }
        _ => false,
    }
}

fn fail(message: &str) -> ExitCode {
    // `eprintln!` would panic if stderr is closed.
    let _ = writeln!(io::stderr(), "error: {}", one_line(message));
    ExitCode::from(FAILED)
}
