//! Streams of a world that an operator edited, and a ledger that is written for long.

use crate::{World, keeper::until, raw::Raw};
use nav_judge::by_tier;
use nav_zones::{
    ZoneId,
    keeper::{Keeper, Places, Sequence},
    nats::NatsKeeper,
};

const A: ZoneId = ZoneId(0);
const B: ZoneId = ZoneId(1);

/// Changes a number among the settings of a stream, as `nats stream edit` does.
fn edit(raw: &mut Raw, stream: &str, setting: &str, to: &str) {
    let info = raw.request(&format!("$JS.API.STREAM.INFO.{stream}"), b"");
    let (_, config) = info.split_once("\"config\":").expect(&info);
    let end = config.find("},\"created\"").expect(config);
    let mut config = config[..=end].to_owned();
    let known = format!("\"{setting}\":");
    match config.find(&known) {
        Some(at) => {
            let at = at + known.len();
            let end = config[at..].find([',', '}']).expect(&config);
            config.replace_range(at..at + end, to);
        }
        None => config.replace_range(..1, &format!("{{{known}{to},")),
    }
    let answer = raw.request(
        &format!("$JS.API.STREAM.UPDATE.{stream}"),
        config.as_bytes(),
    );
    assert!(!answer.contains("\"error\""), "{answer}");
}

/// Nanoseconds of an hour.
const HOUR: &str = "3600000000000";

#[test]
fn edited_by_an_operator() {
    let Some(world) = World::open() else { return };
    let mut first = world.keeper();
    let mut lease = first.take(A, "one").expect("nobody has it");
    first.append(&mut lease, B, b"before").expect("it is held");
    let mut raw = Raw::open(&world.broker.url());
    edit(&mut raw, "world_ledger", "max_age", HOUR);
    for (stream, setting, to) in [
        ("KV_world_zones", "max_bytes", "100000000"),
        ("OBJ_world_snapshots", "duplicate_window", "60000000000"),
        ("OBJ_world_named", "max_consumers", "1000"),
        ("world_events", "max_msgs", "2000000"),
    ] {
        edit(&mut raw, stream, setting, to);
    }
    let mut second = world.keeper();
    second.take(A, "two").expect_err("it is held");
    first.append(&mut lease, B, b"after").expect("it is held");
    let read = crate::keeper::entries_to(&mut second, B, Sequence(0), 2);
    assert_eq!(read[1].contents, b"after");
}

#[test]
fn settings_that_lose_data() {
    let Some(world) = World::open() else { return };
    drop(world.keeper());
    let mut raw = Raw::open(&world.broker.url());
    let half_hour = "1800000000000";
    for (stream, setting, to, back, command) in [
        (
            "world_ledger",
            "max_age",
            half_hour,
            "0",
            "nats stream edit --max-age 3600s world_ledger",
        ),
        (
            "KV_world_zones",
            "max_age",
            HOUR,
            "0",
            "nats stream edit --max-age 0s KV_world_zones",
        ),
        (
            "world_events",
            "max_msgs",
            "9",
            "-1",
            "nats stream edit --max-msgs 1048576 world_events",
        ),
    ] {
        edit(&mut raw, stream, setting, to);
        let connection = world.connect();
        let error = NatsKeeper::new(&connection)
            .map(|_| ())
            .expect_err("it loses data");
        let error = error.to_string();
        assert!(error.contains(command) && error.contains(stream), "{error}");
        edit(&mut raw, stream, setting, back);
        NatsKeeper::new(&connection).expect("it is mended");
    }
}

/// A zone whose entries are all older than the broker keeps them goes on to write.
#[test]
fn all_entries_of_a_zone_aged() {
    let Some(world) = World::open() else { return };
    let mut keeper = world.keeper();
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    keeper.append(&mut lease, B, b"old").expect("it is held");
    let mut raw = Raw::open(&world.broker.url());
    // As after an hour of silence.
    let purged = raw.request("$JS.API.STREAM.PURGE.world_ledger", b"");
    assert!(purged.contains("\"success\":true"), "{purged}");
    keeper.append(&mut lease, B, b"new").expect("it is held");
    let read = crate::keeper::entries_to(&mut keeper, B, Sequence(0), 1);
    assert_eq!(read[0].contents, b"new");
    // Not a holder that lost the zone.
    let mut other = world.keeper();
    keeper.release(&mut lease).expect("it is held");
    other.take(A, "two").expect("it is free");
    raw.request("$JS.API.STREAM.PURGE.world_ledger", b"");
    keeper
        .append(&mut lease, B, b"late")
        .expect_err("it is lost");
}

/// Ten million entries in the soak tier: a hundred hand-overs a second for a day and more.
#[test]
fn ledger_of_many_entries() {
    let Some(world) = World::open() else { return };
    let mut keeper = world.keeper();
    let mut leases = [A, B].map(|zone| keeper.take(zone, "one").expect("nobody has it"));
    let mut raw = Raw::open(&world.broker.url());
    let (all, between) = by_tier((10_000, 1_000), (10_000_000, 10_000));
    let mut last = [Sequence(0); 2];
    let mut largest = 0;
    for number in 1..=all {
        let from = number % 2;
        let to = if number % 3 == 0 {
            leases[from].zone()
        } else {
            leases[1 - from].zone()
        };
        let append = || keeper.append(&mut leases[from], to, &[7; 300]).ok();
        last[from] = until("it is written", append);
        if number % between == 0 {
            // Both zones stored a snapshot.
            let written = last;
            for (lease, zone) in leases.iter().zip(0..) {
                let places = Places {
                    read: written[1 - zone],
                    written: written[zone],
                };
                keeper.forget(lease, places).expect("it is held");
            }
            let info = raw.request("$JS.API.STREAM.INFO.world_ledger", b"");
            let (_, count) = info.split_once("\"messages\":").expect(&info);
            let count = count
                .split(',')
                .next()
                .and_then(|count| count.parse::<usize>().ok());
            largest = largest.max(count.expect(&info));
        }
    }
    println!("{all} entries, at most {largest} left after a snapshot");
    assert!(largest <= between, "{largest} of {between}");
}
