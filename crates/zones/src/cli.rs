//! The command line of `zones`.

use crate::{
    Clock, Watching, WorldPlace, WorldSettings, ZonesError, join, merge, move_away, refuse_unclean,
    split, supervise, table,
};
use chase::{
    Error, Scenario,
    cli::{JsonOut, ServeOptions, print, run_program},
    maps,
};
use clap::{Parser, Subcommand};
use nav_zones::Cut;
use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// One world of chasers and targets in zones, each of which is a process, over a NATS broker: see docs/ZONES.md.
#[derive(Debug, Parser)]
#[command(name = "zones", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs a scenario in zones, each in its own process, over a NATS broker
///
/// The broker needs streams (`nats-server -js`). Without --nats one is started on this machine, if
/// there is a program `nats-server` on the PATH or named by the variable `NATS_SERVER`. At the end
/// every agent must live in exactly one zone.
#[derive(Clone, Debug, clap::Args)]
struct RunArgs {
    /// Scenario: a RON file, or the name of a bundled scenario
    #[arg(default_value = "default")]
    scenario: PathBuf,
    /// Zones in a row and in a column
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "2x2", value_parser = grid)]
    zones: (u16, u16),
    /// A broker: nats://HOST:PORT
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// Each tick waits for all zones, as fast as possible; for the seconds of the scenario
    #[arg(long)]
    lockstep: bool,
    /// How long it runs; until Ctrl-C if left out
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Processes, if more than zones: those without a zone take over from others that die
    #[arg(long, value_name = "N", default_value_t = 0)]
    processes: u32,
    /// How long a process holds a zone that does not renew its lease, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = WorldPlace::LEASE, value_parser = clap::value_parser!(u64).range(200..=3_600_000))]
    lease: u64,
    /// How often a snapshot is taken, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(100..=3_600_000))]
    snapshots: u64,
    /// Kills and stops processes and the broker this many times; ends with a check
    #[arg(long, value_name = "N", default_value_t = 0)]
    faults: u32,
    /// Seed of the faults
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Writes a report as JSON to a file, or to standard output for -
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Prints nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(RunArgs),
    /// Joins a running world: takes free zones
    Join {
        #[command(flatten)]
        world: WorldArgs,
        /// This zone only
        #[arg(long, value_name = "N")]
        zone: Option<u16>,
    },
    /// Shows a running world on the page of `chase serve`, see docs/SERVER.md; players cannot be
    /// taken
    Serve {
        #[command(flatten)]
        world: WorldName,
        #[command(flatten)]
        options: ServeOptions,
    },
    /// Checks that every agent of a running world lives in exactly one zone
    Check(WorldArgs),
    /// Cuts a zone of a running world in two
    Split {
        #[command(flatten)]
        world: WorldArgs,
        /// The zone
        zone: u16,
        /// The first column of the new zone, a multiple of 64
        #[arg(
            long,
            value_name = "X",
            conflicts_with = "row",
            required_unless_present = "row"
        )]
        column: Option<u16>,
        /// The first row of the new zone, a multiple of 64
        #[arg(long, value_name = "Y")]
        row: Option<u16>,
    },
    /// Makes a zone of a running world part of another one
    Merge {
        #[command(flatten)]
        world: WorldArgs,
        /// The zone that goes
        zone: u16,
        /// The zone that stays
        into: u16,
    },
    /// Asks the process of a zone to give it to another one
    Move {
        #[command(flatten)]
        world: WorldArgs,
        /// The zone
        zone: u16,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct WorldName {
    /// The broker: nats://HOST:PORT
    #[arg(long, value_name = "URL")]
    nats: String,
    /// The name of the world, which `zones run` shows
    #[arg(long, value_name = "NAME")]
    world: String,
}

#[derive(Clone, Debug, clap::Args)]
struct WorldArgs {
    #[command(flatten)]
    name: WorldName,
    /// How long a process holds a zone that does not renew its lease, in milliseconds: the same for all processes
    #[arg(long, value_name = "MS", default_value_t = WorldPlace::LEASE, value_parser = clap::value_parser!(u64).range(200..=3_600_000))]
    lease: u64,
}

impl WorldArgs {
    fn place(&self) -> WorldPlace {
        WorldPlace {
            lease: self.lease,
            ..WorldPlace::new(&self.name.nats, &self.name.world)
        }
    }
}

fn grid(text: &str) -> Result<(u16, u16), String> {
    let sides = text.split_once('x');
    let sides = sides.and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    sides.ok_or_else(|| "columns and rows, as 2x2".into())
}

/// Runs the command named on the command line.
///
/// The exit code is 0 for success and 2 for any failure: see [`run_program`].
pub fn main() -> ExitCode {
    run_program(|cli: &Cli| {
        match &cli.command {
            Command::Run(args) => run(args)?,
            Command::Join { world, zone } => join(&world.place(), *zone)?,
            Command::Serve { world, options } => {
                let watching = Watching::open(&WorldPlace::new(&world.nats, &world.world))?;
                options.serve(watching.source(), &world.world)?;
            }
            Command::Check(world) => check(&world.place())?,
            Command::Split {
                world,
                zone,
                column,
                row,
            } => {
                let cut = match (column, row) {
                    (Some(column), _) => Cut::Column(*column),
                    (None, row) => Cut::Row(row.unwrap_or_default()),
                };
                let new = split(&world.place(), *zone, cut)?;
                print(|out| writeln!(out, "zone {new} is new"))?;
            }
            Command::Merge { world, zone, into } => merge(&world.place(), *zone, *into)?,
            Command::Move { world, zone } => move_away(&world.place(), *zone)?,
        }
        Ok::<_, ZonesError>(ExitCode::SUCCESS)
    })
}

fn check(place: &WorldPlace) -> Result<(), ZonesError> {
    let audit = crate::check(place)?;
    print(|out| {
        writeln!(
            out,
            "{} agents, {} of them under way; {} lost, {} doubled, {} zones silent",
            audit.agents,
            audit.under_way,
            audit.lost.len(),
            audit.doubled.len(),
            audit.silent.len()
        )
    })?;
    refuse_unclean(&audit)
}

fn run(args: &RunArgs) -> Result<(), ZonesError> {
    let mut scenario = Scenario::named(&args.scenario).map_err(Error::from)?;
    if let Some(seconds) = args.seconds {
        scenario.seconds = seconds;
        scenario.check().map_err(Error::Options)?;
    }
    let map = maps::load(scenario.map.as_ref())?;
    let settings = WorldSettings {
        zones: args.zones,
        url: args.nats.clone(),
        clock: if args.lockstep {
            Clock::Lockstep
        } else {
            Clock::Free
        },
        processes: args.processes,
        lease: args.lease,
        snapshots: args.snapshots,
        faults: (args.faults, args.seed),
        seconds: args.seconds,
        program: std::env::current_exe().map_err(ZonesError::Process)?,
    };
    let json = args.json.as_deref().map(JsonOut::open).transpose()?;
    let is_shown = !args.quiet && !matches!(json, Some(JsonOut::Stdout));
    let is_over = interrupted();
    let mut lines = 0;
    let show = |text: &str| {
        if is_shown && io::stderr().is_terminal() {
            lines = redraw(text, lines);
        } else if is_shown && !text.starts_with(' ') {
            // The table goes to stderr: it is for watching, and comes again every second.
            let _ = write!(io::stderr(), "{text}");
        }
    };
    let report = supervise(&scenario, &map, &settings, show, || is_over.load(Relaxed))?;
    if let Some(json) = json {
        json.write(&report)?;
    }
    if is_shown {
        print(|out| write!(out, "{}", table(&report)))?;
    }
    Ok(())
}

/// Shows a table in place of the previous one, and other messages below it. Returns the number of
/// lines of the table.
fn redraw(text: &str, before: usize) -> usize {
    let mut out = io::stderr();
    let is_table = text.starts_with(' ');
    if is_table && before > 0 {
        let _ = write!(out, "\x1b[{before}A\x1b[J");
    }
    let _ = write!(out, "{text}");
    if is_table { text.lines().count() } else { 0 }
}

/// Returns a flag that is set when Ctrl-C is pressed.
fn interrupted() -> Arc<AtomicBool> {
    let is_over = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&is_over);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        if let Ok(runtime) = runtime
            && runtime.block_on(tokio::signal::ctrl_c()).is_ok()
        {
            noted.store(true, Relaxed);
        }
    });
    is_over
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
