//! A process that runs zones of a world, one after another.

use crate::{
    Ending, Formats, OpenWorld, Plan, ZonesError,
    clock::require_clock,
    control::{Ask, CHECKER, ControlLine, SUPERVISOR, Stated},
    metrics::ZoneMetrics,
    report::{Reporter, ZoneReport},
    shown::Showing,
    zone_app::{failure, living, populate, tick, zone_app},
};
use bevy_app::App;
use nav_formats::MapFile;
use nav_sim::clock::Stopwatch;
use nav_zones::{
    Backoff, KeeperStatus, KeeperTask, KeptState, LayoutFollower, Statement, Zone, ZoneError,
    ZoneId, ZonePlugin, close,
    keeper::{Keeper, KeeperError, Lease},
    nats::{NatsBus, NatsConnection, NatsKeeper},
};
use std::{iter, thread, time::Duration};

/// How long a process without a zone sleeps before it looks again: a twelfth of the default lease.
const SPARE_SLEEP: Duration = Duration::from_millis(250);

/// Longest time added to that while the broker does not answer: below the default lease,
/// so that a zone stands for less than two leases after the broker is back.
const SPARE_SLEEP_MAX: Duration = Duration::from_secs(2);

/// Time between two reports, one line of the live table.
const REPORT: Duration = Duration::from_secs(1);

/// How long the keeper's thread waits for work at once: a small part of a tick, so that
/// agents handed over arrive before the next tick.
const KEEPER_WAIT: Duration = Duration::from_millis(2);

/// Reports for which a process keeps a zone that was merged into another one: other zones may hand
/// agents over until they know. A guess.
const MERGED_MAX: u32 = 10;

/// Why a process no longer has a zone.
enum End {
    /// It was asked to end.
    Asked,
    /// It gave the zone back, or another process took it.
    Gone,
}

/// How a process takes part in a world.
pub struct JoinSettings {
    /// The zone that it may have; any free one if left out.
    pub zone: Option<u16>,
    /// Where it shows its state.
    pub metrics: ZoneMetrics,
    /// Its end.
    pub ending: Ending,
}

/// Joins a world: runs zones until it is asked to end.
///
/// A broker that does not answer is asked again, less and less often.
///
/// # Errors
///
/// [`ZonesError`].
pub fn join(world: OpenWorld, settings: &JoinSettings) -> Result<(), ZonesError> {
    let OpenWorld {
        connection,
        mut keeper,
        mut plan,
        ..
    } = world;
    require_clock(&connection)?;
    let map = plan.map(&mut keeper)?;
    settings.metrics.tell_address();
    let (zone, ending) = (settings.zone.map(ZoneId), &settings.ending);
    let mut layout = LayoutFollower::new(&plan.layout);
    let mut avoided = None;
    let mut backoff = Backoff::new(SPARE_SLEEP_MAX);
    while !ending.is_asked() {
        let is_connected = connection.is_connected();
        settings.metrics.show(iter::empty(), is_connected);
        // The broker may have lost it: processes with zones write it again.
        if !read_again(&mut plan, &mut keeper)? {
            thread::sleep(SPARE_SLEEP);
            continue;
        }
        if plan.has_ended {
            return Ok(());
        }
        let taken = take_any(&mut keeper, &mut layout, zone, avoided.take());
        let end = match taken {
            Ok(Some(lease)) => {
                backoff.succeeded();
                let taken = lease.zone();
                run_zone(&connection, lease, (&plan, &map, settings)).map(|end| (taken, end))
            }
            Ok(None) => {
                backoff.succeeded();
                thread::sleep(SPARE_SLEEP);
                continue;
            }
            Err(error) => Err(error.into()),
        };
        match end {
            Ok((_, End::Asked)) => return Ok(()),
            Ok((taken, End::Gone)) => {
                tracing::info!(zone = taken.0, "has the zone no more");
                avoided = Some(taken);
            }
            // The zone is free again when its lease runs out.
            Err(error) if error.is_temporary() => {
                tracing::warn!(%error, "the broker is asked again");
                thread::sleep(SPARE_SLEEP + backoff.failed());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads the plan again, whose time has moved if the world was stopped meanwhile. Returns whether
/// the broker has one, or does not answer: the attempt to take a zone says what it says.
fn read_again(plan: &mut Plan, keeper: &mut NatsKeeper) -> Result<bool, ZonesError> {
    match Plan::of(keeper) {
        Ok(Some((_, now))) if !now.has_ended && now.formats != Formats::OWN => {
            Err(ZonesError::Formats(now.formats))
        }
        Ok(Some((_, now))) => {
            *plan = now;
            Ok(true)
        }
        Ok(None) => Ok(false),
        Err(error @ ZonesError::State(_)) => Err(error),
        Err(_) => Ok(true),
    }
}

/// Takes a free zone, except `avoided`, which this process has just given back.
fn take_any(
    keeper: &mut NatsKeeper,
    layout: &mut LayoutFollower,
    zone: Option<ZoneId>,
    avoided: Option<ZoneId>,
) -> Result<Option<Lease>, KeeperError> {
    let holder = format!("process {}", std::process::id());
    let mut wanted: Vec<ZoneId> = layout.now(keeper)?.zones().collect();
    wanted.retain(|&one| zone.is_none_or(|zone| zone == one) && Some(one) != avoided);
    for zone in wanted {
        match keeper.take(zone, &holder) {
            Ok(lease) => return Ok(Some(lease)),
            Err(KeeperError::Held { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Runs a zone in real time until it is given back or lost.
fn run_zone(
    connection: &NatsConnection,
    lease: Lease,
    (plan, map, settings): (&Plan, &MapFile, &JoinSettings),
) -> Result<End, ZonesError> {
    let zone = lease.zone();
    tracing::info!(zone = zone.0, term = lease.term().0, "has the zone");
    let mut keeper = NatsKeeper::new(connection)?;
    let state = KeptState::read(&mut keeper, &lease)?;
    let written = state.first_written();
    let running = Stopwatch::start();
    let lasts = Duration::from_millis(plan.lease);
    let (link, task) = KeeperTask::new(keeper, lease, state.progress(), lasts, running.elapsed());
    let keeping = thread::spawn(move || task.run(|| running.elapsed(), KEEPER_WAIT));
    let bus = NatsBus::new(connection, zone)?;
    let mut line = ControlLine::of_zone(connection, zone)?;
    let snapshots = Duration::from_millis(plan.snapshots);
    let plugin =
        ZonePlugin::new(plan.layout.clone(), plan.tick(), bus, link).snapshots_every(snapshots);
    let (mut app, nav_map) = zone_app(plan, map, plugin)?;
    if let Some(written) = written.filter(|_| layout_is_first(plan, zone)) {
        populate(&mut app, plan, nav_map, &written)?;
    }
    state.restore(app.world_mut())?;
    let end = run(&mut app, (plan, map), (connection, &mut line), settings);
    drop(app);
    // The thread gives the zone back, unless another process has it or the broker does not answer:
    // then the lease runs out.
    let waited = Stopwatch::start();
    while !keeping.is_finished() && waited.elapsed() < lasts {
        thread::sleep(KEEPER_WAIT);
    }
    end
}

/// Returns whether the world started with this zone. Later zones receive their agents from the
/// first ones.
fn layout_is_first(plan: &Plan, zone: ZoneId) -> bool {
    plan.layout.area(zone).is_some()
}

/// Runs ticks when they are due.
fn run(
    app: &mut App,
    (plan, map): (&Plan, &MapFile),
    (connection, line): (&NatsConnection, &mut ControlLine),
    settings: &JoinSettings,
) -> Result<End, ZonesError> {
    let period = plan.tick();
    let in_world = plan.time();
    let clock = Stopwatch::start();
    let now = || in_world + clock.elapsed();
    let number_at = |time: Duration| (time.as_nanos() / period.as_nanos().max(1)) as u64;
    let mut last = number_at(now());
    let mut reporter = Reporter::default();
    let mut next_report = now() + REPORT;
    let mut merged_for = 0;
    let mut showing = Showing::default();
    let (mut trouble, mut losses) = (None, KeeperStatus::of(app.world()).map(|kept| kept.losses));
    loop {
        // After a delay, one long tick replaces the missed ones.
        let number = number_at(now()).max(last + 1);
        let time = period * u32::try_from(number).unwrap_or(u32::MAX);
        thread::sleep(time.saturating_sub(now()));
        let stopwatch = Stopwatch::start();
        tick(app, time);
        let left_out = (number - last - 1).min(u64::from(u32::MAX));
        reporter.tick(stopwatch.elapsed().as_secs_f64() * 1000.0, left_out);
        last = number;
        match failure(app) {
            Ok(()) => {}
            Err(ZonesError::Zone(ZoneError::Keeper(KeeperError::Lost { .. }))) => {
                return Ok(End::Gone);
            }
            Err(error) => return Err(error),
        }
        if now() >= next_report {
            next_report += REPORT;
            let report = report(app, &mut reporter);
            tell_trouble(&report, &mut trouble);
            settings.show(&report, connection);
            let losses_now = KeeperStatus::of(app.world()).map(|kept| kept.losses);
            if losses_now != losses {
                losses = losses_now;
                plan.write_again(map, connection);
            }
            // Not sent if too much waits for the broker already: the next one says the same.
            let _ = line.send(SUPERVISOR, &report);
            let zone = app.world().resource::<Zone>();
            let is_merged = zone.layout().area(zone.id()).is_none();
            merged_for = if is_merged { merged_for + 1 } else { 0 };
            if merged_for > MERGED_MAX && living(app) == 0 {
                close(app.world_mut(), || thread::sleep(KEEPER_WAIT));
                return Ok(End::Gone);
            }
        }
        let _ = showing.step(app, line);
        if settings.ending.is_asked() {
            close(app.world_mut(), || thread::sleep(KEEPER_WAIT));
            return Ok(End::Asked);
        }
        match line.receive(Duration::ZERO)? {
            None => {}
            Some(Ask::State) => {
                let statement = Statement::of(app.world());
                let trouble = KeeperStatus::of(app.world()).and_then(|kept| kept.trouble);
                let _ = line.send(CHECKER, &Stated { statement, trouble });
            }
            Some(Ask::Show) => showing.begin(app),
            Some(Ask::GiveBack) => {
                close(app.world_mut(), || thread::sleep(KEEPER_WAIT));
                return Ok(End::Gone);
            }
        }
    }
}

/// Logs that the zone cannot be kept, or can be again.
fn tell_trouble(report: &ZoneReport, known: &mut Option<String>) {
    let ZoneReport {
        zone,
        unwritten,
        trouble,
        ..
    } = report;
    match (trouble, &known) {
        (Some(why), None) => tracing::warn!(zone, unwritten, why, "the zone cannot be kept"),
        (None, Some(_)) => tracing::info!(zone, "the zone is kept again"),
        _ => {}
    }
    known.clone_from(trouble);
}

fn report(app: &App, reporter: &mut Reporter) -> ZoneReport {
    let zone = app.world().resource::<Zone>();
    let kept = KeeperStatus::of(app.world());
    reporter.report((zone, kept), living(app))
}

impl JoinSettings {
    /// Shows the state of the zone of this process.
    fn show(&self, report: &ZoneReport, connection: &NatsConnection) {
        let report = iter::once((report, Duration::ZERO));
        self.metrics.show(report, connection.is_connected());
    }
}
