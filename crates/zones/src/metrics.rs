//! The state of zones as metrics, in the text format of Prometheus, version 0.0.4.

use crate::{ZoneReport, ZonesError};
use nav_cli::values::address;
use nav_server::{MetricText, MetricsPage};
use std::{net::SocketAddr, time::Duration};

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
    /// [`ZonesError::Server`] if the address cannot be used.
    pub fn open(args: MetricsArgs) -> Result<Self, ZonesError> {
        let page = args.metrics.map(MetricsPage::open).transpose();
        Ok(Self(page?))
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

/// Returns the metrics of the last reports of zones. Names that end with `_total` only grow while
/// one process has the zone.
fn text(reports: &[(&ZoneReport, Duration)], is_connected: bool) -> String {
    let mut text = MetricText::default();
    let connected = u8::from(is_connected);
    let line = format!("broker_connected {connected} 1 while the broker answers.");
    text.add("zones_", "", &line);
    for (report, age) in reports {
        let labels = format!("{{zone=\"{}\"}}", report.zone);
        text.add("zones_", &labels, &lines(report, age.as_secs_f64()));
    }
    text.to_string()
}

/// Returns the metrics of a zone.
fn lines(report: &ZoneReport, age: f64) -> String {
    let ZoneReport {
        process,
        tick,
        agents,
        left_out,
        handed_over,
        taken_over,
        lag,
        messages,
        bytes,
        refused,
        damaged,
        unwritten,
        snapshot_age,
        ..
    } = report;
    let [mean, p99, max] = [report.mean, report.p99, report.max].map(|ms| ms / 1e3);
    let lease_left = report.lease_left as f64 / 1e3;
    let trouble = u8::from(report.trouble.is_some());
    format!(
        "report_age_seconds {age} Time since the last report of the zone.
        process {process} The process that has the zone.
        lease_left_seconds {lease_left} The rest of its lease.
        tick {tick} The tick.
        agents {agents} Agents in the zone.
        tick_seconds_mean {mean} Mean time of a tick since the report before.
        tick_seconds_p99 {p99} 99 of 100 of these took no longer.
        tick_seconds_max {max} The longest of these.
        ticks_left_out {left_out} Ticks left out since then, since those before took too long.
        handed_over_total {handed_over} Agents handed over to other zones.
        taken_over_total {taken_over} Agents taken over from other zones.
        lag_ticks {lag} Ticks since the last message of another zone, the longest of all.
        messages_total {messages} Messages sent to other zones.
        bytes_total {bytes} Bytes of these.
        refused_total {refused} Messages refused: damaged, outdated or of no zone.
        damaged_total {damaged} Messages that arrived in part.
        unwritten {unwritten} Entries and snapshots that the broker has not confirmed.
        snapshot_age_ticks {snapshot_age} Ticks since the last snapshot that it confirmed.
        trouble {trouble} 1 while the zone cannot be kept."
    )
}
