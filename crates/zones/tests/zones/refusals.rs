//! What is refused, each in a sentence that names it: clocks, files, variables, layouts; and a
//! broker that is late.

use crate::{
    World,
    broker::Guarded,
    has_broker,
    operate::now,
    processes::{self, signal},
    program,
    raw::Raw,
    slow::changing_proxy,
    upgrade::run,
};
use std::{process::Stdio, time::Duration};

/// Sets the time of the broker back by years.
fn years_ago(said: &mut [u8]) {
    let words = b"\"ts\":\"20";
    let found = said.windows(words.len()).position(|bytes| bytes == words);
    if let Some(found) = found {
        said[found + words.len()..][..2].copy_from_slice(b"19");
    }
}

#[test]
fn wrong_clock() {
    if !has_broker() {
        return;
    }
    let test = "zones_clock";
    let broker = Guarded::start(test);
    let mut world = World::run(test, |command| command.env("NATS_URL", broker.url()));
    world.url = broker.url();
    world.is_clean();
    let wrong = changing_proxy(&broker.url(), Duration::ZERO, years_ago);
    let wrong = wrong.replace("nats://", "nats://zones:secret@");
    let place = format!("--nats {wrong} --world {}", world.name);
    for words in ["join", "split 3 --column 128"] {
        let said = program(test).fail(&format!("{words} {place}"));
        assert!(said.starts_with("the clock of this machine is "), "{said}");
        assert!(said.contains(" h ahead of that of the broker"), "{said}");
    }
    // A world that is refused leaves nothing.
    let said = program(test).fail(&format!("run horde.ron --nats {wrong}"));
    assert!(said.contains(" h ahead of that of the broker"), "{said}");
    let listed = run(&mut program(test).command(), &broker, "worlds");
    assert_eq!(listed.1.lines().count(), 1, "{}", listed.1);
}

#[test]
fn refused_by_name() {
    if !has_broker() {
        return;
    }
    let test = "zones_refused";
    let broker = Guarded::start(test);
    let program = program(test);
    for (words, said) in [
        (
            "check --world w --nats-creds nosuch",
            "credentials in nosuch: ",
        ),
        (
            "check --world w --nats-ca nosuch",
            "credentials in nosuch: ",
        ),
        (
            "check --world w --nats-cert nosuch",
            "credentials in nosuch: ",
        ),
        (
            "run horde.ron --zones 0x0",
            "there must be at least one in either direction",
        ),
        ("run --world w --zones 2x2", "cannot be used with"),
        ("run --world w", "there is no world \"w\""),
    ] {
        let (code, found) = run(&mut program.command(), &broker, words);
        println!("{words}: {found}");
        assert_eq!(code, Some(2), "{words}: {found}");
        assert!(found.contains(said), "{words}: {found}");
    }
    // An empty variable counts as none.
    let mut command = program.command();
    let (code, found) = run(command.env("NATS_CREDS", ""), &broker, "check --world w");
    assert_eq!(code, Some(2), "{found}");
    assert!(found.contains("there is no world"), "{found}");
    // None of them leaves a stream.
    let streams = Raw::open(&broker.url()).request("$JS.API.STREAM.NAMES", b"");
    assert!(streams.contains("\"total\":0"), "{streams}");
}

#[test]
fn join_waits_for_the_broker() {
    if !has_broker() {
        return;
    }
    let test = "zones_late";
    let broker = Guarded::start(test);
    let mut world = World::run(test, |command| command.env("NATS_URL", broker.url()));
    world.url = broker.url();
    world.is_clean();
    signal("STOP", broker.process().into());
    let mut join = world.program.command();
    join.args(["join", "--world", &world.name])
        .env("NATS_URL", broker.url());
    let mut join = join
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is there");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(join.try_wait().expect("it is a child"), None);
    signal("CONT", broker.process().into());
    world.is_clean();
    signal("TERM", join.id().into());
    assert!(join.wait().expect("it is a child").success());
}

/// Its own broker and the store of that end with it.
#[test]
fn hung_up() {
    if !has_broker() {
        return;
    }
    let mut world = World::start("zones_hung_up");
    world.is_clean();
    let store = std::env::temp_dir().join(&world.name);
    assert!(store.is_dir());
    signal("HUP", world.process.id().into());
    let since = now();
    assert_eq!(world.process.wait().expect("it is a child").code(), Some(0));
    println!("ended {:.1?} after the signal", since.elapsed());
    assert_eq!(processes::with(&world.name), []);
    assert!(!store.exists());
}

#[test]
fn quiet_world_is_named() {
    if !has_broker() {
        return;
    }
    let test = "zones_quiet";
    let broker = Guarded::start(test);
    let command = "run horde.ron --quiet --seconds 1";
    let (code, said) = run(&mut program(test).command(), &broker, command);
    assert_eq!(code, Some(0), "{said}");
    let listed = run(&mut program(test).command(), &broker, "worlds").1;
    assert_eq!(listed, format!("{}: ended, 0 zones held\n", said.trim()));
}
