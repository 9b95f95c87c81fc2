//! Starts the processes of a world, and watches them.

use crate::{
    BrokerArgs, Check, Ending, Formats, MetricsArgs, OpenWorld, Plan, WorldReport, ZoneMetrics,
    ZoneReport, ZonesError,
    check::{CANNOT_TELL, check},
    clock::{require_clock, since_1970},
    control::{ControlLine, SUPERVISOR, ZONES_MAX},
    faults::Faults,
    history::History,
    open::held,
    plan::map_name,
    processes::Processes,
    table::live,
};
use nav_formats::{MapFile, binary};
use nav_sim::{Scenario, clock::Stopwatch};
use nav_zones::{
    Backoff, ZoneId, ZoneLayout, last_tick, layout_now,
    nats::{Broker, NatsConnection},
};
use std::{path::PathBuf, time::Duration};

/// The world that is run.
pub enum Beginning {
    /// A new one.
    New {
        /// The scenario.
        scenario: Box<Scenario>,
        /// Its map.
        map: Box<MapFile>,
        /// Columns and rows of zones.
        zones: (u16, u16),
        /// Duration of a lease in milliseconds.
        lease: u64,
        /// Time between two snapshots in milliseconds.
        snapshots: u64,
    },
    /// The stopped one with this name, from where it stopped.
    Again(String),
}

/// How a world is run.
#[derive(Clone, Debug)]
pub struct WorldSettings {
    /// The broker. Without a URL, one is started.
    pub broker: BrokerArgs,
    /// Processes, at least as many as zones. The others wait for a zone.
    pub processes: u32,
    /// Number of faults, and their seed.
    pub faults: (u32, u64),
    /// Where the state of its zones is shown.
    pub metrics: MetricsArgs,
    /// Duration in real time. For `None`, until interrupted.
    pub seconds: Option<f64>,
    /// The program of the processes, which is this one.
    pub program: PathBuf,
}

/// Time between two checks of the processes. A guess.
const LOOK: Duration = Duration::from_millis(200);

/// Time between the end of the last fault and the check of all agents: more than two default
/// leases. In the first the lease of a lost process runs out, and in the second another one takes
/// its zone.
const AFTER_FAULTS: Duration = Duration::from_secs(8);

/// Longest time between two attempts to restart the own broker. A guess.
const RESTART_WAIT_MAX: Duration = Duration::from_secs(5);

/// A running world.
struct Running<'a> {
    settings: &'a WorldSettings,
    name: String,
    broker: BrokerArgs,
    world: OpenWorld,
    line: ControlLine,
    // Dropped in this order: the broker outlives the processes.
    processes: Processes,
    own_broker: Option<Broker>,
    history: History,
    metrics: ZoneMetrics,
}

/// Runs a world in zones, each in its own process, and returns what they did.
///
/// Calls `show` with the name of the world, then with its state. Ends it when that is asked for.
/// Processes that end before are replaced.
///
/// # Errors
///
/// [`ZonesError`]. Lost and doubled agents are in the report.
pub fn supervise(
    beginning: Beginning,
    settings: &WorldSettings,
    mut show: impl FnMut(Shown<'_>),
    ending: &Ending,
) -> Result<WorldReport, ZonesError> {
    let mut running = Running::start(beginning, settings)?;
    show(Shown::World(&running.name, &running.broker));
    running.metrics.tell_address();
    let clock = Stopwatch::start();
    let report = running.run(&clock, &mut show, ending);
    running.end();
    report
}

/// News of a supervisor.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'a> {
    /// The name of the world, and where it is. First, and once.
    World(&'a str, &'a BrokerArgs),
    /// The state of its zones, as a table. Each second.
    Zones(&'a str),
}

impl<'a> Running<'a> {
    fn start(beginning: Beginning, settings: &'a WorldSettings) -> Result<Self, ZonesError> {
        let metrics = ZoneMetrics::open(settings.metrics)?;
        let mut broker = settings.broker.clone();
        let (name, own_broker, world) = match beginning {
            Beginning::Again(name) => {
                let world = continued(&broker, &name)?;
                (name, None, world)
            }
            Beginning::New {
                scenario,
                map,
                zones: (columns, rows),
                lease,
                snapshots,
            } => {
                let layout = ZoneLayout::new(map.grid.size(), columns, rows)?;
                if layout.len() >= ZONES_MAX {
                    let why = format!("{} zones are more than {ZONES_MAX}", layout.len());
                    return Err(ZonesError::Damaged(why));
                }
                let name = format!("chase-{}-{}", std::process::id(), since_1970().as_millis());
                let own_broker = own_broker(&mut broker, &name)?;
                let bytes =
                    binary::write(&map).map_err(|error| ZonesError::Damaged(error.to_string()))?;
                let plan = Plan::new(&scenario, map_name(&bytes), layout, (snapshots, lease));
                let world = OpenWorld::create(&broker, &name, plan, &bytes)?;
                (name, own_broker, world)
            }
        };
        let mut running = Self {
            settings,
            line: ControlLine::open(&world.connection, SUPERVISOR)?,
            processes: Processes::new(settings.program.clone(), &broker, &name),
            name,
            broker,
            own_broker,
            world,
            history: History::default(),
            metrics,
        };
        let layout = layout_now(&mut running.world.keeper, &running.world.plan.layout)?;
        let count = u32::from(layout.len()).max(settings.processes);
        (0..count).try_for_each(|_| running.processes.start())?;
        Ok(running)
    }

    fn connection(&self) -> &NatsConnection {
        &self.world.connection
    }

    /// Waits a moment for reports of processes, and receives all that came.
    fn listen(&mut self, now: Duration) {
        let mut wait = LOOK;
        // While the broker is unavailable, nothing arrives.
        while let Ok(Some(report)) = self.line.receive::<ZoneReport>(wait) {
            self.history.note(report, now);
            wait = Duration::ZERO;
        }
    }

    /// Logs that the broker does not answer, or does again.
    fn tell_broker(&self, is_away: &mut bool) {
        if *is_away == self.connection().is_connected() {
            *is_away = !*is_away;
            if *is_away {
                tracing::warn!("the broker does not answer");
            } else {
                tracing::info!("the broker answers again");
            }
        }
    }

    fn run(
        &mut self,
        clock: &Stopwatch,
        show: &mut impl FnMut(Shown<'_>),
        ending: &Ending,
    ) -> Result<WorldReport, ZonesError> {
        let (count, seed) = self.settings.faults;
        let mut faults = Faults::new(count, seed);
        let lease = Duration::from_millis(self.world.plan.lease);
        let seconds = self.settings.seconds.map(Duration::from_secs_f64);
        let (mut over_since, mut shown, mut is_away) = (None, Duration::ZERO, false);
        let (mut restart_at, mut backoff) = (Duration::ZERO, Backoff::new(RESTART_WAIT_MAX));
        loop {
            self.listen(clock.elapsed());
            let now = clock.elapsed();
            let broker = self.own_broker.as_mut();
            if let Some(what) = faults.step(now, self.processes.children(), broker, lease) {
                tracing::warn!("{what}");
            }
            self.tell_broker(&mut is_away);
            let own = self.own_broker.as_mut();
            // Does nothing if it runs.
            if let Some(own) = own.filter(|_| !faults.has_broker() && now >= restart_at) {
                match own.restart() {
                    Ok(()) => backoff.succeeded(),
                    Err(error) => {
                        tracing::warn!(%error, "the broker cannot be started");
                        restart_at = now + backoff.failed();
                    }
                }
            }
            if ending.is_asked() {
                break;
            }
            self.processes.replace_ended()?;
            if now >= shown + Duration::from_secs(1) {
                shown = now;
                show(Shown::Zones(&live(&self.history, now)));
                let reports = self.history.aged(now);
                self.metrics.show(reports, self.connection().is_connected());
            }
            let (is_done, rest) = if count > 0 {
                (faults.are_over(), AFTER_FAULTS)
            } else {
                (seconds.is_some_and(|end| now >= end), Duration::ZERO)
            };
            if is_done && over_since.is_none() {
                over_since = Some(now);
            }
            if over_since.is_some_and(|since| now >= since + rest) {
                break;
            }
        }
        faults.end();
        let mut report = self.history.report(clock.elapsed().as_secs_f64());
        report.world.clone_from(&self.name);
        report.faults = faults.made;
        self.check(&mut report, ending.is_asked());
        Ok(report)
    }

    /// Adds a check of the world to its report.
    fn check(&mut self, report: &mut WorldReport, is_asked: bool) {
        match check(&mut self.world) {
            Ok(checked) => {
                report.note(&checked);
                // After an early end some zones may never have had a process, which is no failure.
                let mut silent = checked.audit.silent.iter();
                let has_begun = silent.any(|zone| self.history.has(zone.0));
                let is_known =
                    checked.troubles.is_empty() && checked.audit.unknown.is_empty() && !has_begun;
                if is_asked && report.code == CANNOT_TELL && is_known {
                    report.code = 0;
                }
            }
            Err(error) => {
                tracing::error!(%error, "no check");
                report.code = CANNOT_TELL;
            }
        }
    }

    /// Ends all processes.
    fn end(mut self) {
        if let Err(error) = Plan::end(&mut self.world.keeper) {
            tracing::warn!(%error, "the world is not marked as ended");
        }
        self.processes.end();
        drop(self.line);
        if let Some(mut broker) = self.own_broker {
            let _ = broker.stop();
            let _ = std::fs::remove_dir_all(broker.store());
        }
    }
}

/// Starts a broker of its own if none is named, and names it.
fn own_broker(broker: &mut BrokerArgs, world: &str) -> Result<Option<Broker>, ZonesError> {
    if broker.url.is_some() {
        return Ok(None);
    }
    let store = std::env::temp_dir().join(world);
    let started = Broker::start(&store);
    // Nothing is left of an attempt.
    let own = started.inspect_err(|_| drop(std::fs::remove_dir_all(&store)))?;
    *broker = BrokerArgs::new(&own.url());
    Ok(Some(own))
}

/// Opens a stopped world, and lets its time go on from where it stopped.
fn continued(broker: &BrokerArgs, name: &str) -> Result<OpenWorld, ZonesError> {
    let mut world = OpenWorld::open(broker, name)?;
    require_clock(&world.connection)?;
    let OpenWorld {
        keeper,
        plan,
        revision,
        ..
    } = &mut world;
    let held = held(keeper, plan.lease)?;
    if held > 0 {
        return Err(ZonesError::Held(held));
    }
    let zones: Vec<ZoneId> = layout_now(keeper, &plan.layout)?.zones().collect();
    // Before anything is written: it fails if the state of a zone cannot be read.
    let tick = last_tick(keeper, &zones)?;
    plan.continue_at(tick);
    (plan.has_ended, plan.formats) = (false, Formats::OWN);
    plan.keep(keeper, *revision)?;
    Ok(world)
}

impl WorldReport {
    fn note(&mut self, checked: &Check) {
        self.audited = Some(checked.audit.agents);
        self.lost = checked.audit.lost.len();
        self.doubled = checked.audit.doubled.len();
        self.asked = checked.audit.zones;
        self.silent = checked.audit.silent.iter().map(|zone| zone.0).collect();
        self.unknown = checked.audit.unknown.iter().map(|zone| zone.0).collect();
        self.code = checked.code();
    }
}
