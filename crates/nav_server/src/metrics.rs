//! Metrics in the text format of Prometheus, version 0.0.4.

use bevy_ecs::world::World;
use nav::NavDiagnostics;
use nav_sim::percentile::Spread;
use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    time::Duration,
};

/// The content type of this format.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4";

/// Metrics, each with its help and its values by labels. Prints in the format.
#[derive(Default)]
pub struct MetricText(Vec<Metric>);

struct Metric {
    name: String,
    help: String,
    /// Each with its labels before it.
    values: Vec<String>,
}

impl MetricText {
    /// Adds the metrics of `lines`: of each line the name, the value, and the help. `prefix` goes
    /// before all names, and `labels`, such as `{zone="3"}`, behind them. Values of one name are
    /// kept together.
    pub fn add(&mut self, prefix: &str, labels: &str, lines: &str) {
        for line in lines.lines() {
            let mut words = line.trim_start().splitn(3, ' ');
            let (Some(name), Some(value)) = (words.next(), words.next()) else {
                continue;
            };
            let name = format!("{prefix}{name}");
            let value = format!("{labels} {value}");
            match self.0.iter_mut().find(|metric| metric.name == name) {
                Some(metric) => metric.values.push(value),
                None => self.0.push(Metric {
                    name,
                    help: words.next().unwrap_or_default().to_owned(),
                    values: vec![value],
                }),
            }
        }
    }
}

impl fmt::Display for MetricText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Metric { name, help, values } in &self.0 {
            let is_counter = name.ends_with("_total");
            let kind = if is_counter { "counter" } else { "gauge" };
            write!(f, "# HELP {name} {help}\n# TYPE {name} {kind}\n")?;
            for value in values {
                writeln!(f, "{name}{value}")?;
            }
        }
        Ok(())
    }
}

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
        let mut times: Vec<_> = last.map(|time| time.as_secs_f64() * 1e3).collect();
        Spread::of(&mut times)
    }

    /// Adds the spread to metrics, in seconds.
    fn add_to(&self, text: &mut MetricText, name: &str, what: &str) {
        let Spread { p50, p99, max, .. } = self.spread_ms(TICKS);
        let [p50, p99, max] = [p50, p99, max].map(|ms| ms / 1e3);
        let lines = format!(
            "{name}_seconds_p50 {p50} Median of the last {TICKS} {what}.
            {name}_seconds_p99 {p99} 99 of 100 of these {what} took no longer.
            {name}_seconds_max {max} The longest of these {what}."
        );
        text.add("chase_", "", &lines);
    }
}

/// Counters of a running host.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Times of the simulation, and of sending the changes after it.
    pub(crate) tick_times: Times,
    pub(crate) publish_times: Times,
    pub(crate) frames: u64,
    pub(crate) missed: u64,
    pub(crate) closed: u64,
    pub(crate) refused: u64,
    /// Whether the map was being prepared in the last tick.
    is_preparing: bool,
}

impl Metrics {
    /// Looks at a world after a tick. Returns whether the map is prepared, and was not before.
    pub(crate) fn notes_prepared(&mut self, world: &World) -> bool {
        let counted = world.get_resource::<NavDiagnostics>();
        let was_preparing = self.is_preparing;
        self.is_preparing = counted.is_some_and(|counted| counted.map_parts_due > 0);
        was_preparing && !self.is_preparing
    }

    /// Returns all metrics as text: those of `lines`, of the host, and of the plugin.
    pub(crate) fn text(
        &self,
        lines: &str,
        counted: &NavDiagnostics,
        by_method: &BTreeMap<&'static str, u64>,
    ) -> String {
        let mut text = MetricText::default();
        text.add("chase_", "", lines);
        self.tick_times.add_to(&mut text, "tick", "ticks");
        let what = "times of writing to clients after a tick";
        self.publish_times.add_to(&mut text, "publish", what);
        let total = &counted.total;
        let lines = format!(
            "frames_total {} Frames put into queues.
            frames_missed_total {} Frames that a full queue did not take.
            clients_closed_total {} Clients that the host closed.
            orders_refused_total {} Requests of clients that were refused.
            steps_total {} Steps taken.
            fields_total {} Fields made.
            search_work_total {} Work of searches and fields.
            map_parts {} Parts of the regions and portals of the map.
            map_parts_due {} Those that are still to be built.",
            self.frames,
            self.missed,
            self.closed,
            self.refused,
            total.steps,
            total.fields,
            total.expanded,
            counted.map_parts,
            counted.map_parts_due,
        );
        text.add("chase_", "", &lines);
        for (outcome, count) in [
            ("found", total.found),
            ("partial", total.partial),
            ("unreachable", total.unreachable),
            ("too_far", total.too_far),
            ("budget_spent", total.budget_spent),
            ("already_there", total.already_there),
            ("invalid", total.invalid),
            ("unsupported", total.unsupported),
        ] {
            let line = format!("searches_total {count} Searches by outcome.");
            text.add("chase_", &format!("{{outcome=\"{outcome}\"}}"), &line);
        }
        let help = "Searches by method; none that failed as the one before did.";
        for (method, count) in by_method {
            let line = format!("searches_reported_total {count} {help}");
            text.add("chase_", &format!("{{method=\"{method}\"}}"), &line);
        }
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_name_stay_together() {
        let mut text = MetricText::default();
        for zone in [1, 2] {
            let lines =
                format!("agents {zone}0 Agents there.\n            moved_total {zone} Moved.");
            text.add("z_", &format!("{{zone=\"{zone}\"}}"), &lines);
        }
        text.add("z_", "", "up 1 1 while it runs.");
        assert_eq!(
            text.to_string(),
            "# HELP z_agents Agents there.\n# TYPE z_agents gauge\n\
             z_agents{zone=\"1\"} 10\nz_agents{zone=\"2\"} 20\n\
             # HELP z_moved_total Moved.\n# TYPE z_moved_total counter\n\
             z_moved_total{zone=\"1\"} 1\nz_moved_total{zone=\"2\"} 2\n\
             # HELP z_up 1 while it runs.\n# TYPE z_up gauge\nz_up 1\n"
        );
    }
}
