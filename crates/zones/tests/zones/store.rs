//! What becomes of the store at the broker: a ledger that is cut, and a store that is gone.

use crate::{World, broker::Guarded, has_broker, processes::signal, raw::Raw};
use nav_judge::by_tier;
use serde_json::Value;
use std::{process::Stdio, time::Duration};

/// A run that is ended while there is no telling does not end with 0.
#[test]
fn ended_without_telling() {
    if !has_broker() {
        return;
    }
    let broker = Guarded::start("zones_untold");
    let run = || {
        let world = World::run("zones_untold", |command| {
            command.env("NATS_URL", broker.url())
        });
        let mut check = world.program.command();
        check.args(["check", "--world", &world.name]);
        check.env("NATS_URL", broker.url()).stdout(Stdio::null());
        while check.status().expect("it is there").code() != Some(0) {}
        world
    };
    let code = |mut world: World| {
        signal("TERM", world.process.id().into());
        world.process.wait().expect("it is a child").code()
    };
    // The world was deleted.
    let world = run();
    let mut delete = world.program.command();
    delete.args(["worlds", "--force", "--delete", &world.name]);
    let deleted = delete.env("NATS_URL", broker.url()).status();
    assert!(deleted.expect("it is there").success());
    assert_eq!(code(world), Some(3));
    // The broker hangs.
    let world = run();
    signal("STOP", broker.process().into());
    world.says("the broker does not answer\n");
    assert_eq!(code(world), Some(3));
}

/// Three minutes in the soak tier. In the default tier of `nav_zones`, a day passes by hand.
#[test]
fn ledger_is_cut() {
    if !has_broker() || !by_tier(false, true) {
        return;
    }
    let world = World::start("zones_cut");
    world.is_clean();
    let ledger = format!("{}_ledger", world.name);
    let mut raw = Raw::open(&world.url);
    let mut number = |which: &str| {
        let info = raw.request(&format!("$JS.API.STREAM.INFO.{ledger}"), b"");
        let info: Value = serde_json::from_str(&info).expect("JSON");
        info["state"][which].as_u64().expect("a number")
    };
    let mut seen = Vec::new();
    for _ in 0..18 {
        std::thread::sleep(Duration::from_secs(10));
        seen.push((number("messages"), number("last_seq")));
    }
    println!("entries that are left, of all: {seen:?}");
    let (left, all) = seen[17];
    assert!(left < all / 2, "{left} of {all}");
    world.is_clean();
}

/// The store comes back empty, or as it was some seconds before, while all zones have processes:
/// each agent lives once.
#[test]
fn lost_under_running_zones() {
    if !has_broker() {
        return;
    }
    let mut broker = Guarded::start("zones_lost");
    let mut world = World::run("zones_lost", |command| {
        command.env("NATS_URL", broker.url())
    });
    world.url = broker.url();
    world.is_clean();
    for (loss, how) in ["empty", "older", "older", "empty"].iter().enumerate() {
        let copy = broker.back_up();
        world.is_clean();
        std::thread::sleep(Duration::from_secs(3));
        broker.replace_store((*how == "older").then_some(&*copy));
        world.is_clean();
        let (_, text) = world.checked(&world.url);
        println!("loss {loss}, {how}: {text}");
        assert!(
            text.contains(" 0 lost, 0 doubled, 0 zones silent"),
            "{text}"
        );
        // What was written again is enough for another process.
        signal("KILL", world.joined()[0].into());
        world.is_clean();
    }
    signal("TERM", world.process.id().into());
    assert_eq!(world.process.wait().expect("it is a child").code(), Some(0));
}
