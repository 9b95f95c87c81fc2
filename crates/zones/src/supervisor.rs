//! Starts the processes of a world, and watches them.

use crate::{
    BrokerArgs, Check, Ending, MetricsArgs, OpenWorld, Plan, WorldReport, ZoneMetrics, ZoneReport,
    ZonesError,
    check::{CANNOT_TELL, check},
    clock::since_1970,
    control::{ControlLine, SUPERVISOR, ZONES_MAX},
    faults::Faults,
    history::History,
    open::{ENDED, connect},
    processes::Processes,
    table::live,
};
use nav_formats::MapFile;
use nav_sim::{Scenario, clock::Stopwatch};
use nav_zones::{
    Backoff, ZoneId,
    keeper::Keeper,
    nats::{Broker, NatsConnection, NatsKeeper},
};
use std::{path::PathBuf, time::Duration};

/// How a world is run.
#[derive(Clone, Debug)]
pub struct WorldSettings {
    /// Columns and rows of zones.
    pub zones: (u16, u16),
    /// The broker. Without a URL, one is started.
    pub broker: BrokerArgs,
    /// Processes, at least as many as zones. The others wait for a zone.
    pub processes: u32,
    /// Duration of a lease in milliseconds.
    pub lease: u64,
    /// Time between two snapshots in milliseconds.
    pub snapshots: u64,
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

/// Time between the end of the last fault and the check of all agents. A guess: more than two
/// default leases.
const AFTER_FAULTS: Duration = Duration::from_secs(8);

/// Longest time between two attempts to restart the own broker. A guess.
const RESTART_WAIT_MAX: Duration = Duration::from_secs(5);

/// A running world.
struct Running<'a> {
    settings: &'a WorldSettings,
    broker: BrokerArgs,
    world: OpenWorld,
    line: ControlLine,
    // Dropped in this order: the broker outlives the processes.
    processes: Processes,
    own_broker: Option<Broker>,
    history: History,
    metrics: ZoneMetrics,
}

/// Runs a scenario in zones, each in its own process, and returns what they did.
///
/// Calls `show` with the state of the world. Ends it when that is asked for. Processes that end
/// before are replaced.
///
/// # Errors
///
/// [`ZonesError`]. Lost and doubled agents are in the report.
pub fn supervise(
    scenario: &Scenario,
    map: &MapFile,
    settings: &WorldSettings,
    mut show: impl FnMut(&str),
    ending: &Ending,
) -> Result<WorldReport, ZonesError> {
    let name = format!("chase-{}-{}", std::process::id(), since_1970().as_millis());
    let mut running = Running::start(scenario, map, settings, &name)?;
    show(&format!("world {name} at {}\n", running.broker));
    running.metrics.tell_address();
    let clock = Stopwatch::start();
    let report = running.run(&clock, &mut show, ending);
    running.end();
    report
}

impl<'a> Running<'a> {
    fn start(
        scenario: &Scenario,
        map: &MapFile,
        settings: &'a WorldSettings,
        name: &str,
    ) -> Result<Self, ZonesError> {
        let metrics = ZoneMetrics::open(settings.metrics)?;
        let mut broker = settings.broker.clone();
        let mut own_broker = None;
        if broker.url.is_none() {
            let store = std::env::temp_dir().join(name);
            let started = Broker::start(&store);
            // Nothing is left of an attempt.
            let started = started.inspect_err(|_| drop(std::fs::remove_dir_all(&store)));
            own_broker = Some(started?);
        }
        if let Some(own) = &own_broker {
            broker = BrokerArgs::new(&own.url());
        }
        let connection = connect(&broker, name, settings.lease)?;
        let mut keeper = NatsKeeper::new(&connection)?;
        let began = since_1970().as_millis() as u64;
        let plan = Plan::keep(
            &mut keeper,
            scenario,
            map,
            settings.zones,
            began,
            (settings.snapshots, settings.lease),
        )?;
        if plan.layout.len() >= ZONES_MAX {
            let why = format!("{} zones are more than {ZONES_MAX}", plan.layout.len());
            return Err(ZonesError::Damaged(why));
        }
        let mut running = Self {
            settings,
            line: ControlLine::open(&connection, SUPERVISOR)?,
            processes: Processes::new(settings.program.clone(), &broker, name),
            broker,
            own_broker,
            world: OpenWorld {
                connection,
                keeper,
                plan,
            },
            history: History::default(),
            metrics,
        };
        let count = u32::from(running.world.plan.layout.len()).max(settings.processes);
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

    fn run(
        &mut self,
        clock: &Stopwatch,
        show: &mut impl FnMut(&str),
        ending: &Ending,
    ) -> Result<WorldReport, ZonesError> {
        let (count, seed) = self.settings.faults;
        let mut faults = Faults::new(count, seed);
        let lease = Duration::from_millis(self.settings.lease);
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
            if is_away == self.connection().is_connected() {
                is_away = !is_away;
                if is_away {
                    tracing::warn!("the broker does not answer");
                } else {
                    tracing::info!("the broker answers again");
                }
            }
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
                show(&live(&self.history, now));
                let reports = self.history.aged(now);
                self.metrics.show(reports, self.connection().is_connected());
            }
            let is_time = seconds.is_some_and(|seconds| now >= seconds);
            let is_done = if count > 0 {
                faults.are_over()
            } else {
                is_time
            };
            if is_done && over_since.is_none() {
                over_since = Some(now);
            }
            let rest = if count > 0 {
                AFTER_FAULTS
            } else {
                Duration::ZERO
            };
            if over_since.is_some_and(|since| now >= since + rest) {
                break;
            }
        }
        faults.end();
        let mut report = self.history.report(clock.elapsed().as_secs_f64());
        report.faults = faults.made;
        match check(&mut self.world) {
            Ok(checked) => {
                report.note(&checked);
                // After an early end some zones may never have had a process, which is no failure.
                let had_process = |zone: &ZoneId| self.history.has(zone.0);
                let has_begun = checked.audit.silent.iter().any(had_process);
                let is_known = checked.troubles.is_empty() && !has_begun;
                if ending.is_asked() && report.code == CANNOT_TELL && is_known {
                    report.code = 0;
                }
            }
            Err(error) => {
                tracing::error!(%error, "no check");
                report.code = CANNOT_TELL;
            }
        }
        Ok(report)
    }

    /// Ends all processes.
    fn end(mut self) {
        let _ = self.world.keeper.put_named(ENDED, b"yes");
        self.processes.end();
        drop(self.line);
        if let Some(mut broker) = self.own_broker {
            let _ = broker.stop();
            let _ = std::fs::remove_dir_all(broker.store());
        }
    }
}

impl WorldReport {
    fn note(&mut self, checked: &Check) {
        self.audited = Some(checked.audit.agents);
        self.lost = checked.audit.lost.len();
        self.doubled = checked.audit.doubled.len();
        self.silent = checked.audit.silent.iter().map(|zone| zone.0).collect();
        self.code = checked.code();
    }
}
