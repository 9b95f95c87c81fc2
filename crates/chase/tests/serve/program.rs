//! The program in a process of its own.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

/// The program in a process of its own.
pub struct Program {
    pub child: Child,
    /// What it printed once it was ready.
    pub ready: String,
}

impl Program {
    /// Serves the scenario `hunt` with options, until it is ready.
    pub fn with(options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
            .args(["serve", "hunt", "--addr", "127.0.0.1:0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        let output = child.stdout.as_mut().unwrap();
        BufReader::new(output).read_line(&mut ready).unwrap();
        Self { child, ready }
    }

    pub fn address(&self) -> &str {
        let rest = self.ready.trim_start_matches("http://");
        rest.split('/').next().unwrap()
    }

    /// Its memory in KiB; `None` where the system does not say.
    pub fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim_end_matches("kB").trim().parse().ok()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
