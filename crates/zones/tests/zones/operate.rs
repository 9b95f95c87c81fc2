//! An operator's cases: foreign messages, signals, dead processes, a far broker, passwords, and
//! wrong names.

use crate::{
    World, broker::Guarded, has_broker, line_with, processes, processes::signal, program, raw::Raw,
    slow::proxy,
};
use nav_judge::by_tier;
use serde_json::Value;
use std::{
    io::{Read, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// Returns the time, to measure durations.
pub fn now() -> Instant {
    #[expect(
        clippy::disallowed_methods,
        reason = "an operator's time is that of the clock"
    )]
    Instant::now()
}

impl World {
    /// Returns the processes that run zones, or wait for one.
    pub fn joined(&self) -> Vec<u32> {
        let words = format!("join --supervised --world {}", self.name);
        processes::with(&words)
            .into_iter()
            .map(|(number, _)| number)
            .collect()
    }

    /// Runs a check. Returns its exit code and its output.
    pub fn checked(&self, url: &str) -> (i32, String) {
        let output = self
            .program
            .run(&format!("check --nats {url} --world {}", self.name));
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (
            output.status.code().expect("it ends by itself"),
            text.into_owned(),
        )
    }

    /// Waits for its end, and fails if any process is left running.
    fn ended(&mut self) -> ExitStatus {
        let since = now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("it is a child") {
                break status;
            }
            assert!(since.elapsed() < Duration::from_secs(20), "it goes on");
            std::thread::sleep(Duration::from_millis(20));
        };
        println!("ended {:.1?} after the signal", since.elapsed());
        // The name of the world is on the command line of its processes and of its broker.
        assert_eq!(processes::with(&self.name), []);
        status
    }
}

#[test]
fn foreign_messages() {
    if !has_broker() {
        return;
    }
    let world = World::start("zones_foreign");
    world.is_clean();
    let mut raw = Raw::open(&world.url);
    for round in 0..20_u8 {
        for junk in [&b""[..], b"hello", &[round], &[3], &[0xff; 2000]] {
            let numbers = [0, 1, 2, 3, 1 << 15, 1 << 15 | 1, u16::MAX, u16::MAX - 1];
            let bus = numbers.map(|number| format!("bus.{number}"));
            let ledger =
                ["0.1", "1.own", "2.3", "3.77", "x.y"].map(|name| format!("ledger.{name}"));
            for subject in bus.iter().chain(&ledger).chain([&"events".to_owned()]) {
                raw.publish(&format!("{}.{subject}", world.name), junk);
            }
            raw.publish(&format!("$KV.{}_zones.zone.2", world.name), junk);
            raw.publish(&format!("$O.{}_snapshots.M.x", world.name), junk);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    // With the name of an entry: of a term that its zone has, and of a later one, to which a zone
    // gives way.
    for name in ["0.1.900", "1.7.1"] {
        let subject = format!("{}.ledger.{}.2", world.name, &name[..1]);
        raw.publish_with(&subject, &format!("Nats-Msg-Id: {name}"), b"junk");
    }
    let ledger = format!("{}_ledger", world.name);
    let consumers = raw.consumers(&ledger);
    assert!(consumers < 40, "{consumers} consumers");
    world.is_clean();
    assert_eq!(world.joined().len(), 6, "none ended");
    signal("KILL", world.joined()[0].into());
    world.is_clean();
}

/// 300 faults in the soak tier, otherwise three. Foreign messages come meanwhile.
#[test]
fn faults_and_foreign_messages() {
    if !has_broker() {
        return;
    }
    let faults = by_tier(3, 300).to_string();
    let mut world = World::run("zones_faults", |command| {
        command.args(["--faults", &faults, "--seed", "4", "--json", "report.json"])
    });
    let status = loop {
        if let Some(status) = world.process.try_wait().expect("it is a child") {
            break status;
        }
        let (url, name) = (world.url.clone(), world.name.clone());
        // Fails while the broker is away.
        let published = std::thread::spawn(move || {
            let mut raw = Raw::open(&url);
            for subject in ["ledger.0.1", "ledger.2.own", "bus.1", "events"] {
                raw.publish(&format!("{name}.{subject}"), b"junk");
            }
            raw.publish(&format!("$KV.{name}_zones.zone.3"), b"junk");
        });
        let _ = published.join();
        std::thread::sleep(Duration::from_millis(500));
    };
    assert_eq!(status.code(), Some(0));
    let report: Value = serde_json::from_slice(&world.program.read("report.json")).expect("JSON");
    assert_eq!(report["faults"].to_string(), faults);
    assert_eq!(report["audited"], 1524);
    assert_eq!(processes::with(&world.name), []);
}

#[test]
fn terminated() {
    if !has_broker() {
        return;
    }
    let mut world = World::run("zones_term", |command| {
        command.args(["--json", "report.json"])
    });
    world.is_clean();
    assert_eq!(world.joined().len(), 6);
    signal("TERM", world.process.id().into());
    assert_eq!(world.ended().code(), Some(0));
    let report: Value = serde_json::from_slice(&world.program.read("report.json")).expect("JSON");
    assert_eq!(report["audited"], 1524);
}

/// Ctrl-C in a terminal goes to all processes of its group.
#[test]
fn interrupted_with_its_group() {
    if !has_broker() {
        return;
    }
    let mut world = World::run("zones_group", |command| {
        command.args(["--json", "report.json"]).process_group(0)
    });
    world.is_clean();
    signal("INT", -i64::from(world.process.id()));
    assert_eq!(world.ended().code(), Some(0));
    let report: Value = serde_json::from_slice(&world.program.read("report.json")).expect("JSON");
    assert_eq!(report["lost"], 0);
}

/// Its processes notice the end of their supervisor, whatever its cause. The broker is not its own
/// here.
#[test]
fn supervisor_killed() {
    if !has_broker() {
        return;
    }
    let broker = Guarded::start("zones_orphans");
    let mut world = World::run("zones_orphans", |command| {
        command.env("NATS_URL", broker.url())
    });
    world.process.kill().expect("it runs");
    world.process.wait().expect("it is a child");
    let since = now();
    while !world.joined().is_empty() {
        assert!(since.elapsed() < Duration::from_secs(15), "they go on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn killed_process_is_replaced() {
    if !has_broker() {
        return;
    }
    let mut world = World::start("zones_replaced");
    world.is_clean();
    for place in 0..3 {
        let joined = world.joined();
        signal("KILL", joined[place].into());
        let since = now();
        // A killed spare leaves no zone without an answer before the supervisor has looked.
        while world.checked(&world.url).0 != 0 || world.joined().len() < 6 {
            std::thread::sleep(Duration::from_millis(20));
            // Two leases, and a second for the check.
            assert!(since.elapsed() < Duration::from_secs(2 + 1));
        }
        let took = since.elapsed();
        println!("all zones answer {took:.1?} after a kill");
        assert!(took < Duration::from_secs(2 + 1), "{took:?}");
        assert_eq!(world.process.try_wait().expect("it is a child"), None);
        assert_eq!(world.joined().len(), 6);
    }
}

/// 500 checks in the soak tier, otherwise a few.
#[test]
fn checks_of_a_moving_world() {
    if !has_broker() {
        return;
    }
    let world = World::start("zones_far");
    world.is_clean();
    let far = proxy(&world.url, Duration::from_millis(40));
    let mut codes = [0; 4];
    for number in 0..by_tier(12, 500) {
        let url = if number % 2 == 0 { &far } else { &world.url };
        let (code, text) = world.checked(url);
        assert!([0, 3].contains(&code), "check {number}: {text}");
        codes[code as usize] += 1;
    }
    println!("{} clean, {} without telling", codes[0], codes[3]);
    assert!(codes[3] <= codes[0] / 50, "{} without telling", codes[3]);
}

#[test]
fn password_is_nowhere_shown() {
    if !has_broker() {
        return;
    }
    let broker = Guarded::start("zones_guarded");
    let world = World::run("zones_guarded", |command| {
        command
            .env("NATS_URL", broker.url())
            .args(["--log", "trace"])
    });
    assert_eq!(world.url, format!("nats://127.0.0.1:{}", broker.port));
    assert!(world.joined().len() >= 4);
    for (_, line) in processes::with(&world.name) {
        assert!(!line.contains("secret"), "{line}");
    }
    let (code, text) = world.checked(&world.url);
    assert_eq!(code, 3, "it needs the password: {text}");
    let mut check = world.program.command();
    check.args(["check", "--world", &world.name]);
    while check
        .env("NATS_URL", broker.url())
        .status()
        .expect("it is there")
        .code()
        != Some(0)
    {}
    let said = world.said.lock().expect("no panic").clone();
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn wrong_names_are_refused() {
    if !has_broker() {
        return;
    }
    let world = World::start("zones_wrong");
    world.is_clean();
    let place = world.place();
    let fail = |words: &str| {
        let output = world.program.run(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(fail(&format!("join --zone 99 {place}")).contains("there is no zone 99"));
    assert!(fail(&format!("move 42 {place}")).contains("there is no zone 42"));
    assert!(fail(&format!("join --lease 200 {place}")).contains("last 1000 ms, not 200 ms"));
    let url = &world.url;
    for words in [
        "check",
        "join",
        "move 1",
        "split 1 --row 64",
        "merge 1 2",
        "worlds --delete",
    ] {
        let words = match words {
            "worlds --delete" => format!("worlds --nats {url} --delete typo"),
            words => format!("{words} --nats {url} --world typo"),
        };
        assert!(
            fail(&words).contains("there is no world \"typo\""),
            "{words}"
        );
    }
    let listed = world.program.succeed(&format!("worlds --nats {url}"));
    assert_eq!(listed, format!("{}: not ended, 4 zones held\n", world.name));
    let deleted = fail(&format!("worlds --nats {url} --delete {}", world.name));
    assert!(deleted.contains("--force"), "{deleted}");
}

#[test]
fn ended_world_is_deleted() {
    if !has_broker() {
        return;
    }
    let broker = Guarded::start("zones_deleted");
    let program = program("zones_deleted");
    let run = |words: &str| {
        let mut command: Command = program.command();
        let output = command
            .env("NATS_URL", broker.url())
            .args(words.split(' '))
            .output();
        let output = output.expect("it is there");
        assert!(
            output.status.success(),
            "{words}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let since = now();
    run("run horde.ron --quiet --seconds 3");
    println!("3 seconds took {:.1?}", since.elapsed());
    assert!(
        since.elapsed() < Duration::from_secs(6),
        "{:?}",
        since.elapsed()
    );
    let listed = run("worlds");
    let name = listed
        .strip_suffix(": ended, 0 zones held\n")
        .expect(&listed);
    run(&format!("worlds --delete {name}"));
    assert_eq!(run("worlds"), "");
}

#[test]
fn absent_broker_is_said() {
    if !has_broker() {
        return;
    }
    let world = World::start("zones_absent");
    world.is_clean();
    let broker = world.broker();
    // The broker hangs, and continues.
    signal("STOP", broker);
    world.says("the broker does not answer\n");
    assert_eq!(world.checked(&world.url).0, 3);
    signal("CONT", broker);
    world.says("the broker answers again\n");
    world.is_clean();
    // The broker dies, and is started again.
    signal("KILL", broker);
    world.is_clean();
}

#[test]
fn full_store_is_said() {
    if !has_broker() {
        return;
    }
    let broker = Guarded::start("zones_full");
    let world = World::run("zones_full", |command| {
        command.env("NATS_URL", broker.url())
    });
    let check = || {
        let mut check = world.program.command();
        check
            .args(["check", "--world", &world.name])
            .env("NATS_URL", broker.url());
        let output = check.output().expect("it is there");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let until = |code: i32, words: &str| {
        let since = now();
        loop {
            let (now_code, text) = check();
            if now_code == Some(code) && text.contains(words) {
                println!("{text} after {:.1?}", since.elapsed());
                return;
            }
            assert!(since.elapsed() < Duration::from_secs(30), "{text}");
        }
    };
    until(0, "1524 agents");
    let mut raw = Raw::open(&broker.url());
    let stream = br#"{"name":"filler","subjects":["filler"],"storage":"file"}"#;
    raw.request("$JS.API.STREAM.CREATE.filler", stream);
    for size in [900_000, 10_000, 100] {
        while !raw.request("filler", &vec![0; size]).contains("error") {}
    }
    until(3, "cannot write");
    world.says("the zone cannot be kept");
    raw.request("$JS.API.STREAM.DELETE.filler", b"");
    until(0, "1524 agents");
    world.says("is kept again");
}

/// Returns the metrics at an address.
pub fn metrics_at(addr: &str) -> String {
    let mut text = String::new();
    let mut stream = TcpStream::connect(addr).expect("it listens");
    let ask = format!("GET /metrics HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).expect("it reads");
    stream.read_to_string(&mut text).expect("it answers");
    text
}

/// Returns the metrics at the address in some messages, once they have all `parts`.
fn metrics(said: &str, parts: &[&str]) -> String {
    let addr = said
        .lines()
        .find_map(|line| line.split_once("metrics are at http://"));
    let addr = addr.and_then(|(_, addr)| addr.strip_suffix("/metrics"));
    let addr = addr.expect(said);
    let since = now();
    loop {
        let text = metrics_at(addr);
        if parts.iter().all(|part| text.contains(part)) {
            return text;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn metrics_of_zones() {
    if !has_broker() {
        return;
    }
    let world = World::run("zones_metrics", |command| {
        command.args(["--metrics", "127.0.0.1:0"])
    });
    world.is_clean();
    world.says("metrics are at");
    let said = world.said.lock().expect("no panic").clone();
    let zones = [0, 1, 2, 3].map(|zone| format!("zones_unwritten{{zone=\"{zone}\"}} 0"));
    let parts = zones.iter().map(String::as_str);
    let parts: Vec<&str> = parts.chain(["zones_broker_connected 1"]).collect();
    let text = metrics(&said, &parts);
    let agents = text
        .lines()
        .filter(|line| line.starts_with("zones_agents{"));
    let agents = agents.filter_map(|line| line.split_once(' ')?.1.parse::<u64>().ok());
    println!("{} agents", agents.sum::<u64>());
    let joined = world.joined();
    let holders = text
        .lines()
        .filter(|line| line.starts_with("zones_process{"));
    for holder in holders {
        let process = holder.split_once(' ').and_then(|(_, it)| it.parse().ok());
        assert!(joined.contains(&process.expect(holder)), "{holder}");
    }
    // A process that waits for a zone.
    let arguments = format!("join --metrics 127.0.0.1:0 {}", world.place());
    let mut spare = world
        .program
        .command()
        .args(arguments.split_whitespace())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let said = line_with("metrics are at", spare.stderr.take().expect("it is piped"));
    metrics(&said, &["zones_broker_connected 1"]);
    signal("TERM", spare.id().into());
    assert!(spare.wait().expect("it is a child").success());
}
