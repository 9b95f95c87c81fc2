//! `chase serve` in a build without a web server: explains how to build one.

use nav_cli::Failure;
use std::ffi::OsString;

/// Runs a scenario in real time, with a page on which to watch it and be hunted: needs a build with
/// the feature serve
///
/// This build has no web server. `cargo run --release --features serve -- serve` has one.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct NoServeArgs {
    /// Accepted and ignored: the answer is always the same
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<OsString>,
}

pub(super) fn main(_args: &NoServeArgs) -> Result<(), Failure> {
    Err("this build cannot serve: run `cargo run --release --features serve -- serve`".into())
}
