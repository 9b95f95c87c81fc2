//! Messages for an operator: a line each on stderr, with the time and a level.

use std::{
    io,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, Targets},
    fmt,
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

/// The options of messages.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct LogArgs {
    /// Messages on stderr: off, error, warn, info, debug or trace
    #[arg(
        long = "log",
        value_name = "LEVEL",
        global = true,
        default_value_t = LevelFilter::INFO
    )]
    level: LevelFilter,
}

impl LogArgs {
    /// Writes messages from now on, or only errors.
    pub(crate) fn begin(self, only_errors: bool) {
        let most = if only_errors {
            LevelFilter::ERROR
        } else {
            LevelFilter::TRACE
        };
        let level = self.level.min(most);
        // Not the client of the broker: its messages have addresses with passwords.
        let own = ["zones", "nav_zones", "nav_server"].map(|name| (name, level));
        let lines = fmt::layer()
            .with_writer(|| {
                MESSAGES.fetch_add(1, Relaxed);
                io::stderr()
            })
            .with_ansi(false)
            .with_target(false)
            .log_internal_errors(false)
            .with_filter(Targets::new().with_targets(own));
        // Fails if a test of this process began already. A message is lost if stderr is closed.
        let _ = tracing_subscriber::registry().with(lines).try_init();
    }
}

/// Messages so far.
static MESSAGES: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of messages so far.
pub(crate) fn messages() -> usize {
    MESSAGES.load(Relaxed)
}

/// Makes a process of this program write the same messages.
pub(crate) fn give(command: &mut Command) {
    command.args(["--log", &LevelFilter::current().to_string()]);
}
