//! How far a run is: a bar in a terminal, or nothing.

use indicatif::{ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Receives how far a run is.
pub trait Progress {
    /// The run begins and will do `ticks` ticks.
    fn start(&mut self, ticks: u64);

    /// `done` ticks have been done; called at most once a tick.
    fn tick(&mut self, done: u64);

    /// The run is over.
    fn finish(&mut self);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&mut self, _ticks: u64) {}

    fn tick(&mut self, _done: u64) {}

    fn finish(&mut self) {}
}

/// A bar on stderr, redrawn a few times a second and wiped at the end.
#[derive(Debug)]
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// A bar if stderr is a terminal; in a log file it would be noise.
    pub fn on_terminal() -> Option<Self> {
        let bar = || {
            indicatif::ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
        };
        std::io::stderr().is_terminal().then(|| Self(bar()))
    }
}

impl Progress for ProgressBar {
    fn start(&mut self, ticks: u64) {
        let template = "{bar:40} {human_pos}/{human_len} ticks, {per_sec}, {eta} left";
        // A template that does not parse would leave the default style, which is legible too.
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style.progress_chars("=> "));
        }
        self.0.set_length(ticks);
    }

    fn tick(&mut self, done: u64) {
        self.0.set_position(done);
    }

    fn finish(&mut self) {
        self.0.finish_and_clear();
    }
}
