//! Progress of a run: a bar in a terminal, or nothing.

use crate::clock::Stopwatch;
use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

/// Receives the progress of a run.
pub trait Progress {
    /// The run begins and will take `ticks` ticks.
    fn start(&mut self, ticks: u64);

    /// `done` ticks are done. Called at most once per tick.
    fn tick(&mut self, done: u64);

    /// The run is over.
    fn finish(&mut self);
}

/// Returns a bar on stderr if that is a terminal, otherwise nothing: in a log file a bar would be
/// noise.
pub fn on_terminal() -> Box<dyn Progress> {
    if io::stderr().is_terminal() {
        Box::new(ProgressBar::new(io::stderr()))
    } else {
        Box::new(Silent)
    }
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&mut self, _ticks: u64) {}

    fn tick(&mut self, _done: u64) {}

    fn finish(&mut self) {}
}

/// Time between two drawings of the bar: ten a second are readable, and cost the run nothing.
const REDRAW: Duration = Duration::from_millis(100);

/// Characters between the ends of the bar, so that the line fits into 80 columns.
const SIGNS: usize = 30;

/// Returns the cursor to the start of the line and erases the line.
const CLEAR: &str = "\r\x1b[2K";

/// A bar that is redrawn ten times per second, and erased at the end or when dropped.
struct ProgressBar<W: Write> {
    out: W,
    ticks: u64,
    began: Stopwatch,
    /// The time of the last drawing, since the start; `None` while it is not visible.
    drawn: Option<Duration>,
}

impl<W: Write> ProgressBar<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            ticks: 0,
            began: Stopwatch::start(),
            drawn: None,
        }
    }

    fn erase(&mut self) {
        if self.drawn.take().is_some() {
            // A run must not fail because its progress cannot be shown.
            let _ = write!(self.out, "{CLEAR}").and_then(|()| self.out.flush());
        }
    }
}

impl<W: Write> Progress for ProgressBar<W> {
    fn start(&mut self, ticks: u64) {
        self.ticks = ticks;
        self.began = Stopwatch::start();
    }

    fn tick(&mut self, done: u64) {
        let now = self.began.elapsed();
        if now < self.drawn.unwrap_or_default() + REDRAW {
            return;
        }
        self.drawn = Some(now);
        let line = line(done, self.ticks, now.as_secs_f64());
        let _ = write!(self.out, "{CLEAR}{line}").and_then(|()| self.out.flush());
    }

    fn finish(&mut self) {
        self.erase();
    }
}

impl<W: Write> Drop for ProgressBar<W> {
    fn drop(&mut self) {
        self.erase();
    }
}

/// Returns the line: the bar, ticks done and in total, ticks per second, and seconds left at this
/// rate.
fn line(done: u64, ticks: u64, seconds: f64) -> String {
    let share = done as f64 / ticks.max(1) as f64;
    let signs = ((share * SIGNS as f64) as usize).min(SIGNS);
    let bar = format!("{:=>signs$}", if signs < SIGNS { ">" } else { "" });
    let rate = done as f64 / seconds.max(1e-9);
    let left = ticks.saturating_sub(done) as f64 / rate.max(1e-9);
    format!("[{bar:SIGNS$}] {done}/{ticks} ticks, {rate:.0}/s, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_rest() {
        assert_eq!(
            line(300, 1200, 2.0),
            "[======>                       ] 300/1200 ticks, 150/s, 6 s left"
        );
        let full = line(1200, 1200, 2.0);
        let bar = format!("[{}]", "=".repeat(SIGNS));
        assert!(full.starts_with(&bar), "{full}");
        // A day at 1,000 ticks per second, the longest run that a scenario allows.
        assert!(line(86_400_000, 86_400_000, 1.0).len() < 80);
    }

    #[test]
    fn bar_is_erased() {
        let mut out = Vec::new();
        let mut bar = ProgressBar::new(&mut out);
        bar.start(10);
        bar.tick(1);
        assert_eq!(bar.drawn, None, "too soon");
        std::thread::sleep(REDRAW);
        bar.tick(2);
        drop(bar);
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text.matches(CLEAR).count(), 2, "{text:?}");
        assert!(
            text.contains(" 2/10 ticks") && text.ends_with(CLEAR),
            "{text:?}"
        );
    }
}
