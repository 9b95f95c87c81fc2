//! The commands of the page about operating, each run as the page has it:
//! docs/book/src/operating.md.

use crate::{
    has_broker, line_with,
    operate::{metrics_at, now},
    processes, program,
};
use nav_zones::nats::Broker;
use std::{
    cell::RefCell,
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

const PAGE: &str = include_str!("../../../../docs/book/src/operating.md");

/// Returns the commands of the page for worlds in zones.
fn commands() -> impl Iterator<Item = &'static str> {
    let lines = PAGE.lines();
    lines.filter(|line| line.starts_with("zones ") && line.contains("--"))
}

/// What the page calls otherwise: its broker and its world.
struct Place {
    url: String,
    world: String,
    /// Commands that were run.
    ran: RefCell<BTreeSet<&'static str>>,
}

impl Place {
    /// Returns the command of the page that begins with some words, for this broker and world.
    fn command(&self, words: &str) -> Command {
        let line = commands().find(|line| line.starts_with(words));
        let line = line.expect(words);
        self.ran.borrow_mut().insert(line);
        let line = line.replace("nats://127.0.0.1:4222", &self.url);
        let line = line.replace("127.0.0.1:8080", "127.0.0.1:0");
        let line = line.replace("NAME", &self.world);
        let mut command = program("zones_book").command();
        command.args(line.split(' ').skip(1));
        command
    }

    /// Runs a command to its end. Returns its exit code and its output.
    fn run(&self, words: &str) -> (Option<i32>, String) {
        let output = self.command(words).output().expect("the program is there");
        print!("{words}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    }

    /// Checks the world until it is clean.
    fn is_clean(&self) {
        let since = now();
        loop {
            let (code, text) = self.run("zones check --nats");
            if code == Some(0) {
                return;
            }
            assert!(since.elapsed() < Duration::from_mins(1), "{code:?}: {text}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

fn end(mut process: Child) {
    processes::signal("TERM", process.id().into());
    assert!(process.wait().expect("it is a child").success());
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("--archive")
        .arg(from)
        .arg(to)
        .status();
    assert!(copied.expect("a program cp").success());
}

#[test]
fn operating_a_world() {
    if !has_broker() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("zones_book-{}", std::process::id()));
    let (store, backup) = (folder.join("nats"), folder.join("backup"));
    fs::create_dir_all(&folder).expect("a folder for it");
    let mut broker = Broker::start(&store).expect("a broker");
    let mut place = Place {
        url: broker.url(),
        world: String::new(),
        ran: RefCell::default(),
    };
    // Start.
    let mut run = place
        .command("zones run")
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let line = line_with("world ", run.stderr.take().expect("it is piped"));
    place.world = line.split(' ').nth(1).expect(&line).to_owned();
    let joined = place.command("zones join").spawn().expect("it is there");
    // Watch.
    place.is_clean();
    let (code, text) = place.run("zones worlds --nats");
    assert_eq!(
        (code, text),
        (
            Some(0),
            format!("{}: not ended, 4 zones held\n", place.world)
        )
    );
    let mut page = place
        .command("zones serve")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let line = line_with("http://", page.stdout.take().expect("it is piped"));
    let addr = line
        .strip_prefix("http://")
        .and_then(|line| line.split_once('/'));
    assert!(metrics_at(addr.expect(&line).0).contains("chase_clients 0\n"));
    end(page);
    // Change the cut.
    for words in ["zones split", "zones move", "zones merge"] {
        // A zone changes hands in the meantime.
        let since = now();
        while place.run(words).0 != Some(0) {
            assert!(since.elapsed() < Duration::from_secs(20), "{words}");
        }
    }
    // Back up. Zones wait for the broker meanwhile.
    broker.stop().expect("it ends");
    copy(&store, &backup);
    broker.restart().expect("it starts");
    // The machine burns down.
    end(joined);
    let supervisor = run.id();
    processes::signal("KILL", supervisor.into());
    run.wait().expect("it is a child");
    let left = || processes::with(&format!("--world {}", place.world));
    let since = now();
    while !left().is_empty() {
        assert!(since.elapsed() < Duration::from_secs(20), "{:?}", left());
        std::thread::sleep(Duration::from_millis(50));
    }
    broker.stop().expect("it ends");
    // Restore.
    let broker = Broker::start(&backup).expect("a broker");
    place.url = broker.url();
    // The program of another version continues it in the same way.
    for _ in 0..2 {
        let continued = place.command("zones run --nats").spawn();
        place.is_clean();
        end(continued.expect("it is there"));
    }
    // Stop.
    let (code, text) = place.run("zones worlds --delete");
    assert_eq!((code, text.as_str()), (Some(0), ""));
    drop(broker);
    fs::remove_dir_all(&folder).expect("it is there");
    let ran = place.ran.take();
    let left: Vec<&str> = commands().filter(|line| !ran.contains(line)).collect();
    assert_eq!(left, [""; 0], "commands that no test runs");
}
