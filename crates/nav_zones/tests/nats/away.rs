//! The broker goes away, comes back, crashes or hangs: no entry is lost or written twice, and the
//! zones continue.

use crate::{
    World,
    keeper::{LEASE, entries_from, entries_to, take_over, until},
};
use nav_zones::{
    ZoneId,
    keeper::{EntriesOf, Entry, Keeper, KeeperError, Lease, Sequence},
    nats::{NatsConnection, NatsKeeper},
};
use std::{
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread::sleep,
};

const A: ZoneId = ZoneId(0);
const B: ZoneId = ZoneId(1);

fn is_unreachable<T>(result: &Result<T, KeeperError>) -> bool {
    matches!(result, Err(KeeperError::Unreachable(_)))
}

/// Writes an entry, with as many attempts as it takes.
fn append(keeper: &mut NatsKeeper, lease: &mut Lease, contents: &[u8]) -> Sequence {
    until("the entry is written", || {
        match keeper.append(lease, B, contents) {
            Ok(sequence) => Some(sequence),
            Err(KeeperError::Unreachable(_)) => None,
            Err(error) => panic!("{error}"),
        }
    })
}

/// Returns the numbers that the entries contain.
fn numbers(entries: &[Entry]) -> Vec<u32> {
    let number = |entry: &Entry| postcard::from_bytes(&entry.contents).expect("a number");
    entries.iter().map(number).collect()
}

#[test]
fn failed_entry_written_once() {
    let Some(mut world) = World::start() else {
        return;
    };
    let (mut keeper, mut reader) = (world.keeper(), world.keeper());
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    append(&mut keeper, &mut lease, b"before");
    world.broker.kill();
    // The entry waits in the connection, and is sent once the broker is back. So is the second
    // attempt at it.
    assert!(is_unreachable(&keeper.append(&mut lease, B, b"between")));
    world.broker.restart().expect("it ran before");
    let last = append(&mut keeper, &mut lease, b"between");
    let after = append(&mut keeper, &mut lease, b"after");
    let all = entries_to(&mut reader, B, Sequence(0), 3);
    let contents: Vec<&[u8]> = all.iter().map(|entry| &*entry.contents).collect();
    assert_eq!(contents, [&b"before"[..], b"between", b"after"]);
    assert_eq!([all[1].sequence, all[2].sequence], [last, after]);
}

#[test]
fn entry_without_answer() {
    let Some(world) = World::start() else { return };
    let mut keeper = world.keeper();
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    for number in 0..3_u8 {
        world.signal("STOP");
        assert!(is_unreachable(&keeper.append(&mut lease, B, &[number])));
        world.signal("CONT");
        append(&mut keeper, &mut lease, &[number]);
    }
    let all = entries_from(&mut keeper, A, Sequence(4));
    let contents: Vec<&[u8]> = all.iter().skip(1).map(|entry| &*entry.contents).collect();
    assert_eq!(contents, [[0], [1], [2]]);
}

#[test]
fn another_entry_in_place() {
    let Some(world) = World::start() else { return };
    let mut keeper = world.keeper();
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    world.signal("STOP");
    assert!(is_unreachable(&keeper.append(&mut lease, B, b"failed")));
    world.signal("CONT");
    let other = append(&mut keeper, &mut lease, b"other");
    let all = entries_from(&mut keeper, A, other);
    assert_eq!(all.last().expect("entries").contents, b"other");
    let next = append(&mut keeper, &mut lease, b"next");
    assert!(next > other);
}

#[test]
fn crashes() {
    let Some(mut world) = World::start() else {
        return;
    };
    let (mut keeper, mut reader) = (world.keeper(), world.keeper());
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    let mut read: Vec<Entry> = Vec::new();
    let write = std::thread::spawn(move || {
        for number in 0..400_u32 {
            let contents = postcard::to_allocvec(&number).expect("a number");
            append(&mut keeper, &mut lease, &contents);
        }
    });
    until("all entries come", || {
        let after = read.last().map_or(Sequence(0), |last| last.sequence);
        // It fails while the broker is away.
        read.extend(
            reader
                .entries(EntriesOf::To(B), after, 50)
                .unwrap_or_default(),
        );
        if read.len() % 3 == 1 && !write.is_finished() {
            world.broker.kill();
            sleep(LEASE / 10);
            world.broker.restart().expect("it ran before");
        }
        (read.len() >= 400).then_some(())
    });
    write.join().expect("it writes all");
    assert_eq!(numbers(&read), (0..400).collect::<Vec<_>>());
}

#[test]
fn started_again() {
    let Some(mut world) = World::start() else {
        return;
    };
    let (mut keeper, mut other) = (world.keeper(), world.keeper());
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    keeper.append(&mut lease, B, b"before").expect("it is held");
    keeper
        .put_snapshot(&mut lease, b"snapshot")
        .expect("it is held");
    keeper.put_named("map", b"cells").expect("a keeper");
    let event = keeper.announce(b"event").expect("a keeper");
    let before = entries_to(&mut other, B, Sequence(0), 1)[0].sequence;
    assert_eq!(other.events(Sequence(0), 9).expect("a keeper").len(), 1);
    world.broker.stop().expect("it ends when asked");
    assert!(is_unreachable(&keeper.renew(&mut lease)));
    assert!(is_unreachable(&other.entries(EntriesOf::To(B), before, 9)));
    assert!(is_unreachable(&keeper.announce(b"lost, or late")));
    world.broker.restart().expect("it ran before");
    until("the lease is renewed", || keeper.renew(&mut lease).ok());
    append(&mut keeper, &mut lease, b"after");
    assert_eq!(entries_to(&mut other, B, before, 1)[0].contents, b"after");
    assert_eq!(
        other.snapshot(A).expect("a keeper").as_deref(),
        Some(&b"snapshot"[..])
    );
    assert_eq!(
        other.named("map").expect("a keeper").as_deref(),
        Some(&b"cells"[..])
    );
    let next = keeper.announce(b"next").expect("a keeper");
    until("the event comes", || {
        let events = other.events(event, 9).ok()?;
        let last = events.last()?;
        (last.sequence == next && last.bytes == b"next").then_some(())
    });
}

#[test]
fn no_agent_lost_while_away() {
    let Some(mut world) = World::start() else {
        return;
    };
    let (mut holder, mut other) = (world.keeper(), world.keeper());
    let mut lease = holder.take(A, "holder").expect("nobody has it");
    other.take(A, "other").expect_err("it is held");
    world.broker.kill();
    sleep(LEASE * 2);
    world.broker.restart().expect("it ran before");
    // The first read after the broker is back, before the holder renewed.
    let held = until("the broker is there", || match other.take(A, "other") {
        Err(KeeperError::Unreachable(_)) => None,
        result => Some(result.map(|lease| lease.term())),
    });
    let expected = KeeperError::Held {
        zone: A,
        holder: "holder".into(),
    };
    assert_eq!(held, Err(expected));
    until("the holder renews", || holder.renew(&mut lease).ok());
    for _ in 0..8 {
        sleep(LEASE / 4);
        other.take(A, "other").expect_err("it is held");
        holder.renew(&mut lease).expect("it is held");
    }
    take_over(&mut other, A, "other");
}

#[test]
fn no_agent_lost_while_hung() {
    let Some(world) = World::start() else { return };
    let (mut holder, mut other) = (world.keeper(), world.keeper());
    let mut lease = holder.take(A, "holder").expect("nobody has it");
    other.take(A, "other").expect_err("it is held");
    world.signal("STOP");
    sleep(LEASE * 2);
    world.signal("CONT");
    let held = until("the broker is there", || match other.take(A, "other") {
        Err(KeeperError::Unreachable(_)) => None,
        result => Some(result.map(|lease| lease.term())),
    });
    assert!(matches!(held, Err(KeeperError::Held { .. })), "{held:?}");
    until("the holder renews", || holder.renew(&mut lease).ok());
}

#[test]
fn taking_without_answer() {
    let Some(world) = World::start() else { return };
    let options = world.options().timeout(LEASE / 6);
    let connection = NatsConnection::open(options).expect("the broker runs");
    let mut keeper = NatsKeeper::new(&connection).expect("the broker has streams");
    let is_over = AtomicBool::new(false);
    let (mut taken, mut unanswered, mut last) = (0, 0, None);
    std::thread::scope(|scope| {
        // The broker may hang at any point of a taker's requests.
        scope.spawn(|| {
            for _ in 0..20 {
                sleep(LEASE / 30);
                world.signal("STOP");
                sleep(LEASE / 5);
                world.signal("CONT");
            }
            is_over.store(true, Ordering::Relaxed);
        });
        while !is_over.load(Ordering::Relaxed) {
            let mut lease = match keeper.take(A, "one") {
                Ok(lease) => lease,
                Err(KeeperError::Unreachable(_)) => {
                    unanswered += 1;
                    continue;
                }
                Err(error) => panic!("after {taken}, {unanswered} of them unanswered: {error}"),
            };
            assert!(last < Some(lease.term()), "{last:?} {lease:?}");
            last = Some(lease.term());
            taken += 1;
            until("it is released", || keeper.release(&mut lease).ok());
        }
    });
    println!("taken {taken} times, without an answer {unanswered} times");
    assert!(unanswered > 0);
}

impl World {
    /// Sends a signal to the broker's process: it hangs, or continues.
    pub(crate) fn signal(&self, name: &str) {
        let process = self.broker.process().expect("it runs").to_string();
        let status = Command::new("kill").args(["-s", name, &process]).status();
        assert!(status.expect("there is kill").success());
        // Its threads follow a moment later.
        sleep(LEASE / 20);
    }
}
