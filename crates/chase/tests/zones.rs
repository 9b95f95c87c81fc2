//! `chase zones` with a real broker: digests of zones in step, faults, and what can be done to a running world.

#[expect(dead_code, reason = "other tests need more of it")]
#[path = "serve/client.rs"]
mod client;

use client::Client;
use nav_zones::nats::Broker;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

/// A horde on a map of three by three tiles.
const HORDE: &str = r#"(
    map: Some(Generated(kind: "clutter", percent: Some(15), width: 192, height: 192, seed: 5)),
    chasers: 1500,
    targets: 24,
    threads: Some(1),
)"#;

/// Whether there is a broker; says so if not.
fn has_broker() -> bool {
    let program = Broker::program();
    if let Err(error) = &program {
        println!("skipped: {error}");
    }
    program.is_ok()
}

fn scenario(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}.ron"));
    std::fs::write(&path, HORDE).expect("a folder for tests");
    path
}

fn chase() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.stdin(Stdio::null());
    command
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program is there")
}

/// The report of a run that ends well.
fn report(command: &mut Command) -> Value {
    let output = output(command.args(["--json", "-"]));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("one line of JSON")
}

#[test]
fn zones_in_step_end_like_one() {
    if !has_broker() {
        return;
    }
    let scenario = scenario("in-step");
    let digest = |zones: &str| {
        let mut run = chase();
        run.args(["zones", "--lockstep", "--seconds", "10", "--zones", zones]);
        let report = report(run.arg(&scenario));
        let handed_over = &report["zones"][0]["handed_over"];
        assert_eq!(handed_over == 0, zones == "1x1", "{report}");
        assert_eq!(report["agents"], 1524);
        report["digest"].as_str().expect("a digest").to_owned()
    };
    let one = digest("1x1");
    assert_eq!(digest("2x1"), one);
    assert_eq!(digest("2x2"), one);
}

#[test]
fn everybody_lives_once_after_processes_and_the_broker_failed() {
    if !has_broker() {
        return;
    }
    let scenario = scenario("faults");
    let mut run = chase();
    run.args(["zones", "--faults", "3", "--seed", "4", "--processes", "5"]);
    run.args(["--lease", "1000", "--snapshots", "500"]);
    let report = report(run.arg(&scenario));
    assert_eq!(
        (&report["faults"], &report["audited"]),
        (&3.into(), &1524.into())
    );
}

/// A world that runs until it is ended.
struct World {
    process: Child,
    name: String,
    url: String,
}

impl World {
    fn start(scenario: &PathBuf) -> Self {
        let mut command = chase();
        command.args([
            "zones",
            "--zones",
            "2x2",
            "--seconds",
            "600",
            "--processes",
            "6",
        ]);
        command.args(["--lease", "1000", "--snapshots", "500"]);
        command
            .arg(scenario)
            .stderr(Stdio::piped())
            .stdout(Stdio::null());
        let mut process = command.spawn().expect("the program is there");
        let mut line = String::new();
        let errors = process.stderr.take().expect("it is piped");
        BufReader::new(errors).read_line(&mut line).expect("a line");
        // "world NAME at URL"
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, name, _, url] = words[..] else {
            panic!("{line}");
        };
        Self {
            process,
            name: name.to_owned(),
            url: url.to_owned(),
        }
    }

    /// Does something to it; returns what that printed.
    fn command(&self, words: &[&str]) -> String {
        let mut command = chase();
        command.args([
            "zones", words[0], "--nats", &self.url, "--world", &self.name,
        ]);
        let output = output(command.args(&words[1..]));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Checks it until everybody lives in a zone that answers, while that may still be settling.
    fn is_clean(&self) {
        let mut checked = String::new();
        for _ in 0..40 {
            let mut command = chase();
            command.args(["zones", "check", "--nats", &self.url, "--world", &self.name]);
            let output = output(&mut command);
            checked = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() && checked.starts_with("1524 agents") {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(250));
        }
        panic!("{checked}");
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Its processes and its broker end with it.
        let interrupt = Command::new("kill")
            .arg("-INT")
            .arg(self.process.id().to_string())
            .status();
        if interrupt.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

#[test]
fn a_running_world_is_checked_split_merged_and_moved() {
    if !has_broker() {
        return;
    }
    let world = World::start(&scenario("rebuilt"));
    world.is_clean();
    assert_eq!(
        world.command(&["split", "3", "--column", "128"]),
        "zone 4 is new\n"
    );
    world.is_clean();
    world.command(&["move", "1"]);
    world.is_clean();
    world.command(&["merge", "4", "3"]);
    world.is_clean();
}

#[test]
fn the_page_shows_the_agents_of_all_zones() {
    if !has_broker() {
        return;
    }
    let world = World::start(&scenario("shown"));
    world.is_clean();
    let mut server = chase();
    server.args(["serve", "--addr", "127.0.0.1:0"]);
    server.args(["--nats", &world.url, "--world", &world.name]);
    let mut server = server
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut line = String::new();
    let out = server.stdout.take().expect("it is piped");
    BufReader::new(out).read_line(&mut line).expect("a line");
    // "http://ADDRESS/ shows NAME; ..."
    let addr = line
        .strip_prefix("http://")
        .and_then(|line| line.split_once('/'));
    let addr: SocketAddr = addr.and_then(|(addr, _)| addr.parse().ok()).expect(&line);
    let mut client = Client::of_all(addr);
    while client.agents.len() < 1524 {
        client.next_frame();
    }
    // They go on.
    let before = client.agents.clone();
    let moved = |client: &Client| {
        let agents = client.agents.iter();
        agents
            .filter(|&(number, agent)| before.get(number) != Some(agent))
            .count()
    };
    while moved(&client) < 200 {
        client.next_frame();
    }
    let players = client
        .agents
        .values()
        .filter(|&&(.., role)| role == client::TARGET);
    assert_eq!(players.count(), 24);
    let _ = server.kill();
    let _ = server.wait();
}

#[test]
fn without_a_broker_it_says_what_is_missing() {
    let mut run = chase();
    run.env("PATH", "")
        .env("NATS_SERVER", "/nowhere/nats-server");
    let output = output(run.args(["zones", "--seconds", "1"]));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.starts_with("error: ") && errors.lines().count() == 1,
        "{errors}"
    );
}
