//! The command line, one file per subcommand.
//!
//! The public items are shared with other programs of the workspace: [`run_program`], [`JsonOut`],
//! [`print()`], [`options`] and, with the feature `serve`, `ServeOptions`.

mod check;
mod compare;
mod convert;
mod generate;
mod json;
#[cfg(not(feature = "serve"))]
mod no_serve;
pub mod options;
mod output;
mod path_options;
mod program;
mod replay;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod tracer;

pub use json::JsonOut;
pub use output::print;
pub use program::{Failure, run_program, unexplained_values, usage_sentence};
#[cfg(feature = "serve")]
pub use serve::ServeOptions;

use crate::Error;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exit code of a replay that differs from its trace. As `diff` does: 1 for a difference, 2 for
/// trouble.
const DIFFERS: u8 = 1;

/// Chase scenarios on grid maps, headless: how NPCs find their way to players, and what that
/// costs a server.
#[derive(Debug, Parser)]
#[command(name = "chase", version)]
struct Cli {
    /// Command; runs the default scenario if left out.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
    Replay(replay::ReplayArgs),
    Show(show::ShowArgs),
    Compare(compare::CompareArgs),
    Generate(generate::GenerateArgs),
    Check(check::CheckArgs),
    Convert(convert::ConvertArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    #[cfg(not(feature = "serve"))]
    Serve(no_serve::NoServeArgs),
}

/// Runs the command named on the command line.
///
/// The exit code is 0 for success, 1 for a replay that differs from its trace, and 2 for any
/// failure: see [`run_program`].
pub fn main() -> ExitCode {
    run_program(|cli: &Cli| {
        match &cli.command {
            Some(Command::Run(args)) => run::main(args)?,
            Some(Command::Replay(args)) => {
                if !replay::main(args)? {
                    return Ok(ExitCode::from(DIFFERS));
                }
            }
            Some(Command::Show(args)) => show::main(args)?,
            Some(Command::Compare(args)) => compare::main(args)?,
            Some(Command::Generate(args)) => generate::main(args)?,
            Some(Command::Check(args)) => check::main(args)?,
            Some(Command::Convert(args)) => convert::main(args)?,
            #[cfg(feature = "serve")]
            Some(Command::Serve(args)) => serve::main(args)?,
            #[cfg(not(feature = "serve"))]
            Some(Command::Serve(args)) => no_serve::main(args)?,
            None => run::main(&run::RunArgs::default())?,
        }
        Ok::<_, Error>(ExitCode::SUCCESS)
    })
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "serve")]
    use super::usage_sentence;
    use clap::{CommandFactory, Parser};
    use nav_judge::shown_commands;

    #[test]
    fn command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn wrong_values_are_explained() {
        let none: [String; 0] = [];
        assert_eq!(super::unexplained_values(&super::Cli::command()), none);
    }

    #[cfg(feature = "serve")]
    #[test]
    fn wrong_arguments_in_a_sentence() {
        for (arguments, sentence) in [
            (
                "chase serve --addr 8080",
                "invalid value '8080' for '--addr <ADDRESS:PORT>': expected an address and a port, such as 127.0.0.1:8080",
            ),
            (
                "chase serve --addr localhost:8080",
                "invalid value 'localhost:8080' for '--addr <ADDRESS:PORT>': expected an address and a port, such as 127.0.0.1:8080",
            ),
            (
                "chase serve --clients 0",
                "invalid value '0' for '--clients <N>': expected a whole number from 1 to 100000",
            ),
            (
                "chase serve --control me",
                "invalid value 'me' for '--control <WHO>': expected nobody, everyone, or a token of at least 8 letters, digits, - and _",
            ),
            (
                "chase serve --port 80",
                "unexpected argument '--port' found; see `chase serve --help`",
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
            ("chase", "chase"),
            ("cargo run --release --", "chase"),
            ("cargo run --profile dist --", "chase"),
            ("cargo serve", "chase serve"),
        ];
        for words in shown_commands(&starts) {
            if let Err(error) = super::Cli::try_parse_from(&words) {
                panic!("{}: {error}", words.join(" "));
            }
        }
    }
}
