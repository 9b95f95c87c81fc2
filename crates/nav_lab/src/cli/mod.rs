//! The command line, one file per subcommand.

mod cliffs;
mod films;
mod pursuit;
mod scaling;
mod scen;
mod sheets;

use crate::{LabError, scaling::run_child};
use chase::cli::run_program;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measures the chase plugin: searches on benchmark maps, pursuits of moving targets, how the time
/// of a tick grows with the number of chasers, and which actions of a game make ticks longer.
#[derive(Debug, Parser)]
#[command(name = "nav_lab", version)]
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
        Ok::<_, LabError>(ExitCode::SUCCESS)
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    use nav_judge::shown_commands;

    #[test]
    fn command_line_is_consistent() {
        super::Cli::command().debug_assert();
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
