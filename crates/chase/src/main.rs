//! The program `chase`: its command line, a file for each command.

mod check;
mod compare;
mod comparison;
mod convert;
mod generate;
mod map_check;
#[cfg(not(feature = "serve"))]
mod no_serve;
mod path_options;
mod replay;
mod replayed;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod tracer;
mod values;

use clap::{Parser, Subcommand};
use nav_cli::run_program;
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
fn main() -> ExitCode {
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
        Ok(ExitCode::SUCCESS)
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    #[cfg(feature = "serve")]
    use nav_cli::usage_sentence;
    use nav_judge::shown_commands;

    #[test]
    fn command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn wrong_values_are_explained() {
        let none: [String; 0] = [];
        assert_eq!(nav_cli::unexplained_values(&super::Cli::command()), none);
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
