//! The state of zones as metrics, in the text format of Prometheus, version 0.0.4.

use crate::{ZoneReport, ZonesError};
use chase::{
    Error,
    cli::options::address,
    serve::{MetricsPage, write_metric_head},
};
use std::{fmt::Write, net::SocketAddr, time::Duration};

/// Where metrics are served.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct MetricsArgs {
    /// Serves the state of zones at http://ADDRESS:PORT/metrics, for Prometheus
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    pub metrics: Option<SocketAddr>,
}

/// Optional metrics endpoint of zones.
#[derive(Default)]
pub struct ZoneMetrics(Option<MetricsPage>);

impl ZoneMetrics {
    /// Listens at the address of the arguments, if they have one.
    ///
    /// # Errors
    ///
    /// [`ZonesError::Chase`] if the address cannot be used.
    pub fn open(args: MetricsArgs) -> Result<Self, ZonesError> {
        let page = args.metrics.map(MetricsPage::open).transpose();
        Ok(Self(page.map_err(Error::from)?))
    }

    /// Logs the address.
    pub(crate) fn tell_address(&self) {
        if let Some(page) = &self.0 {
            tracing::info!("metrics are at http://{}/metrics", page.addr());
        }
    }

    /// Shows the last reports of zones, each with its age, and whether the broker answers.
    pub(crate) fn show<'a>(
        &self,
        reports: impl Iterator<Item = (&'a ZoneReport, Duration)>,
        is_connected: bool,
    ) {
        if let Some(page) = &self.0 {
            page.show(text(&reports.collect::<Vec<_>>(), is_connected));
        }
    }
}

/// Name, help and value of a metric of a zone. Names that end with `_total` only grow while one process has
/// the zone.
type Row = (&'static str, &'static str, fn(&ZoneReport) -> f64);

const ROWS: [Row; 18] = [
    ("process", "The process that has the zone.", |zone| {
        zone.process.into()
    }),
    ("lease_left_seconds", "The rest of its lease.", |zone| {
        zone.lease_left as f64 / 1e3
    }),
    ("tick", "The tick.", |zone| zone.tick as f64),
    ("agents", "Agents in the zone.", |zone| zone.agents as f64),
    (
        "tick_seconds_mean",
        "Mean time of a tick since the report before.",
        |zone| zone.mean / 1e3,
    ),
    (
        "tick_seconds_p99",
        "99 of 100 of these took no longer.",
        |zone| zone.p99 / 1e3,
    ),
    ("tick_seconds_max", "The longest of these.", |zone| {
        zone.max / 1e3
    }),
    (
        "ticks_left_out",
        "Ticks left out since then, since those before took too long.",
        |zone| zone.left_out as f64,
    ),
    (
        "handed_over_total",
        "Agents handed over to other zones.",
        |zone| zone.handed_over as f64,
    ),
    (
        "taken_over_total",
        "Agents taken over from other zones.",
        |zone| zone.taken_over as f64,
    ),
    (
        "lag_ticks",
        "Ticks since the last message of another zone, the longest of all.",
        |zone| zone.lag as f64,
    ),
    ("messages_total", "Messages sent to other zones.", |zone| {
        zone.messages as f64
    }),
    ("bytes_total", "Bytes of these.", |zone| zone.bytes as f64),
    (
        "refused_total",
        "Messages refused: damaged, outdated or of no zone.",
        |zone| zone.refused as f64,
    ),
    ("damaged_total", "Messages that arrived in part.", |zone| {
        zone.damaged as f64
    }),
    (
        "unwritten",
        "Entries and snapshots that the broker has not confirmed.",
        |zone| zone.unwritten as f64,
    ),
    (
        "snapshot_age_ticks",
        "Ticks since the last snapshot that it confirmed.",
        |zone| zone.snapshot_age as f64,
    ),
    ("trouble", "1 while the zone cannot be kept.", |zone| {
        f64::from(u8::from(zone.trouble.is_some()))
    }),
];

fn text(reports: &[(&ZoneReport, Duration)], is_connected: bool) -> String {
    let mut text = String::new();
    let name = "zones_broker_connected";
    write_metric_head(&mut text, name, "1 while the broker answers.");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name} {}", u8::from(is_connected));
    let name = "zones_report_age_seconds";
    write_metric_head(&mut text, name, "Time since the last report of the zone.");
    for (zone, age) in reports {
        let (zone, age) = (zone.zone, age.as_secs_f64());
        let _ = writeln!(text, "{name}{{zone=\"{zone}\"}} {age}");
    }
    for (name, help, value) in ROWS {
        let name = format!("zones_{name}");
        write_metric_head(&mut text, &name, help);
        for (zone, _) in reports {
            let (number, value) = (zone.zone, value(zone));
            let _ = writeln!(text, "{name}{{zone=\"{number}\"}} {value}");
        }
    }
    text
}
