//! Starts the processes of a world, and watches them.

use crate::{
    Ask, Clock, Plan, WorldPlace, WorldReport, ZoneReport, ZonesError,
    check::{check, refuse_unclean},
    clock::since_1970,
    control::{ControlLine, SUPERVISOR, ZONES_MAX},
    faults::Faults,
    history::History,
    process::ENDED,
    table::live,
};
use chase::{Scenario, clock::Stopwatch, report::Digest};
use nav_formats::MapFile;
use nav_zones::{
    ZoneId,
    keeper::Keeper,
    nats::{Broker, NatsKeeper},
};
use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// How a world is run.
#[derive(Clone, Debug)]
pub struct WorldSettings {
    /// Columns and rows of zones.
    pub zones: (u16, u16),
    /// URL of the broker. For `None`, a broker is started.
    pub url: Option<String>,
    /// How zones keep time.
    pub clock: Clock,
    /// Processes, at least as many as zones. The others wait for a zone.
    pub processes: u32,
    /// Duration of a lease, and time between two snapshots, in milliseconds.
    pub lease: u64,
    /// See above.
    pub snapshots: u64,
    /// Number of faults, and their seed.
    pub faults: (u32, u64),
    /// Duration in real time. For `None`, until interrupted.
    pub seconds: Option<f64>,
    /// The program of the processes, which is this one.
    pub program: PathBuf,
}

/// Time between two checks of the processes. A guess.
const LOOK: Duration = Duration::from_millis(200);

/// How long to wait for processes to end before they are killed. A guess.
const END_WAIT: Duration = Duration::from_secs(20);

/// Time between the end of the last fault and the check of all agents. A guess: more than two
/// default leases.
const AFTER_FAULTS: Duration = Duration::from_secs(8);

/// A running world.
struct Running<'a> {
    settings: &'a WorldSettings,
    place: WorldPlace,
    plan: Plan,
    broker: Option<Broker>,
    keeper: NatsKeeper,
    line: ControlLine,
    processes: Vec<Child>,
    history: History,
}

/// Runs a scenario in zones, each in its own process, and returns what they did.
///
/// Calls `show` with the state of the world. Ends it when `is_over` returns `true`.
///
/// # Errors
///
/// [`ZonesError`], for instance if an agent is lost or doubled.
pub fn supervise(
    scenario: &Scenario,
    map: &MapFile,
    settings: &WorldSettings,
    mut show: impl FnMut(&str),
    is_over: impl Fn() -> bool,
) -> Result<WorldReport, ZonesError> {
    let mut running = Running::start(scenario, map, settings)?;
    show(&format!(
        "world {} at {}\n",
        running.place.world, running.place.url
    ));
    let clock = Stopwatch::start();
    let report = match settings.clock {
        Clock::Lockstep => running.run_in_step(&clock, &mut show, is_over),
        Clock::Free => running.run_free(&clock, &mut show, is_over),
    };
    running.end();
    report
}

impl<'a> Running<'a> {
    fn start(
        scenario: &Scenario,
        map: &MapFile,
        settings: &'a WorldSettings,
    ) -> Result<Self, ZonesError> {
        let name = format!("chase-{}-{}", std::process::id(), since_1970().as_millis());
        let broker = match &settings.url {
            Some(_) => None,
            None => Some(Broker::start(std::env::temp_dir().join(&name))?),
        };
        let url = match (&settings.url, &broker) {
            (Some(url), _) => url.clone(),
            (None, Some(broker)) => broker.url(),
            (None, None) => String::new(),
        };
        let place = WorldPlace {
            url,
            world: name,
            lease: settings.lease,
        };
        let connection = place.connect()?;
        let mut keeper = NatsKeeper::new(&connection)?;
        let began = since_1970().as_millis() as u64;
        let times = (settings.clock, began, settings.snapshots);
        let plan = Plan::keep(&mut keeper, scenario, map, settings.zones, times)?;
        if plan.layout.len() >= ZONES_MAX {
            let why = format!("{} zones are more than {ZONES_MAX}", plan.layout.len());
            return Err(ZonesError::Damaged(why));
        }
        let line = ControlLine::open(&connection, SUPERVISOR)?;
        let mut running = Self {
            settings,
            place,
            plan,
            broker,
            keeper,
            line,
            processes: Vec::new(),
            history: History::default(),
        };
        running.start_processes()?;
        Ok(running)
    }

    fn start_processes(&mut self) -> Result<(), ZonesError> {
        let zones: Vec<ZoneId> = self.plan.layout.zones().collect();
        match self.plan.clock {
            Clock::Lockstep => {
                for zone in zones {
                    self.start_process(Some(zone))?;
                }
            }
            Clock::Free => {
                let count = self.settings.processes.max(zones.len() as u32);
                for _ in 0..count {
                    self.start_process(None)?;
                }
            }
        }
        Ok(())
    }

    fn start_process(&mut self, zone: Option<ZoneId>) -> Result<(), ZonesError> {
        let WorldPlace { url, world, lease } = &self.place;
        let mut command = Command::new(&self.settings.program);
        command.args(["join", "--nats", url, "--world", world]);
        command.args(["--lease", &lease.to_string()]);
        if let Some(zone) = zone {
            command.args(["--zone", &zone.0.to_string()]);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        self.processes.push(child.map_err(ZonesError::Process)?);
        Ok(())
    }

    /// Receives reports of processes for a moment.
    fn listen(&mut self) {
        // While the broker is unavailable, nothing arrives.
        while let Ok(Some(report)) = self.line.receive::<ZoneReport>(LOOK) {
            self.history.note(report);
            if self.history.last().all(|last| last.sum.is_some()) {
                return;
            }
        }
    }

    fn run_in_step(
        &mut self,
        clock: &Stopwatch,
        show: &mut impl FnMut(&str),
        is_over: impl Fn() -> bool,
    ) -> Result<WorldReport, ZonesError> {
        let zones = usize::from(self.plan.layout.len());
        loop {
            self.listen();
            if let Some(sum) = self.history.sum(zones) {
                let mut report = self.history.report(clock.elapsed().as_secs_f64());
                report.digest = Some(Digest(sum.fingerprint()).to_string());
                return Ok(report);
            }
            self.refuse_failures()?;
            show(&live(&self.history));
            if is_over() {
                return Ok(self.history.report(clock.elapsed().as_secs_f64()));
            }
        }
    }

    fn run_free(
        &mut self,
        clock: &Stopwatch,
        show: &mut impl FnMut(&str),
        is_over: impl Fn() -> bool,
    ) -> Result<WorldReport, ZonesError> {
        let (count, seed) = self.settings.faults;
        let mut faults = Faults::new(count, seed);
        let lease = Duration::from_millis(self.settings.lease);
        let seconds = self.settings.seconds.map(Duration::from_secs_f64);
        let mut over_since = None;
        let mut shown = Duration::ZERO;
        loop {
            self.listen();
            let now = clock.elapsed();
            let broker = self.broker.as_mut();
            if let Some(what) = faults.step(now, &mut self.processes, broker, lease) {
                show(&format!("{:.1} s: {what}\n", now.as_secs_f64()));
            }
            if count == 0 {
                self.refuse_failures()?;
            } else {
                self.replace_ended()?;
            }
            if now >= shown + Duration::from_secs(1) {
                shown = now;
                show(&live(&self.history));
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
            if is_over() || over_since.is_some_and(|since| now >= since + rest) {
                break;
            }
        }
        let seconds = clock.elapsed().as_secs_f64();
        let audit = check(&self.place)?;
        refuse_unclean(&audit)?;
        let mut report = self.history.report(seconds);
        report.faults = faults.made;
        report.audited = Some(audit.agents);
        Ok(report)
    }

    /// Fails if a process ended with an error.
    fn refuse_failures(&mut self) -> Result<(), ZonesError> {
        for process in &mut self.processes {
            if let Ok(Some(status)) = process.try_wait()
                && !status.success()
            {
                return Err(ZonesError::Ended(status.to_string()));
            }
        }
        Ok(())
    }

    /// Replaces processes that ended.
    fn replace_ended(&mut self) -> Result<(), ZonesError> {
        let before = self.processes.len();
        self.processes
            .retain_mut(|process| matches!(process.try_wait(), Ok(None)));
        for _ in self.processes.len()..before {
            self.start_process(None)?;
        }
        Ok(())
    }

    /// Ends all processes.
    fn end(mut self) {
        let _ = self.keeper.put_named(ENDED, b"yes");
        let clock = Stopwatch::start();
        while clock.elapsed() < END_WAIT && !self.processes.is_empty() {
            let zones: Vec<ZoneId> = self.history.last().map(|last| ZoneId(last.zone)).collect();
            for zone in zones {
                let _ = self.line.ask(zone, Ask::End);
            }
            std::thread::sleep(LOOK);
            self.processes
                .retain_mut(|process| matches!(process.try_wait(), Ok(None)));
        }
        for mut process in self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
        if let Some(mut broker) = self.broker {
            let _ = broker.stop();
            let _ = std::fs::remove_dir_all(broker.store());
        }
    }
}
