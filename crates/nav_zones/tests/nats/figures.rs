//! Figures of a keeper and a bus at a broker on the same machine: `NAV_SOAK=1 cargo test -p
//! nav_zones --features nats --test nats figures -- --nocapture` prints them.

use crate::World;
use nav_zones::{
    Bus, ZoneId,
    keeper::{EntriesOf, Keeper, Sequence},
    nats::NatsBus,
};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_secs(10);

/// Entries that each of several zones writes.
const EACH: usize = 500;

/// Returns the time of some work.
pub fn timed(work: impl FnOnce()) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "what takes long is to be seen")]
    let begin = Instant::now();
    work();
    begin.elapsed()
}

/// Formats the median, the 99th percentile and the maximum.
fn middle_and_long(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |percent: usize| times[times.len() * percent / 100];
    format!(
        "{:?} in the middle, {:?} one in a hundred, {:?} at most",
        at(50),
        at(99),
        times[times.len() - 1]
    )
}

#[test]
fn acknowledged_within_a_tick() {
    let Some(world) = World::start() else { return };
    let mut keeper = world.keeper();
    let mut lease = keeper.take(ZoneId(0), "one").expect("nobody has it");
    let mut append = |_| {
        timed(|| {
            keeper
                .append(&mut lease, ZoneId(1), &[7; 400])
                .expect("it is held");
        })
    };
    let times: Vec<Duration> = (0..1000).map(&mut append).collect();
    let mut sorted = times.clone();
    sorted.sort_unstable();
    println!("an entry of 400 bytes: {}", middle_and_long(times));
    assert!(sorted[500] < Duration::from_millis(50), "{:?}", sorted[500]);
}

#[test]
fn four_zones_at_once() {
    let Some(world) = World::start() else { return };
    let mut writers: Vec<_> = (0..4)
        .map(|zone| {
            let mut keeper = world.keeper();
            let lease = keeper.take(ZoneId(zone), "one").expect("nobody has it");
            (keeper, lease)
        })
        .collect();
    let time = timed(|| {
        std::thread::scope(|scope| {
            for (keeper, lease) in &mut writers {
                scope.spawn(move || {
                    for _ in 0..EACH {
                        keeper
                            .append(lease, ZoneId(9), &[7; 400])
                            .expect("it is held");
                    }
                });
            }
        });
    });
    let a_second = 4.0 * EACH as f64 / time.as_secs_f64();
    println!("4 zones at once: {a_second:.0} entries a second");
    let (keeper, _) = &mut writers[0];
    let read = crate::keeper::entries_to(keeper, ZoneId(9), Sequence(0), 4 * EACH);
    for zone in (0..4).map(ZoneId) {
        assert_eq!(read.iter().filter(|entry| entry.from == zone).count(), EACH);
    }
}

#[test]
fn nothing_new() {
    let Some(world) = World::start() else { return };
    let mut keeper = world.keeper();
    let polls = 100_000_u32;
    let poll = |keeper: &mut nav_zones::nats::NatsKeeper| {
        let none = keeper
            .entries(EntriesOf::To(ZoneId(1)), Sequence(0), 100)
            .expect("a keeper");
        assert_eq!(none, []);
    };
    let first = timed(|| poll(&mut keeper));
    let time = timed(|| (0..polls).for_each(|_| poll(&mut keeper)));
    println!(
        "nothing new: {:?} a call, {first:?} the first",
        time / polls
    );
    // A round trip takes some tens of microseconds at least.
    assert!(
        time / polls < Duration::from_micros(10),
        "{:?}",
        time / polls
    );
}

#[test]
fn large_snapshot() {
    let Some(world) = World::start() else { return };
    let (mut keeper, mut other) = (world.keeper(), world.keeper());
    let mut lease = keeper.take(ZoneId(0), "one").expect("nobody has it");
    let snapshot: Vec<u8> = (0..16 << 20)
        .map(|at: u32| (at.wrapping_mul(0x9E37_79B9) >> 24) as u8)
        .collect();
    let put = timed(|| {
        keeper
            .put_snapshot(&mut lease, &snapshot)
            .expect("it is held");
    });
    let mut read = None;
    let get = timed(|| read = other.snapshot(ZoneId(0)).expect("a keeper"));
    println!("a snapshot of 16 MiB: {put:?} to write, {get:?} to read");
    assert!(read == Some(snapshot));
}

#[test]
fn there_and_back() {
    let Some(world) = World::start() else { return };
    let [mut a, mut b] =
        [0, 1].map(|zone| NatsBus::new(&world.connect(), ZoneId(zone)).expect("the broker runs"));
    let rounds = 2000;
    let back = std::thread::spawn(move || {
        for _ in 0..rounds {
            let message = b.receive(WAIT).expect("it runs").expect("it was sent");
            b.send(ZoneId(0), message).expect("it runs");
        }
    });
    let mut times = Vec::new();
    for _ in 0..rounds {
        times.push(timed(|| {
            a.send(ZoneId(1), vec![7; 4096]).expect("it runs");
            let message = a.receive(WAIT).expect("it runs");
            assert_eq!(message.map(|message| message.len()), Some(4096));
        }));
    }
    back.join().expect("all came");
    println!("4 kB there and back: {}", middle_and_long(times));
}
