//! The command line, one file a subcommand.

mod check;
mod convert;
mod generate;
mod json;
mod options;
mod pursuit;
mod replay;
mod run;
mod scaling;
mod scen;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod stdout;
mod tracer;
#[cfg(feature = "zones")]
mod zones;

use crate::error::one_line;
use clap::{Parser, Subcommand, error::ErrorKind};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// The exit code of every failure.
const FAILED: u8 = 2;
/// The exit code of a replay that differs from its trace.
const DIFFERS: u8 = 1;

/// Chase scenarios on grid maps, headless: how NPCs find their way to players, and what that
/// costs a server.
#[derive(Debug, Parser)]
#[command(name = "chase", version)]
struct Cli {
    /// What to do; runs the default scenario if left out.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
    Replay(replay::ReplayArgs),
    Scaling(scaling::ScalingArgs),
    Show(show::ShowArgs),
    Generate(generate::GenerateArgs),
    Check(check::CheckArgs),
    Convert(convert::ConvertArgs),
    Scen(scen::ScenArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    #[cfg(feature = "zones")]
    Zones(zones::ZonesArgs),
}

/// Runs the command that the command line names.
///
/// The exit code is 0 for success, 1 for a replay that differs from its trace, and 2 for any failure,
/// which prints one line on stderr; a command line that makes no sense also prints the usage.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let result = match &cli.command {
        Some(Command::Run(args)) => run::main(args),
        Some(Command::Replay(args)) => match replay::main(args) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::from(DIFFERS),
            Err(error) => Err(error),
        },
        Some(Command::Scaling(args)) => scaling::main(args),
        Some(Command::Show(args)) => show::main(args),
        Some(Command::Generate(args)) => generate::main(args),
        Some(Command::Check(args)) => check::main(args),
        Some(Command::Convert(args)) => convert::main(args),
        Some(Command::Scen(args)) => scen::main(args),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => serve::main(args),
        #[cfg(feature = "zones")]
        Some(Command::Zones(args)) => zones::main(args),
        None => run::main(&run::RunArgs::default()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => fail(&error.one_line()),
    }
}

/// Prints help where it was asked for, and otherwise what is wrong with the command line.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        // The option is right and its value is not: what is expected says all there is to say.
        ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
            let text = error.to_string();
            let message = text.split("\n\n").next().unwrap_or_default();
            fail(&one_line(
                message.strip_prefix("error: ").unwrap_or(message),
            ))
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
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::from(FAILED)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
