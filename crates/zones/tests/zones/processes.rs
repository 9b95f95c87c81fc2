//! Processes of this machine, as `ps` lists them.

use std::{fs, process::Command};

/// Returns the process ids and command lines of all processes whose command line contains some
/// words.
pub fn with(words: &str) -> Vec<(u32, String)> {
    let all = fs::read_dir("/proc").expect("a list of processes");
    let numbers = all
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let with_lines = numbers.filter_map(|number: u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(words).then_some((number, line))
    });
    with_lines.collect()
}

/// Sends a signal to a process, or to a group of them if the number is negative.
pub fn signal(name: &str, process: i64) {
    let mut kill = Command::new("kill");
    kill.args([&format!("-{name}"), "--", &process.to_string()]);
    assert!(
        kill.status().expect("a program kill").success(),
        "{name} {process}"
    );
}
