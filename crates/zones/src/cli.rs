//! The command line of `zones`.

use crate::{
    Beginning, BrokerArgs, Ending, JoinSettings, LEASE, ListedWorld, MetricsArgs, OpenWorld, Shown,
    Watching, WorldSettings, ZoneMetrics, ZonesError,
    check::CANNOT_TELL,
    delete_world, join,
    log::{self, LogArgs},
    merge, move_away, split, supervise, table, worlds,
};
use clap::{Parser, Subcommand};
use nav_cli::{
    Failure, JsonArgs, print, run_program,
    values::{above_zero, whole},
};
use nav_grid::Grid;
use nav_server::Settings;
use nav_sim::{
    Scenario, maps,
    scenario::{OptionsError, limits},
};
use nav_zones::{Backoff, Cut, nats::NatsError};
use std::{
    io::{self, IsTerminal, Write},
    ops::RangeInclusive,
    path::PathBuf,
    process::ExitCode,
    thread,
    time::Duration,
};

/// The scenario that runs if none is named: agents and targets all over the world, so that zones
/// have equal shares of them.
const WORLD: &[u8] = include_bytes!("../world.ron");

/// Numbers that zones can have.
const ZONES: RangeInclusive<u16> = 0..=u16::MAX;

/// Periods of leases in milliseconds. Below, a busy machine loses them, and no process need be
/// missed for longer than an hour.
const LEASES: RangeInclusive<u64> = 200..=3_600_000;

/// Periods of snapshots in milliseconds. Below, a zone writes more than it steps: a snapshot of
/// 100,000 agents takes 50 ms.
const SNAPSHOTS: RangeInclusive<u64> = 100..=3_600_000;

/// Longest time between two attempts of `join` to open its world: a broker that is away is not
/// asked more often than by a process without a zone.
const OPEN_WAIT_MAX: Duration = Duration::from_secs(2);

/// Most processes that can be asked for: more than a machine should run.
const PROCESSES_MAX: u32 = 1_000;

/// One world of chasers and targets in zones, each of which is a process, over a NATS broker: see
/// docs/book/src/zones.md.
#[derive(Debug, Parser)]
#[command(name = "zones", version, arg_required_else_help = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    log: LogArgs,
}

/// Runs a scenario in zones, each in its own process, over a NATS broker
///
/// The broker needs streams (`nats-server -js`). Without --nats and `NATS_URL` one is started on
/// this machine, if there is a program `nats-server` on the PATH or named by the variable
/// `NATS_SERVER`. At the end every agent must live in exactly one zone: the exit code is that of
/// `zones check`.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
struct RunArgs {
    /// Scenario: a RON file, or the name of a bundled scenario; 20,000 chasers of 1,000 targets all
    /// over a world if left out
    scenario: Option<PathBuf>,
    /// Continues this stopped world instead of beginning a new one
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["scenario", "zones", "lease", "snapshots"]
    )]
    world: Option<String>,
    /// Zones in a row and in a column
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "2x2", value_parser = grid)]
    zones: (u16, u16),
    #[command(flatten)]
    broker: BrokerArgs,
    /// Time to run; until Ctrl-C or SIGTERM if left out
    #[arg(long, value_name = "SECONDS", value_parser = above_zero(limits::SECONDS_MAX))]
    seconds: Option<f64>,
    /// Processes, if more than zones: those without a zone take over from others that die
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=PROCESSES_MAX))]
    processes: u32,
    /// How long a process holds a zone that does not renew its lease, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = LEASE, value_parser = whole(LEASES))]
    lease: u64,
    /// How often a snapshot is taken, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = whole(SNAPSHOTS))]
    snapshots: u64,
    /// Kills and stops processes and the broker this many times; ends with a check
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u32::MAX))]
    faults: u32,
    /// Seed of the faults
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    metrics: MetricsArgs,
    /// Prints nothing but the name of the world, and errors
    #[arg(long, short)]
    quiet: bool,
}

/// Joins a running world: takes free zones
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
struct JoinArgs {
    #[command(flatten)]
    world: WorldArgs,
    /// This zone only
    #[arg(long, value_name = "N", value_parser = whole(ZONES))]
    zone: Option<u16>,
    /// How long its leases last, in milliseconds: refused unless it is as in the plan of the world
    #[arg(long, value_name = "MS", value_parser = whole(LEASES))]
    lease: Option<u64>,
    #[command(flatten)]
    metrics: MetricsArgs,
    /// Ends with its standard input, as processes of a supervisor do
    #[arg(long, hide = true)]
    supervised: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(RunArgs),
    Join(JoinArgs),
    /// Shows a running world on the page of `chase serve`, see docs/book/src/serving.md; players
    /// cannot be taken
    Serve {
        #[command(flatten)]
        world: WorldArgs,
        #[command(flatten)]
        settings: Settings,
    },
    /// Checks that every agent of a running world lives in exactly one zone
    ///
    /// Exit code 0: they do. 1: agents are lost or live twice. 3: no telling, since a zone or the
    /// broker does not answer; or a zone cannot write at present.
    Check(WorldArgs),
    /// Lists the worlds at a broker, or deletes one
    Worlds {
        #[command(flatten)]
        broker: BrokerArgs,
        /// Deletes all that the broker has of this world
        #[arg(long, value_name = "NAME")]
        delete: Option<String>,
        /// Even if processes have zones of it
        #[arg(long, requires = "delete")]
        force: bool,
    },
    /// Cuts a zone of a running world in two
    Split {
        #[command(flatten)]
        world: WorldArgs,
        /// The zone
        #[arg(value_parser = whole(ZONES))]
        zone: u16,
        /// The first column of the new zone, a multiple of 64
        #[arg(
            long,
            value_name = "X",
            value_parser = whole(0..=Grid::SIDE_MAX),
            conflicts_with = "row",
            required_unless_present = "row"
        )]
        column: Option<u16>,
        /// The first row of the new zone, a multiple of 64
        #[arg(long, value_name = "Y", value_parser = whole(0..=Grid::SIDE_MAX))]
        row: Option<u16>,
    },
    /// Makes a zone of a running world part of another one
    Merge {
        #[command(flatten)]
        world: WorldArgs,
        /// The zone that goes
        #[arg(value_parser = whole(ZONES))]
        zone: u16,
        /// The zone that stays
        #[arg(value_parser = whole(ZONES))]
        into: u16,
    },
    /// Asks the process of a zone to give it to another one
    Move {
        #[command(flatten)]
        world: WorldArgs,
        /// The zone
        #[arg(value_parser = whole(ZONES))]
        zone: u16,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct WorldArgs {
    #[command(flatten)]
    broker: BrokerArgs,
    /// The name of the world, which `zones run` shows
    #[arg(long, value_name = "NAME")]
    world: String,
}

impl WorldArgs {
    /// Opens the world, which has to run.
    fn open(&self) -> Result<OpenWorld, ZonesError> {
        let world = OpenWorld::open(&self.broker, &self.world)?;
        world.plan.require_running(&self.world)?;
        Ok(world)
    }
}

fn grid(text: &str) -> Result<(u16, u16), String> {
    if let Some((columns, rows)) = text.split_once('x')
        && let (Ok(columns), Ok(rows)) = (columns.parse(), rows.parse())
    {
        return Ok((columns, rows));
    }
    Err("expected columns and rows, such as 2x2".into())
}

/// Runs the command named on the command line.
///
/// The exit code is 0 for success and 2 for any failure: see [`run_program`]. A check ends with
/// [its own](crate::Check::code), and so does a run that checks its world.
pub fn main() -> ExitCode {
    run_program(|cli: &Cli| {
        cli.log
            .begin(matches!(&cli.command, Command::Run(args) if args.quiet));
        match &cli.command {
            Command::Run(args) => return run(args),
            Command::Join(args) => join_world(args)?,
            Command::Serve { world, settings } => {
                let watching = Watching::open(world.open()?)?;
                settings.serve(watching.source(), &world.world)?;
            }
            Command::Check(world) => return check(world),
            Command::Worlds {
                broker,
                delete,
                force,
            } => match delete {
                Some(name) => delete_world(broker, name, *force)?,
                None => list(&worlds(broker)?)?,
            },
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
                let new = split(&mut world.open()?, *zone, cut)?;
                print(|out| writeln!(out, "zone {new} is new"))?;
            }
            Command::Merge { world, zone, into } => merge(&mut world.open()?, *zone, *into)?,
            Command::Move { world, zone } => move_away(&mut world.open()?, *zone)?,
        }
        Ok(ExitCode::SUCCESS)
    })
}

fn join_world(args: &JoinArgs) -> Result<(), Failure> {
    let ending = Ending::by_signals();
    if args.supervised {
        ending.with_input();
    }
    let mut backoff = Backoff::new(OPEN_WAIT_MAX);
    let mut world = loop {
        match args.world.open() {
            Err(error) if error.is_temporary() && !ending.is_asked() => {
                tracing::warn!(%error, "the broker is asked again");
                thread::sleep(backoff.failed());
            }
            opened => break opened?,
        }
    };
    if let Some(zone) = args.zone {
        world.require_zone(zone)?;
    }
    match args.lease {
        Some(asked) if asked != world.plan.lease => Err(ZonesError::Lease {
            world: world.plan.lease,
            asked,
        }
        .into()),
        _ => {
            let metrics = ZoneMetrics::open(args.metrics)?;
            let settings = JoinSettings {
                zone: args.zone,
                metrics,
                ending,
            };
            Ok(join(world, &settings)?)
        }
    }
}

fn list(worlds: &[ListedWorld]) -> Result<(), Failure> {
    for ListedWorld {
        name,
        has_ended,
        held,
    } in worlds
    {
        let state = if *has_ended { "ended" } else { "not ended" };
        print(|out| writeln!(out, "{name}: {state}, {} zones held", held.len()))?;
    }
    Ok(())
}

/// Checks a world. If the broker does not answer, the result is unknown.
fn check(args: &WorldArgs) -> Result<ExitCode, Failure> {
    let mut world = match args.open() {
        Err(error) if is_untold(&error) => return cannot_tell(&error),
        world => world?,
    };
    let checked = match crate::check(&mut world) {
        Err(error) if is_untold(&error) => return cannot_tell(&error),
        checked => checked?,
    };
    let audit = &checked.audit;
    print(|out| {
        writeln!(
            out,
            "{} agents in the ledger of {} zones, {} of them under way; {} lost, {} doubled, {} zones silent",
            audit.agents,
            audit.zones,
            audit.under_way,
            audit.lost.len(),
            audit.doubled.len(),
            audit.silent.len()
        )?;
        for zone in &audit.unknown {
            writeln!(
                out,
                "zone {} had no process when the broker lost its store: what happened there is not known",
                zone.0
            )?;
        }
        for (zone, why) in &checked.troubles {
            writeln!(out, "zone {} cannot write: {why}", zone.0)?;
        }
        Ok(())
    })?;
    Ok(ExitCode::from(checked.code()))
}

/// Returns whether an error says nothing about the world and the command.
const fn is_untold(error: &ZonesError) -> bool {
    match error {
        ZonesError::Nats(NatsError::Denied { .. } | NatsError::Lossy { .. })
        | ZonesError::Keeper(_)
        | ZonesError::Bus(_)
        | ZonesError::HasEnded(_) => true,
        error => error.is_temporary(),
    }
}

fn cannot_tell(error: &ZonesError) -> Result<ExitCode, Failure> {
    print(|out| writeln!(out, "no telling: {error}"))?;
    Ok(ExitCode::from(CANNOT_TELL))
}

fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let ending = Ending::by_signals();
    let beginning = match &args.world {
        Some(name) => Beginning::Again(name.clone()),
        None => begin(args)?,
    };
    let settings = WorldSettings {
        broker: args.broker.clone(),
        processes: args.processes,
        faults: (args.faults, args.seed),
        metrics: args.metrics,
        seconds: args.seconds,
        program: std::env::current_exe().map_err(ZonesError::Process)?,
    };
    let json = args.json.open()?;
    let is_shown = !args.quiet && !json.takes_stdout();
    let (mut lines, mut messages) = (0, 0);
    let show = |shown: Shown<'_>| match shown {
        Shown::World(name, broker) => {
            // By the name others join it.
            if args.quiet && !json.takes_stdout() {
                let _ = writeln!(io::stdout(), "{name}");
            } else if is_shown {
                let _ = writeln!(io::stderr(), "world {name} at {broker}");
            }
        }
        // Again every second.
        Shown::Zones(table) if is_shown && io::stderr().is_terminal() => {
            // A message below the table keeps it.
            let before = std::mem::replace(&mut messages, log::messages());
            redraw(table, if messages == before { lines } else { 0 });
            lines = table.lines().count();
        }
        Shown::Zones(_) => {}
    };
    let report = supervise(beginning, &settings, show, &ending)?;
    if args.quiet {
        json.write(&report)?;
    } else {
        json.report(&report, table(&report))?;
    }
    Ok(ExitCode::from(report.code))
}

/// Returns the new world that arguments ask for.
fn begin(args: &RunArgs) -> Result<Beginning, Failure> {
    let mut scenario = match &args.scenario {
        Some(name) => Scenario::named(name)?,
        None => Scenario::parse(WORLD).map_err(|error| ZonesError::Damaged(error.to_string()))?,
    };
    if let Some(seconds) = args.seconds {
        scenario.seconds = seconds;
        scenario.check().map_err(OptionsError)?;
    }
    let map = maps::load(scenario.map.as_ref())?;
    Ok(Beginning::New {
        scenario: Box::new(scenario),
        map: Box::new(map),
        zones: args.zones,
        lease: args.lease,
        snapshots: args.snapshots,
    })
}

/// Shows a table in place of the last `before` lines.
fn redraw(table: &str, before: usize) {
    let mut out = io::stderr();
    if before > 0 {
        let _ = write!(out, "\x1b[{before}A\x1b[J");
    }
    let _ = write!(out, "{table}");
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    use nav_cli::unexplained_values;
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
    fn it_takes_the_commands_of_the_documents() {
        let starts = [("zones", "zones"), ("cargo zones", "zones")];
        for words in shown_commands(&starts) {
            if let Err(error) = super::Cli::try_parse_from(&words) {
                panic!("{}: {error}", words.join(" "));
            }
        }
    }
}
