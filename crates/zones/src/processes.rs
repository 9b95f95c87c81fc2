//! The processes that a supervisor starts, restarts and ends.

use crate::{BrokerArgs, ZonesError, log};
use nav_sim::clock::Stopwatch;
use nav_zones::Backoff;
use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// How long to wait for processes to end before they are killed: a process gives up its
/// last snapshot after ten seconds without a broker.
const END_WAIT: Duration = Duration::from_secs(15);

/// Time between two looks at processes that are to end. A guess.
const LOOK: Duration = Duration::from_millis(20);

/// Time after which a process counts as started well. It has its zone by then.
const WELL: Duration = Duration::from_secs(5);

/// Processes in a row that may fail before that. Then all of them would, and the reason is not
/// theirs.
const FAILURES_MAX: u32 = 10;

/// Longest time between two starts: below the default lease, after which a zone can be taken at
/// all.
const START_WAIT_MAX: Duration = Duration::from_secs(2);

/// Processes of one world.
pub(crate) struct Processes {
    program: PathBuf,
    broker: BrokerArgs,
    world: String,
    clock: Stopwatch,
    /// Each with the time of its start.
    running: Vec<(Child, Duration)>,
    /// Number of processes that should run.
    wanted: usize,
    failures: u32,
    backoff: Backoff,
    start_at: Duration,
}

impl Processes {
    pub(crate) fn new(program: PathBuf, broker: &BrokerArgs, world: &str) -> Self {
        Self {
            program,
            broker: broker.clone(),
            world: world.to_owned(),
            clock: Stopwatch::start(),
            running: Vec::new(),
            wanted: 0,
            failures: 0,
            backoff: Backoff::new(START_WAIT_MAX),
            start_at: Duration::ZERO,
        }
    }

    /// Starts a process.
    pub(crate) fn start(&mut self) -> Result<(), ZonesError> {
        self.wanted += 1;
        self.start_one()
    }

    fn start_one(&mut self) -> Result<(), ZonesError> {
        let mut command = Command::new(&self.program);
        command.args(["join", "--supervised", "--world", &self.world]);
        self.broker.give(&mut command);
        log::give(&mut command);
        // Ctrl-C in a terminal is for the supervisor, which ends them.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // The end of their standard input ends them.
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let child = command.spawn().map_err(ZonesError::Process)?;
        self.running.push((child, self.clock.elapsed()));
        Ok(())
    }

    /// Returns the processes, for faults on purpose.
    pub(crate) fn children(&mut self) -> impl ExactSizeIterator<Item = &mut Child> {
        self.running.iter_mut().map(|(child, _)| child)
    }

    /// Replaces processes that ended.
    ///
    /// # Errors
    ///
    /// [`ZonesError::Ended`] if they all fail at once.
    pub(crate) fn replace_ended(&mut self) -> Result<(), ZonesError> {
        let now = self.clock.elapsed();
        let mut last = None;
        let (failures, backoff) = (&mut self.failures, &mut self.backoff);
        self.running.retain_mut(|(process, since)| {
            let Ok(Some(status)) = process.try_wait() else {
                return true;
            };
            tracing::warn!(process = process.id(), %status, "a process ended");
            // A killed process says nothing about others.
            let has_failed = status.code().is_some_and(|code| code != 0);
            if has_failed && now < *since + WELL {
                *failures += 1;
                self.start_at = now + backoff.failed();
                last = Some(status);
            } else {
                *failures = 0;
                backoff.succeeded();
            }
            false
        });
        if let Some(status) = last.filter(|_| self.failures >= FAILURES_MAX) {
            return Err(ZonesError::Ended(status.to_string()));
        }
        while self.running.len() < self.wanted && now >= self.start_at {
            self.start_one()?;
        }
        Ok(())
    }

    /// Asks all processes to end. Kills the late ones.
    pub(crate) fn end(&mut self) {
        for (process, _) in &mut self.running {
            process.stdin = None;
        }
        let clock = Stopwatch::start();
        while !self.running.is_empty() && clock.elapsed() < END_WAIT {
            self.running
                .retain_mut(|(process, _)| matches!(process.try_wait(), Ok(None)));
            std::thread::sleep(LOOK);
        }
        self.kill();
    }

    /// Kills all processes.
    fn kill(&mut self) {
        for (mut process, _) in self.running.drain(..) {
            // Fails only if the process already ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.kill();
    }
}
