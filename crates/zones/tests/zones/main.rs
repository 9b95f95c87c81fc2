//! The program `zones` with a real broker: faults, and commands for a running world.

#[expect(dead_code, reason = "the tests of `chase serve` need more of it")]
#[path = "../../../nav_server/tests/server/client.rs"]
mod client;
#[path = "../../../chase/tests/common/mod.rs"]
mod common;
#[path = "../../../nav_zones/tests/raw/mod.rs"]
mod raw;

mod book;
mod broker;
mod cluster;
mod command_line;
mod operate;
mod permissions;
mod processes;
mod refusals;
mod slow;
mod store;
mod upgrade;

use client::Client;
use common::Program;
use nav_zones::nats::Broker;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_zones");

/// A horde on a map of three by three tiles.
const HORDE: &str = r#"(
    map: Some(Generated(kind: "clutter", percent: Some(15), width: 192, height: 192, seed: 5)),
    chasers: 1500,
    targets: 24,
    threads: Some(1),
)"#;

/// Returns whether there is a broker; prints a line if not.
fn has_broker() -> bool {
    let program = Broker::program();
    if let Err(error) = &program {
        println!("skipped: {error}");
    }
    program.is_ok()
}

/// Returns the program in a folder with the scenario.
fn program(test: &str) -> Program {
    Program::new(test).with("horde.ron", HORDE)
}

/// A world that runs until it is ended.
struct World {
    program: Program,
    process: Child,
    name: String,
    url: String,
    /// Its lines on stderr after the first.
    said: Arc<Mutex<String>>,
}

impl World {
    fn start(test: &str) -> Self {
        Self::run(test, |command| command)
    }

    /// Starts it with a changed command.
    fn run(test: &str, change: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let program = program(test);
        let mut command = program.command();
        command
            .args(["run", "horde.ron", "--zones", "2x2", "--seconds", "3600"])
            .args(["--processes", "6", "--lease", "1000", "--snapshots", "500"]);
        change(&mut command);
        Self::of(program, command)
    }

    /// Starts it by a command.
    fn of(program: Program, mut command: Command) -> Self {
        let mut process = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program is there");
        let errors = process.stderr.take().expect("it is piped");
        let mut errors = BufReader::new(errors);
        let mut line = String::new();
        while !line.starts_with("world ") {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("a line"), 0, "it ended");
        }
        let said = Arc::new(Mutex::new(String::new()));
        let hears = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                println!("{line}");
                hears.lock().expect("no panic").push_str(&(line + "\n"));
            }
        });
        // "world NAME at URL"
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, name, _, url] = words[..] else {
            panic!("{line}");
        };
        Self {
            said,
            process,
            program,
            name: name.to_owned(),
            url: url.to_owned(),
        }
    }

    /// Returns the process of its own broker.
    fn broker(&self) -> i64 {
        let store = std::env::temp_dir().join(&self.name);
        let brokers = processes::with(&format!("--store_dir {}", store.display()));
        assert_eq!(brokers.len(), 1, "{brokers:?}");
        brokers[0].0.into()
    }

    /// Returns the words that name it on a command line.
    fn place(&self) -> String {
        format!("--nats {} --world {}", self.url, self.name)
    }

    /// Runs a command on it. Returns the output.
    fn command(&self, words: &str) -> String {
        self.program.succeed(&format!("{words} {}", self.place()))
    }

    /// Waits until it prints some words.
    fn says(&self, words: &str) {
        for _ in 0..200 {
            if self.said.lock().expect("no panic").contains(words) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("not said: {words}");
    }

    /// Checks it until every agent lives in a zone that answers, for as long as that may take to
    /// settle.
    fn is_clean(&self) {
        let mut checked = String::new();
        for _ in 0..40 {
            let output = self.program.run(&format!("check {}", self.place()));
            checked = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() && checked.starts_with("1524 agents") {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(250));
        }
        panic!("{checked}");
    }
}

/// Returns the first line with some words that a process writes.
fn line_with(words: &str, from: impl Read) -> String {
    let lines = BufReader::new(from).lines().map_while(Result::ok);
    let mut lines = lines.filter(|line| line.contains(words));
    lines.next().expect(words)
}

impl Drop for World {
    fn drop(&mut self) {
        if !matches!(self.process.try_wait(), Ok(None)) {
            return;
        }
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
fn check_split_merge_and_move() {
    if !has_broker() {
        return;
    }
    let world = World::start("zones_rebuilt");
    world.is_clean();
    assert_eq!(world.command("split 3 --column 128"), "zone 4 is new\n");
    world.is_clean();
    world.command("move 1");
    world.is_clean();
    world.command("merge 4 3");
    world.is_clean();
}

#[test]
fn page_shows_all_zones() {
    if !has_broker() {
        return;
    }
    let world = World::start("zones_shown");
    world.is_clean();
    let arguments = format!("serve --addr 127.0.0.1:0 {}", world.place());
    let mut server = world
        .program
        .command()
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let line = line_with("http://", server.stdout.take().expect("it is piped"));
    // "http://ADDRESS/ shows NAME; ..."
    let addr = line
        .strip_prefix("http://")
        .and_then(|line| line.split_once('/'));
    let addr: SocketAddr = addr.and_then(|(addr, _)| addr.parse().ok()).expect(&line);
    let mut client = Client::of_all(addr);
    while client.agents.len() < 1524 {
        client.next_frame();
    }
    // The agents move on.
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
    // While the broker is away, agents stay where they were seen last.
    let broker = world.broker();
    processes::signal("STOP", broker);
    world.says("the broker does not answer\n");
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(operate::metrics_at(&addr.to_string()).contains("chase_agents 1524\n"));
    processes::signal("CONT", broker);
    let _ = server.kill();
    let _ = server.wait();
}

#[test]
fn without_a_broker() {
    let mut run = program("zones_no_broker").command();
    run.env("PATH", "")
        .env("NATS_SERVER", "/nowhere/nats-server");
    let output = run.args(["run", "--seconds", "1"]).output();
    let output = output.expect("the program is there");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.starts_with("error: ") && errors.lines().count() == 1,
        "{errors}"
    );
}

/// Agents and targets live all over the world, and stay there.
#[test]
fn default_world_is_spread() {
    if !has_broker() {
        return;
    }
    let report = program("zones_spread").json("run --seconds 20 --log warn");
    let zones = report["zones"].as_array().expect("zones");
    let agents = |zone: &Value| zone["agents"].as_u64().expect("a number");
    let all: u64 = zones.iter().map(agents).sum();
    assert_eq!((zones.len(), report["audited"].as_u64()), (4, Some(21_000)));
    for zone in zones {
        println!(
            "zone {}: {} agents, {} ms a tick",
            zone["zone"],
            agents(zone),
            zone["mean"]
        );
        assert!(agents(zone) > all / 5, "{zone} has few of {all}");
    }
}
