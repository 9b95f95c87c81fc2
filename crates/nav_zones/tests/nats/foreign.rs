//! Messages that no process of the world sent are refused, skipped and counted, and the zones
//! continue.

use crate::{
    World,
    keeper::{entries_to, until},
    raw::Raw,
};
use nav_judge::by_tier;
use nav_zones::{
    ZoneId,
    keeper::{EntriesOf, Keeper, Sequence},
};

const A: ZoneId = ZoneId(0);
const B: ZoneId = ZoneId(1);

/// Bytes of no format, among them short ones, and bytes like the middle of a message.
const JUNK: [&[u8]; 4] = [b"", b"\x03", b"hello", &[0xff; 300]];

#[test]
fn in_the_ledger() {
    let Some(world) = World::open() else { return };
    let (mut keeper, mut reader) = (world.keeper(), world.keeper());
    let mut raw = Raw::open(&world.broker.url());
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    let mut written: Vec<Vec<u8>> = Vec::new();
    for number in 0..3 {
        for subject in ["0.1", "0.own", "1.0", "x.1", "0.99", "70000.1"] {
            for junk in JUNK {
                raw.publish(&format!("world.ledger.{subject}"), junk);
            }
        }
        let sequence = keeper
            .append(&mut lease, B, &[number])
            .expect("it is skipped");
        written.push(vec![number]);
        let read = entries_to(&mut reader, B, Sequence(0), written.len());
        assert_eq!(read.last().map(|entry| entry.sequence), Some(sequence));
        let read: Vec<_> = read.into_iter().map(|entry| entry.contents).collect();
        assert_eq!(read, written);
    }
    // Many foreign messages in a row hide no entry, and no call makes a consumer because of them.
    for _ in 0..500 {
        raw.publish("world.ledger.0.1", b"junk");
    }
    // They are deleted one by one, which may take longer than one call.
    until("they are skipped", || {
        keeper.append(&mut lease, B, b"last").ok()
    });
    let after = Sequence(0);
    for _ in 0..50 {
        let read = entries_to(&mut reader, B, after, 4);
        assert_eq!(read[3].contents, b"last");
        let none = reader
            .entries(EntriesOf::To(B), read[3].sequence, 9)
            .expect("it runs");
        assert_eq!(none, []);
    }
    assert!(reader.refused() > 12, "{}", reader.refused());
    until("consumers are deleted", || {
        (raw.consumers("world_ledger") <= 3).then_some(())
    });
    // They use the names of other zones, of this one, and of the next entry.
    for name in [
        "1.1.1",
        "0.0.1",
        "0.1.5",
        "0.1.6",
        "0.1.900",
        "0.1.18446744073709551615",
    ] {
        raw.publish_with("world.ledger.0.1", &format!("Nats-Msg-Id: {name}"), b"junk");
        let written = until("it is written", || {
            keeper.append(&mut lease, B, name.as_bytes()).ok()
        });
        let read = until("it comes", || {
            let read = reader.entries(EntriesOf::From(A), Sequence(written.0 - 1), 1);
            read.expect("it runs").pop()
        });
        assert_eq!(read.contents, name.as_bytes());
    }
    // Another holder continues from there.
    raw.publish("world.ledger.0.1", b"junk");
    keeper.release(&mut lease).expect("it has the zone");
    let mut other = reader.take(A, "two").expect("it is free");
    reader
        .append(&mut other, B, b"other")
        .expect("it has the zone");
}

#[test]
fn in_buckets() {
    let Some(world) = World::open() else { return };
    let (mut keeper, mut other) = (world.keeper(), world.keeper());
    let mut raw = Raw::open(&world.broker.url());
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    keeper
        .put_snapshot(&mut lease, b"first")
        .expect("it has the zone");
    for junk in JUNK {
        for subject in ["$KV.world_zones.zone.0", "$KV.world_zones.zone.x"] {
            raw.publish(subject, junk);
        }
        assert!(other.take(A, "two").is_err(), "it is held");
        keeper.renew(&mut lease).expect("it still has the zone");
        assert_eq!(keeper.holders().expect("it runs").len(), 1);
        raw.publish("$KV.world_zones.zone.0", junk);
        keeper
            .put_snapshot(&mut lease, b"second")
            .expect("it has the zone");
        keeper.append(&mut lease, B, junk).expect("it has the zone");
        for subject in ["snapshots.M.x", "snapshots.C.x", "named.M.x"] {
            raw.publish(&format!("$O.world_{subject}"), junk);
        }
        for key in ["snapshot.0", "forgotten.read.0"] {
            raw.publish(&format!("$KV.world_zones.{key}"), junk);
        }
        other.snapshot(A).expect("it runs");
        keeper
            .put_snapshot(&mut lease, b"third")
            .expect("it has the zone");
        assert_eq!(other.snapshot(A), Ok(Some(b"third".to_vec())));
        other.put_named("map", b"map").expect("it runs");
        assert_eq!(keeper.named("map"), Ok(Some(b"map".to_vec())));
        raw.publish("world.events", junk);
    }
    // The value may be anything: the zone that reads an event refuses unknown formats.
    assert_eq!(
        keeper.events(Sequence(0), 9).map(|events| events.len()),
        Ok(JUNK.len())
    );
    // Foreign values do not renew the lease of a holder that is gone.
    drop(keeper);
    until("the zone is taken", || {
        raw.publish("$KV.world_zones.zone.0", b"junk");
        other.take(A, "two").ok()
    });
}

#[test]
fn many_snapshots_and_readers() {
    let Some(world) = World::open() else { return };
    let mut keeper = world.keeper();
    let mut raw = Raw::open(&world.broker.url());
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    for number in 0..by_tier(20_u8, 120) {
        keeper
            .put_snapshot(&mut lease, &vec![number; 700_000])
            .expect("it has the zone");
        let mut reader = world.keeper();
        assert_eq!(reader.snapshot(A), Ok(Some(vec![number; 700_000])));
        reader
            .entries(EntriesOf::To(B), Sequence(0), 9)
            .expect("it runs");
        reader.events(Sequence(0), 9).expect("it runs");
    }
    for stream in [
        "world_ledger",
        "world_events",
        "OBJ_world_snapshots",
        "KV_world_zones",
    ] {
        let consumers = raw.consumers(stream);
        assert!(consumers < 60, "{consumers} consumers of {stream}");
    }
}
