//! The state of zones, as a table.

use crate::{
    history::{History, WorldReport},
    report::ZoneReport,
};
use std::{fmt::Write, time::Duration};

/// Returns the current state of the zones, one line each.
///
/// A row is as old as it says. Behind a row stands why its zone cannot be kept.
pub(crate) fn live(history: &History, now: Duration) -> String {
    let mut text = String::from(
        " zone  process     tick   agents  mean ms  p99 ms  max ms  left out  hand-overs/s  kB/tick  lag  age s  lease ms  snapshot  unwritten  refused\n",
    );
    for (report, age) in history.aged(now) {
        let _ = line(&mut text, history, report, age);
    }
    text
}

fn line(
    text: &mut String,
    history: &History,
    report: &ZoneReport,
    age: Duration,
) -> std::fmt::Result {
    let before = history.before(report.zone);
    let handed_over = report.handed_over - before.map_or(0, |before| before.handed_over);
    let bytes = report.bytes - before.map_or(0, |before| before.bytes);
    let age = age.as_secs_f64();
    let trouble = report.trouble.as_deref().unwrap_or_default();
    writeln!(
        text,
        "{:5} {:8} {:8} {:8} {:8.2} {:7.2} {:7.2} {:9} {:13} {:8.1} {:4} {:6.0} {:9} {:9} {:10} {:8} {}",
        report.zone,
        report.process,
        report.tick,
        report.agents,
        report.mean,
        report.p99,
        report.max,
        report.left_out,
        handed_over,
        bytes as f64 / 1000.0 / report.ticks.max(1) as f64,
        report.lag,
        age,
        report.lease_left,
        report.snapshot_age,
        report.unwritten,
        report.refused,
        trouble,
    )
}

/// Returns what a world did, as a table.
pub fn table(report: &WorldReport) -> String {
    let mut text = String::from(
        " zone  processes   agents    ticks  left out  mean ms  p99 ms  max ms   handed     taken  kB/tick  messages/tick  lag  refused\n",
    );
    for zone in &report.zones {
        let _ = writeln!(
            text,
            "{:5} {:10} {:8} {:8} {:9} {:8.2} {:7.2} {:7.2} {:8} {:9} {:8.1} {:14.1} {:4} {:8}",
            zone.zone,
            zone.processes,
            zone.agents,
            zone.ticks,
            zone.left_out,
            zone.mean,
            zone.p99,
            zone.max,
            zone.handed_over,
            zone.taken_over,
            zone.bytes_per_tick / 1000.0,
            zone.messages_per_tick,
            zone.lag,
            zone.refused,
        );
    }
    let _ = writeln!(
        text,
        "{} agents; {:.1} hand-overs a second, 99 of 100 within {} ticks",
        report.agents, report.hand_overs_per_second, report.under_way_p99
    );
    if report.faults > 0 {
        let _ = writeln!(text, "{} faults", report.faults);
    }
    if let Some(agents) = report.audited {
        let (lost, doubled) = (report.lost, report.doubled);
        let zones = report.asked;
        let _ = match (lost + doubled, &report.silent[..], &report.unknown[..]) {
            (0, [], []) => writeln!(
                text,
                "each of the {agents} agents in the ledger lives in one of {zones} zones"
            ),
            (0, [], unknown) => writeln!(
                text,
                "no telling: zones {unknown:?} had no process when the broker lost its store"
            ),
            (0, silent, _) => writeln!(text, "no telling: zones {silent:?} do not answer"),
            _ => writeln!(
                text,
                "of {agents} agents {lost} are lost and {doubled} live twice"
            ),
        };
    }
    text
}
