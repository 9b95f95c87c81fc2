//! Three brokers as a cluster, and the commands of the page about operating that begin with `nats`.

use crate::{World, has_broker, processes::signal, raw::Raw};
use nav_zones::nats::Broker;
use serde_json::{Value, json};
use std::{
    fs,
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

const PAGE: &str = include_str!("../../../../docs/book/src/operating.md");

/// Three brokers, which end with it.
struct Cluster {
    brokers: Vec<Child>,
    store: PathBuf,
    urls: Vec<String>,
}

impl Cluster {
    fn start(test: &str) -> Self {
        let free = || TcpListener::bind("127.0.0.1:0").expect("a free port");
        // All at once, so that they differ.
        let held: Vec<TcpListener> = (0..6).map(|_| free()).collect();
        let port = |held: &TcpListener| held.local_addr().expect("a port").port();
        let ports: Vec<u16> = held.iter().map(port).collect();
        drop(held);
        let (clients, routes) = ports.split_at(3);
        let store = std::env::temp_dir().join(format!("{test}-{}", std::process::id()));
        let named: Vec<String> = routes
            .iter()
            .map(|port| format!("nats://127.0.0.1:{port}"))
            .collect();
        let start = |number: usize| {
            let folder = store.join(number.to_string());
            fs::create_dir_all(&folder).expect("a folder for it");
            // As the page has it, and a cluster.
            Command::new(Broker::program().expect("it is there"))
                .args(["-js", "-a", "127.0.0.1", "-p", &clients[number].to_string()])
                .arg("-sd")
                .arg(folder)
                .args([
                    "--server_name",
                    &format!("{test}-{number}"),
                    "--cluster_name",
                    test,
                ])
                .args(["--cluster", &named[number], "--routes", &named.join(",")])
                .stderr(Stdio::null())
                .spawn()
                .expect("it is there")
        };
        let cluster = Self {
            brokers: (0..3).map(start).collect(),
            urls: clients
                .iter()
                .map(|port| format!("nats://127.0.0.1:{port}"))
                .collect(),
            store,
        };
        for url in &cluster.urls {
            let address = url.trim_start_matches("nats://");
            while std::net::TcpStream::connect(address).is_err() {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        cluster
    }

    /// Sends a request until a leader answers it without an error.
    fn ask(&self, subject: &str, bytes: &[u8]) -> Value {
        let mut answer = Value::Null;
        for _ in 0..200 {
            let mut raw = Raw::open(&self.urls[0]);
            // Without a leader there is no answer.
            raw.wait_at_most(Duration::from_secs(1));
            let text = raw.try_request(&format!("$JS.API.{subject}"), bytes);
            answer = serde_json::from_str(&text.unwrap_or_default()).unwrap_or_default();
            if answer.is_object() && answer.get("error").is_none() {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("{subject}: {answer}");
    }

    /// Does what a command `nats stream edit --SETTING VALUE STREAM` does.
    fn edit(&self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, "stream", "edit", flag, value, stream] = words[..] else {
            panic!("{line}");
        };
        let (setting, value) = match flag {
            "--replicas" => ("num_replicas", json!(value.parse::<u32>().expect(line))),
            "--max-age" if value == "1h" => ("max_age", json!(3_600_000_000_000_u64)),
            _ => panic!("{line}"),
        };
        let info = self.ask(&format!("STREAM.INFO.{stream}"), b"");
        let mut config = info["config"].clone();
        config[setting] = value.clone();
        let bytes = config.to_string();
        let edited = self.ask(&format!("STREAM.UPDATE.{stream}"), bytes.as_bytes());
        assert_eq!(edited["config"][setting], value, "{edited}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for broker in &mut self.brokers {
            broker.kill().ok();
            broker.wait().ok();
        }
        fs::remove_dir_all(&self.store).ok();
    }
}

#[test]
fn streams_edited_by_an_operator() {
    if !has_broker() {
        return;
    }
    let cluster = Cluster::start("zones_edited");
    // Until there is a leader.
    cluster.ask("INFO", b"");
    let world = World::run("zones_edited", |command| {
        command.env("NATS_URL", cluster.urls.join(","))
    });
    world.is_clean();
    let commands = PAGE.lines().filter(|line| line.starts_with("nats stream"));
    let mut count = 0;
    // The last one is what operators did before zones dropped entries.
    for line in commands.chain(["nats stream edit --max-age 1h NAME_ledger"]) {
        cluster.edit(&line.replace("NAME", &world.name));
        count += 1;
    }
    assert_eq!(count, 6, "commands of the page, and one");
    world.is_clean();
    let listed = world
        .program
        .succeed(&format!("worlds --nats {}", world.url));
    assert_eq!(listed, format!("{}: not ended, 4 zones held\n", world.name));
    // Another process replaces one that is killed, and one joins.
    signal("KILL", world.joined()[0].into());
    let place = world.place();
    let mut joined = world.program.command();
    let joined = joined.arg("join").args(place.split(' '));
    let mut joined = joined.spawn().expect("the program is there");
    std::thread::sleep(Duration::from_secs(2));
    world.is_clean();
    assert_eq!(joined.try_wait().expect("it is a child"), None);
    signal("TERM", joined.id().into());
    assert!(joined.wait().expect("it is a child").success());
    // A setting by which data is lost is refused by name.
    let ledger = format!("{}_ledger", world.name);
    let mut config = cluster.ask(&format!("STREAM.INFO.{ledger}"), b"")["config"].clone();
    (config["max_bytes"], config["discard"]) = (json!(1 << 30), json!("old"));
    let bytes = config.to_string();
    cluster.ask(&format!("STREAM.UPDATE.{ledger}"), bytes.as_bytes());
    let output = world.program.run(&format!("check {place}"));
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let command = format!("nats stream edit --max-bytes -1 {ledger}");
    assert!(said.contains(&command), "{said}");
}
