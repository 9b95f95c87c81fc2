//! The command line, one file per subcommand.

mod cliffs;
mod films;
mod pursuit;
mod scaling;
mod scen;
mod sheets;

use crate::scaling::run_child;
use clap::{Parser, Subcommand};
use nav_cli::run_program;
use std::process::ExitCode;

/// Measures the chase plugin: searches on benchmark maps, pursuits of moving targets, how the time
/// of a tick grows with the number of chasers, and which actions of a game make ticks longer.
#[derive(Debug, Parser)]
#[command(name = "nav_lab", version, arg_required_else_help = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Cliffs(cliffs::CliffsArgs),
    Films(films::FilmsArgs),
    Pursuit(pursuit::PursuitArgs),
    Scaling(scaling::ScalingArgs),
    Scen(scen::ScenArgs),
    Sheets(sheets::SheetsArgs),
    /// Runs the scenario on standard input and prints its report: a process that `scaling` starts
    #[command(hide = true)]
    Child,
}

/// Runs the command named on the command line.
///
/// The exit code is 0 for success and 2 for any failure: see [`run_program`].
pub fn main() -> ExitCode {
    run_program(|cli: &Cli| {
        match &cli.command {
            Command::Cliffs(args) => cliffs::main(args)?,
            Command::Films(args) => films::main(args)?,
            Command::Pursuit(args) => pursuit::main(args)?,
            Command::Scaling(args) => scaling::main(args)?,
            Command::Scen(args) => scen::main(args)?,
            Command::Sheets(args) => sheets::main(args)?,
            Command::Child => run_child()?,
        }
        Ok(ExitCode::SUCCESS)
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    use nav_cli::{unexplained_values, usage_sentence};
    use nav_judge::shown_commands;

    #[test]
    fn command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn wrong_values_are_explained() {
        let none: [String; 0] = [];
        assert_eq!(unexplained_values(&super::Cli::command()), none);
    }

    #[test]
    fn wrong_arguments_in_a_sentence() {
        for (arguments, sentence) in [
            (
                "nav_lab",
                "'nav_lab' requires a subcommand but one was not provided [subcommands: cliffs, films, pursuit, scaling, scen, sheets, child, help]; see `nav_lab --help`",
            ),
            (
                "nav_lab cliff",
                "unrecognized subcommand 'cliff'; a similar subcommand exists: 'cliffs'; see `nav_lab --help`",
            ),
            (
                "nav_lab cliffs --runs 0",
                "invalid value '0' for '--runs <N>': expected a whole number from 1 to 100",
            ),
            (
                "nav_lab cliffs --threads all",
                "invalid value 'all' for '--threads <N>': expected a whole number from 1 to 1024",
            ),
            (
                "nav_lab pursuit --seed x",
                "invalid value 'x' for '--seed <N>': expected a whole number from 0 to 18446744073709551615",
            ),
            (
                "nav_lab scaling --threads 1,x",
                "invalid value 'x' for '--threads <N,..>': expected a whole number from 1 to 1024",
            ),
            (
                "nav_lab scaling --json a.svg",
                "invalid value 'a.svg' for '--json <FILE>': expected a file name that ends in .json, or - for standard output",
            ),
            (
                "nav_lab films",
                "the following required arguments were not provided: <FOLDER>; see `nav_lab films --help`",
            ),
            (
                "nav_lab scen a.map a.scen --limits 3",
                "unexpected argument '--limits' found; a similar argument exists: '--limit'; see `nav_lab scen --help`",
            ),
        ] {
            let words = arguments.split_whitespace();
            let error = super::Cli::try_parse_from(words).unwrap_err();
            assert_eq!(usage_sentence(&error), sentence, "{arguments}");
        }
    }

    #[test]
    fn it_takes_the_commands_of_the_documents() {
        let starts = [
            ("cargo lab", "nav_lab"),
            ("cargo run --profile dist -p nav_lab --", "nav_lab"),
        ];
        for words in shown_commands(&starts) {
            if let Err(error) = super::Cli::try_parse_from(&words) {
                panic!("{}: {error}", words.join(" "));
            }
        }
    }
}
