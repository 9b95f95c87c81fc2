//! Parses and runs a command line: settings, exit codes, and errors of one line.

use crate::StdoutError;
use clap::{
    Command, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
};

/// Exit code of every failure, as `clap` uses for a bad command line.
const FAILED: u8 = 2;

/// The error that ends a program: any error, whose message says what is wrong and what would be
/// right.
// Decision 30: docs/decisions/0030-programs-share-crates.md
pub type Failure = Box<dyn Error + Send + Sync>;

/// Parses the command line and runs it.
///
/// The exit code is that of `run`, or 2 for any failure, which prints one line on stderr. It is 0
/// if the reader of standard output has closed it, as in `chase show big.map | head`.
pub fn run_program<C: Parser>(run: impl FnOnce(&C) -> Result<ExitCode, Failure>) -> ExitCode {
    let matches = ignore_empty_variables(C::command()).try_get_matches();
    let command_line = match matches.and_then(|matches| C::from_arg_matches(&matches)) {
        Ok(command_line) => command_line,
        Err(error) => return usage(&error),
    };
    match run(&command_line) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

/// Lets options ignore their variables of the environment where these are empty.
fn ignore_empty_variables(command: Command) -> Command {
    let command = command.mut_args(|option| match option.get_env() {
        Some(name) if std::env::var_os(name).is_some_and(|value| value.is_empty()) => {
            option.env(None::<&'static str>)
        }
        _ => option,
    });
    command.mut_subcommands(ignore_empty_variables)
}

fn is_broken_pipe(failure: &Failure) -> bool {
    let stdout: Option<&StdoutError> = failure.downcast_ref();
    stdout.is_some_and(|StdoutError(error)| error.kind() == io::ErrorKind::BrokenPipe)
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

/// Returns the error of a command line as one sentence. It ends with the command that lists what is
/// right, unless the option is right and its value is not: then the expected form says it all.
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

/// Returns the errors about senseless values that do not say what was expected, for each option and
/// each first argument. For tests of programs.
///
/// # Panics
///
/// Never: commands that are looked for are there.
pub fn unexplained_values(program: &Command) -> Vec<String> {
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

/// Returns a text as exactly one line, whatever file names and messages of libraries contain: lines
/// are joined, and control characters escaped.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_whitespace() {
            if !line.ends_with(' ') {
                line.push(' ');
            }
        } else if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line() {
        assert_eq!(one_line("a\n  b\r\nc \u{1b}[0m\n"), "a b c \\u{1b}[0m");
        assert_eq!(one_line("plain words"), "plain words");
    }
}
