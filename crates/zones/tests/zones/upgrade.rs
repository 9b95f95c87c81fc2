//! A stopped world that continues, with the same program and with another version of it.

use crate::{
    World, broker::Guarded, has_broker, operate::metrics_at, processes::signal, program, raw::Raw,
};
use nav_judge::by_tier;
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

impl World {
    /// Starts it again after it ended.
    fn again(self, test: &str, url: &str) -> Self {
        let mut command = program(test).command();
        command.env("NATS_URL", url);
        command.args(["run", "--world", &self.name, "--metrics", "127.0.0.1:0"]);
        Self::of(program(test), command)
    }

    /// Returns the highest tick of its zones.
    fn tick(&self) -> u64 {
        self.says("metrics are at http://");
        let said = self.said.lock().expect("no panic").clone();
        let (_, addr) = said
            .split_once("metrics are at http://")
            .expect("it says so");
        let addr = addr.split('/').next().expect("an address");
        loop {
            let text = metrics_at(addr);
            let ticks = text.lines().filter(|line| line.starts_with("zones_tick{"));
            let ticks = ticks.filter_map(|line| line.split_once(' ')?.1.parse().ok());
            if let Some(tick) = ticks.max() {
                return tick;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends the supervisor by a signal.
    fn end(&mut self, name: &str) {
        signal(name, self.process.id().into());
        self.process.wait().expect("it is a child");
    }
}

/// Runs a command for a broker. Returns its exit code and all that it says.
pub fn run(program: &mut Command, broker: &Guarded, words: &str) -> (Option<i32>, String) {
    let output = program
        .env("NATS_URL", broker.url())
        .args(words.split(' '))
        .output();
    let output = output.expect("the program is there");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code(), said.into_owned())
}

#[test]
fn stopped_world_continues() {
    if !has_broker() {
        return;
    }
    let test = "zones_again";
    let broker = Guarded::start(test);
    let mut world = World::run(test, |command| {
        command
            .env("NATS_URL", broker.url())
            .args(["--metrics", "127.0.0.1:0"])
    });
    world.url = broker.url();
    world.is_clean();
    for how in ["TERM", "KILL", "HUP"] {
        std::thread::sleep(Duration::from_secs(1));
        let tick = world.tick();
        world.end(how);
        let continued = format!("`zones run --world {}` continues it", world.name);
        if how != "KILL" {
            for (words, code) in [("check", 3), ("join", 2), ("move 1", 2)] {
                let words = format!("{words} --world {}", world.name);
                let (found, said) = run(&mut program(test).command(), &broker, &words);
                assert_eq!(found, Some(code), "{words}: {said}");
                assert!(said.contains(&continued), "{words}: {said}");
            }
        }
        // Far more ticks than a world misses while it starts.
        std::thread::sleep(Duration::from_secs(6));
        world = world.again(test, &broker.url());
        world.url = broker.url();
        world.is_clean();
        let later = world.tick();
        println!("{how} in tick {tick}, continued until {later}");
        // At 20 ticks a second: five seconds of starts, reports and checks.
        assert!((tick..tick + 100).contains(&later), "{tick}, {later}");
    }
    let twice = format!("run --world {}", world.name);
    let (code, said) = run(&mut program(test).command(), &broker, &twice);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("processes have 4 zones of the world"),
        "{said}"
    );
}

#[test]
fn world_of_another_version() {
    if !has_broker() {
        return;
    }
    let test = "zones_other";
    let broker = Guarded::start(test);
    let ran = run(
        &mut program(test).command(),
        &broker,
        "run horde.ron --quiet --seconds 2",
    );
    assert_eq!(ran.0, Some(0), "{}", ran.1);
    let name = ran.1.trim();
    let mut raw = Raw::open(&broker.url());
    let plan = br#"{"formats":{"state":9,"messages":1},"has_ended":true,"unknown":1}"#;
    raw.publish(&format!("$KV.{name}_zones.plan"), plan);
    for words in ["run", "join", "check", "move 1"] {
        let words = format!("{words} --world {name}");
        let (code, said) = run(&mut program(test).command(), &broker, &words);
        assert_eq!(code, Some(2), "{words}: {said}");
        let versions = "the world is kept in version 9, and this program reads version 1: ";
        assert!(said.contains(versions), "{words}: {said}");
    }
    let listed = run(&mut program(test).command(), &broker, "worlds");
    assert_eq!(listed, (Some(0), format!("{name}: ended, 0 zones held\n")));
}

/// Builds this program with other versions of its data. Returns it.
fn later(state: u16, messages: u16) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // One for all versions: only the crates that have them are compiled again.
    let target = root.join("target/later");
    let built = Command::new(env!("CARGO"))
        .args(["build", "-p", "zones", "--target-dir"])
        .arg(&target)
        .env("NAV_ZONES_STATE", state.to_string())
        .env("NAV_ZONES_MESSAGES", messages.to_string())
        .current_dir(&root)
        .status();
    assert!(built.expect("cargo is there").success());
    let program = target.join(format!("zones-{state}-{messages}"));
    std::fs::copy(target.join("debug/zones"), &program).expect("it was built");
    program
}

/// In the soak tier, which compiles the program again.
#[test]
fn newer_builds() {
    if !has_broker() || !by_tier(false, true) {
        return;
    }
    let test = "zones_newer";
    let (messages, state) = (later(1, 2), later(2, 2));
    let broker = Guarded::start(test);
    let place = |name: &str| format!("--world {name}");
    let mut world = World::run(test, |command| command.env("NATS_URL", broker.url()));
    world.url = broker.url();
    world.is_clean();
    // Other messages: refused beside the old processes.
    let (code, said) = run(
        &mut Command::new(&messages),
        &broker,
        &format!("join {}", place(&world.name)),
    );
    println!("{said}");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("in version 1 and send messages of version 1, this program in 1 and 2"));
    world.end("TERM");
    // The next version of the state reads the one before, and goes on.
    let mut newer = Command::new(&state);
    newer.env("NATS_URL", broker.url());
    newer.args(["run", "--world", &world.name]);
    let name = world.name.clone();
    let mut world = World::of(program(test), newer);
    let checked = || {
        run(
            &mut Command::new(&state),
            &broker,
            &format!("check {}", place(&name)),
        )
    };
    while checked().0 != Some(0) {
        std::thread::sleep(Duration::from_millis(250));
    }
    assert!(checked().1.starts_with("1524 agents"), "{}", checked().1);
    world.end("TERM");
    // The older one is refused then, and nothing is lost.
    for words in ["run", "join", "check"] {
        let (code, said) = run(
            &mut program(test).command(),
            &broker,
            &format!("{words} {}", place(&name)),
        );
        println!("{said}");
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains("is kept in version 2, and this program reads version 1"),
            "{said}"
        );
    }
    let mut newer = Command::new(&state);
    newer
        .env("NATS_URL", broker.url())
        .args(["run", "--world", &name]);
    let _world = World::of(program(test), newer);
    while checked().0 != Some(0) {
        std::thread::sleep(Duration::from_millis(250));
    }
    assert!(checked().1.starts_with("1524 agents"), "{}", checked().1);
}
