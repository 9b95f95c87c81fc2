//! A table of runs, as text for a terminal.

use super::point::Point;
use std::fmt::Write;

/// Returns the column headings.
pub fn header() -> String {
    let mut line = format!(
        "{:>9} {:>7} {:>11} {:>10} {:>10} {:>9} {:>12}",
        "chasers", "threads", "map", "mean ms", "p99 ms", "RSS MiB", "bytes/chaser"
    );
    for (name, _) in nav_sim::report::Sets::default().rows() {
        // Writing to a string cannot fail.
        let _ = write!(line, " {name:>9}");
    }
    line
}

/// Returns the row of a run: tick times, memory at its end, and the share of each set in percent.
pub fn row(point: &Point) -> String {
    let report = &point.report;
    let size = match point.size {
        Some([width, height]) => format!("{width}x{height}"),
        None => "given".to_owned(),
    };
    let mebibytes = report
        .rss_bytes
        .map(|bytes| bytes as f64 / f64::from(1 << 20));
    let mut line = format!(
        "{:>9} {:>7} {size:>11} {:>10.3} {:>10.3} {:>9} {:>12}",
        report.chasers,
        report.threads,
        report.tick_ms.mean,
        report.tick_ms.p99,
        mebibytes.map_or("-".to_owned(), |mebibytes| format!("{mebibytes:.1}")),
        (report.bytes_per_chaser).map_or("-".to_owned(), |bytes| format!("{bytes:.0}")),
    );
    for (_, time) in report.sets.rows() {
        let _ = write!(line, " {:>7.1} %", 100.0 * time.share);
    }
    line
}
