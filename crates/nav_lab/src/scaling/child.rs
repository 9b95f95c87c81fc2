//! Runs a scenario in a child process.

use nav_cli::{Failure, JsonOut};
use nav_sim::{Report, Scenario, Silent, maps, sim};
use std::{
    error::Error,
    io::{self, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

/// Runs `scenario` in a child process of the same executable.
pub(super) fn run(scenario: &Scenario) -> Result<Report, Failure> {
    ask(scenario).map_err(|reason| {
        let (chasers, threads) = (scenario.chasers, scenario.threads_or_all());
        format!("chasers {chasers}, threads {threads}: {reason}").into()
    })
}

fn ask(scenario: &Scenario) -> Result<Report, Box<dyn Error>> {
    let text = ron::to_string(scenario)?;
    let output = answer(spawn()?, &text)?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().last().unwrap_or_default();
        return Err(match last.strip_prefix("error: ").unwrap_or(last) {
            "" => output.status.to_string().into(),
            reason => reason.into(),
        });
    }
    Ok(serde_json::from_slice(&output.stdout)?)
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
