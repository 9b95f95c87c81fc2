//! Runs a scenario in a child process.

use nav_cli::{Failure, JsonOut};
use nav_sim::{Report, Scenario, Silent, maps, sim};
use std::{
    io::{self, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

/// Runs `scenario` in a child process of the same executable.
pub(super) fn run(scenario: &Scenario) -> Result<Report, Failure> {
    let failed = |reason: String| {
        let (chasers, threads) = (scenario.chasers, scenario.threads_or_all());
        Failure::from(format!("chasers {chasers}, threads {threads}: {reason}"))
    };
    let text = ron::to_string(scenario).map_err(|error| failed(error.to_string()))?;
    let output = spawn()
        .and_then(|child| answer(child, &text))
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().last().unwrap_or_default();
        let reason = last.strip_prefix("error: ").unwrap_or(last);
        return Err(failed(if reason.is_empty() {
            output.status.to_string()
        } else {
            reason.to_owned()
        }));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))
}

/// Runs the scenario on standard input, and prints its report as JSON. This is what the child
/// process does.
///
/// # Errors
///
/// The input is no scenario, or cannot be run.
pub fn run_child() -> Result<(), Failure> {
    let scenario = Scenario::named(Path::new("-"))?;
    let map = maps::load(scenario.map.as_ref())?;
    JsonOut::Stdout.write(&sim::run(&scenario, map, &mut Silent)?)
}

fn spawn() -> io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .arg("child")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Writes the scenario to the child and waits for its output.
fn answer(mut child: Child, scenario: &str) -> io::Result<Output> {
    if let Some(mut stdin) = child.stdin.take() {
        // The error is ignored: a child that ended explains itself on stderr.
        let _ = stdin.write_all(scenario.as_bytes());
    }
    child.wait_with_output()
}
