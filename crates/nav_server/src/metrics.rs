//! Metrics in the text format of Prometheus, version 0.0.4.

use nav::NavCounts;
use nav_sim::percentile::Spread;
use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write,
    time::Duration,
};

/// The content type of this format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4";

/// Ticks whose times are kept: a minute at 20 per second.
const TICKS: usize = 1200;

/// Times of the last ticks.
#[derive(Default)]
pub(crate) struct Times(VecDeque<Duration>);

impl Times {
    pub(crate) fn push(&mut self, time: Duration) {
        if self.0.len() == TICKS {
            self.0.pop_front();
        }
        self.0.push_back(time);
    }

    /// Returns the last time in milliseconds.
    pub(crate) fn last_ms(&self) -> f64 {
        self.0.back().map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }

    /// Returns the spread of the last `ticks` times in milliseconds.
    pub(crate) fn spread_ms(&self, ticks: usize) -> Spread {
        let last = self.0.iter().rev().take(ticks);
        let mut last: Vec<_> = last.map(|time| time.as_secs_f64() * 1e3).collect();
        Spread::of(&mut last)
    }
}

/// Name, help and value of a metric.
type Value = (&'static str, &'static str, f64);

/// Counters of a running host.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Times of the simulation, and of sending the changes after it.
    pub(crate) tick_times: Times,
    pub(crate) publish_times: Times,
    pub(crate) ticks: u64,
    pub(crate) frames: u64,
    pub(crate) missed: u64,
    pub(crate) closed: u64,
    pub(crate) refused: u64,
}

/// Values read when metrics are requested.
pub(crate) struct Gauges {
    pub(crate) total: NavCounts,
    /// Parts of the indexes of the map, and those of them that are due.
    pub(crate) map_parts: u64,
    pub(crate) map_parts_due: u64,
    /// Searches by method.
    pub(crate) by_method: BTreeMap<&'static str, u64>,
    pub(crate) late: u64,
    pub(crate) agents: usize,
    pub(crate) clients: usize,
    pub(crate) players: usize,
    pub(crate) seats: usize,
    pub(crate) is_paused: bool,
    pub(crate) waiting: usize,
}

impl Metrics {
    /// Returns all metrics as text.
    pub(crate) fn text(&self, gauges: &Gauges) -> String {
        let mut text = String::new();
        let values = self.of_ticks(gauges).into_iter();
        // Writing to a string cannot fail.
        for (name, help, value) in values.chain(self.of_clients(gauges)) {
            let name = format!("chase_{name}");
            write_metric_head(&mut text, &name, help);
            let _ = writeln!(text, "{name} {value}");
        }
        write_searches(&mut text, &gauges.total, &gauges.by_method);
        text
    }

    /// Name, help and value of what the simulation does.
    fn of_ticks(&self, gauges: &Gauges) -> [Value; 13] {
        let tick = self.tick_times.spread_ms(TICKS);
        let publish = self.publish_times.spread_ms(TICKS);
        let total = &gauges.total;
        [
            ("ticks_total", "Ticks run.", self.ticks as f64),
            (
                "late_ticks_total",
                "Ticks that began late.",
                gauges.late as f64,
            ),
            (
                "tick_seconds_p50",
                "Median of the last 1200 ticks.",
                tick.p50 / 1e3,
            ),
            (
                "tick_seconds_p99",
                "99 of 100 of them took no longer.",
                tick.p99 / 1e3,
            ),
            ("tick_seconds_max", "The longest of them.", tick.max / 1e3),
            (
                "publish_seconds_p50",
                "Median of the time of writing to clients after each tick.",
                publish.p50 / 1e3,
            ),
            (
                "publish_seconds_p99",
                "99 of 100 of these times are no longer.",
                publish.p99 / 1e3,
            ),
            (
                "publish_seconds_max",
                "The longest of these times.",
                publish.max / 1e3,
            ),
            ("steps_total", "Steps taken.", total.steps as f64),
            ("fields_total", "Fields made.", total.fields as f64),
            (
                "search_work_total",
                "Work of searches and fields.",
                total.expanded as f64,
            ),
            (
                "map_parts",
                "Parts of the regions and portals of the map.",
                gauges.map_parts as f64,
            ),
            (
                "map_parts_due",
                "Those that are still to be built.",
                gauges.map_parts_due as f64,
            ),
        ]
    }

    /// Name, help and value of who watches it.
    fn of_clients(&self, gauges: &Gauges) -> [Value; 10] {
        [
            ("agents", "Agents on the map.", gauges.agents as f64),
            ("clients", "Clients connected.", gauges.clients as f64),
            (
                "players_owned",
                "Players that a client owns.",
                gauges.players as f64,
            ),
            (
                "seats",
                "Players that a client may own.",
                gauges.seats as f64,
            ),
            (
                "paused",
                "1 while the simulation is paused.",
                f64::from(u8::from(gauges.is_paused)),
            ),
            (
                "frames_waiting",
                "Frames in the queues of all clients.",
                gauges.waiting as f64,
            ),
            (
                "frames_total",
                "Frames put into queues.",
                self.frames as f64,
            ),
            (
                "frames_missed_total",
                "Frames that a full queue did not take.",
                self.missed as f64,
            ),
            (
                "clients_closed_total",
                "Clients that the host closed.",
                self.closed as f64,
            ),
            (
                "orders_refused_total",
                "Wishes of clients that were refused.",
                self.refused as f64,
            ),
        ]
    }
}

/// Writes the help and the type of a metric, before its values. Names of counters end with `_total`.
pub fn write_metric_head(text: &mut String, name: &str, help: &str) {
    let kind = if name.ends_with("_total") {
        "counter"
    } else {
        "gauge"
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

/// Writes searches by outcome and by method.
fn write_searches(text: &mut String, total: &NavCounts, by_method: &BTreeMap<&'static str, u64>) {
    let searches = [
        ("found", total.found),
        ("partial", total.partial),
        ("unreachable", total.unreachable),
        ("too_far", total.too_far),
        ("budget_spent", total.budget_spent),
        ("already_there", total.already_there),
        ("invalid", total.invalid),
        ("unsupported", total.unsupported),
    ];
    let name = "chase_searches_total";
    write_metric_head(text, name, "Searches by outcome.");
    for (outcome, count) in searches {
        let _ = writeln!(text, "{name}{{outcome=\"{outcome}\"}} {count}");
    }
    let name = "chase_searches_reported_total";
    let help = "Searches by method; none that failed as the one before did.";
    write_metric_head(text, name, help);
    for (method, count) in by_method {
        let _ = writeln!(text, "{name}{{method=\"{method}\"}} {count}");
    }
}
