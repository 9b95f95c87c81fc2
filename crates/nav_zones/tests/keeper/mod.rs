//! Scenarios that every keeper passes, whatever its storage.
//!
//! `scenarios!(open)` makes a test of each. `open` is a function that makes a new world and returns
//! a function that opens a keeper of it, as another process would. If it returns `None`, the test
//! is skipped. Leases last [`LEASE`].

use nav_zones::{
    ZoneId,
    keeper::{EntriesOf, Entry, Keeper, KeeperError, Lease, Places, Sequence, StoredEvent},
};
use std::{thread::sleep, time::Duration};

/// The length of leases.
pub const LEASE: Duration = Duration::from_millis(600);

/// The longest wait for the work of another process.
const WAIT: Duration = Duration::from_secs(10);

const STEP: Duration = Duration::from_millis(5);

const A: ZoneId = ZoneId(0);
const B: ZoneId = ZoneId(1);
const C: ZoneId = ZoneId(2);

/// Repeats an attempt until it gives a result.
pub fn until<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    for _ in 0..WAIT.as_millis() / STEP.as_millis() {
        if let Some(result) = attempt() {
            return result;
        }
        sleep(STEP);
    }
    panic!("not within {WAIT:?}: {what}");
}

/// Takes a zone whose holder is gone.
pub fn take_over(keeper: &mut impl Keeper, zone: ZoneId, holder: &str) -> Lease {
    until("the zone can be taken", || keeper.take(zone, holder).ok())
}

/// Reads `count` entries for a zone after a place, as they come.
pub fn entries_to(
    keeper: &mut impl Keeper,
    zone: ZoneId,
    after: Sequence,
    count: usize,
) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    until("all entries come", || {
        let after = all.last().map_or(after, |last| last.sequence);
        // The broker may be away just now.
        let more = keeper.entries(EntriesOf::To(zone), after, count - all.len());
        all.extend(more.unwrap_or_default());
        (all.len() == count).then_some(())
    });
    all
}

/// Reads all entries from a zone up to a place.
pub fn entries_from(keeper: &mut impl Keeper, zone: ZoneId, last: Sequence) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    until("all entries come", || {
        let after = all.last().map_or(Sequence(0), |last| last.sequence);
        all.extend(
            keeper
                .entries(EntriesOf::From(zone), after, 100)
                .unwrap_or_default(),
        );
        all.last()
            .filter(|entry| entry.sequence >= last)
            .map(|_| ())
    });
    all
}

fn contents(entries: &[Entry]) -> Vec<&[u8]> {
    entries.iter().map(|entry| &*entry.contents).collect()
}

pub fn two_takers<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let lease = first.take(A, "first").expect("nobody has it");
    let held = KeeperError::Held {
        zone: A,
        holder: "first".into(),
    };
    assert_eq!(second.take(A, "second").expect_err("it is held"), held);
    assert_eq!(first.take(A, "first").expect_err("it is held, too"), held);
    let other = second.take(B, "second").expect("nobody has it");
    let holders = second.holders().expect("a keeper");
    let holders: Vec<_> = holders
        .iter()
        .map(|it| (it.zone, &*it.holder, it.term))
        .collect();
    assert_eq!(
        holders,
        [(A, "first", lease.term()), (B, "second", other.term())]
    );
}

pub fn many_takers<K: Keeper>(open: impl Fn() -> K) {
    for zone in (0..4).map(ZoneId) {
        let keepers: Vec<K> = (0..6).map(|_| open()).collect();
        let taken = std::thread::scope(|scope| {
            let takers: Vec<_> = (keepers.into_iter().enumerate())
                .map(|(number, mut keeper)| {
                    scope.spawn(move || keeper.take(zone, &number.to_string()).map(|_| ()))
                })
                .collect();
            let results = takers
                .into_iter()
                .map(|taker| taker.join().expect("no panic"));
            results.collect::<Vec<_>>()
        });
        let won = taken.iter().filter(|result| result.is_ok()).count();
        assert_eq!(won, 1, "{taken:?}");
        let is_held = |result: &Result<(), _>| matches!(result, Err(KeeperError::Held { .. }));
        assert_eq!(
            taken.iter().filter(|result| is_held(result)).count(),
            5,
            "{taken:?}"
        );
    }
}

pub fn released_zone<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let mut lease = first.take(A, "first").expect("nobody has it");
    first.release(&mut lease).expect("it is held");
    assert_eq!(second.holders().expect("a keeper"), []);
    let next = second.take(A, "second").expect("nobody has it any more");
    assert!(next.term() > lease.term(), "{next:?} {lease:?}");
    let lost = Err(KeeperError::Lost { zone: A });
    assert_eq!(first.release(&mut lease), lost);
}

pub fn renewed_lease<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let mut lease = first.take(A, "first").expect("nobody has it");
    for _ in 0..15 {
        sleep(LEASE / 5);
        first.renew(&mut lease).expect("it is held");
        second.take(A, "second").expect_err("it is held");
    }
    first
        .append(&mut lease, B, b"still here")
        .expect("it is held");
}

pub fn taken_over_holder<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let mut old = first.take(A, "first").expect("nobody has it");
    first.append(&mut old, B, b"before").expect("it is held");
    second.take(A, "second").expect_err("it is held");
    let mut new = take_over(&mut second, A, "second");
    assert!(new.term() > old.term(), "{new:?} {old:?}");
    let lost = KeeperError::Lost { zone: A };
    assert_eq!(
        first.append(&mut old, B, b"late").expect_err("it is lost"),
        lost
    );
    assert_eq!(first.renew(&mut old).expect_err("it is lost"), lost);
    assert_eq!(
        first
            .put_snapshot(&mut old, b"late")
            .expect_err("it is lost"),
        lost
    );
    assert_eq!(first.release(&mut old).expect_err("it is lost"), lost);
    second.append(&mut new, B, b"after").expect("it is held");
    assert_eq!(
        first.append(&mut old, B, b"late").expect_err("it is lost"),
        lost
    );
    let all = entries_to(&mut second, B, Sequence(0), 2);
    assert_eq!(contents(&all), [&b"before"[..], b"after"]);
    assert!(all[0].sequence < new.first() && new.first() < all[1].sequence);
    assert_eq!(second.snapshot(A).expect("a keeper"), None);
}

pub fn entries_in_order<K: Keeper>(open: impl Fn() -> K) {
    let (mut writer, mut reader) = (open(), open());
    let mut leases = [A, B].map(|zone| writer.take(zone, "writer").expect("nobody has it"));
    assert_eq!(
        reader
            .entries(EntriesOf::To(C), Sequence(0), 10)
            .expect("a keeper"),
        []
    );
    let mut written = Vec::new();
    for number in 0..20_u8 {
        let lease = &mut leases[usize::from(number % 2)];
        let sequence = writer.append(lease, C, &[number]).expect("it is held");
        written.push((sequence, lease.zone(), lease.term(), vec![number]));
        // Entries for other zones lie between them.
        writer
            .append(lease, ZoneId(9), b"not for it")
            .expect("it is held");
    }
    let all = entries_to(&mut reader, C, Sequence(0), 20);
    let read = all
        .iter()
        .map(|it| (it.sequence, it.from, it.term, it.contents.clone()));
    assert_eq!(read.collect::<Vec<_>>(), written);
    assert!(all.iter().all(|entry| entry.to == C));
    assert!(all.is_sorted_by_key(|entry| entry.sequence));
    // Reads begin anywhere, go forward and back, and return no more than asked for.
    let place = |index: usize| all[index].sequence;
    assert_eq!(entries_to(&mut reader, C, place(14), 5), all[15..]);
    assert_eq!(entries_to(&mut reader, C, place(4), 3), all[5..8]);
    assert_eq!(
        reader
            .entries(EntriesOf::To(C), place(19), 10)
            .expect("a keeper"),
        []
    );
    assert_eq!(entries_to(&mut reader, C, Sequence(0), 1), all[..1]);
}

pub fn own_entries<K: Keeper>(open: impl Fn() -> K) {
    let mut keeper = open();
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    let (mut to, mut from) = (Sequence(0), lease.first());
    for number in 0..50_u8 {
        let sequence = keeper.append(&mut lease, B, &[number]).expect("it is held");
        for read in [
            keeper.entries(EntriesOf::To(B), to, 10),
            keeper.entries(EntriesOf::From(A), from, 10),
        ] {
            let read = read.expect("a keeper");
            assert_eq!(contents(&read), [&[number]]);
            assert_eq!(read[0].sequence, sequence);
        }
        (to, from) = (sequence, sequence);
    }
}

pub fn entries_of_earlier_holders<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let mut old = first.take(A, "first").expect("nobody has it");
    // It reads already, so that it does not find everything for the first time when it takes over.
    assert!(
        !second
            .entries(EntriesOf::From(A), Sequence(0), 100)
            .expect("a keeper")
            .is_empty()
    );
    for number in 0..10 {
        let to = [A, B][usize::from(number % 2)];
        first.append(&mut old, to, &[number]).expect("it is held");
    }
    first.release(&mut old).expect("it is held");
    let new = second.take(A, "second").expect("it was released");
    let all = second
        .entries(EntriesOf::From(A), Sequence(0), 100)
        .expect("a keeper");
    assert_eq!(all.len(), 12);
    let (begin, written, end) = (&all[0], &all[1..11], &all[11]);
    assert_eq!(
        (begin.sequence, begin.term, &*begin.contents),
        (old.first(), old.term(), &[][..])
    );
    assert_eq!(
        (end.sequence, end.term, &*end.contents),
        (new.first(), new.term(), &[][..])
    );
    for (entry, number) in written.iter().zip(0..) {
        assert_eq!(
            (entry.from, entry.term, &*entry.contents),
            (A, old.term(), &[number][..])
        );
        assert_eq!(entry.to, [A, B][usize::from(number % 2)]);
    }
    // Entries for the zone itself are not among the entries from others.
    assert_eq!(
        second
            .entries(EntriesOf::To(A), Sequence(0), 100)
            .expect("a keeper"),
        []
    );
}

/// The places of a zone that has written and read up to two entries.
fn places(read: Sequence, written: Sequence) -> Places {
    Places { read, written }
}

pub fn forgotten_entries<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let mut writer = first.take(A, "first").expect("nobody has it");
    let mut receiver = second.take(C, "second").expect("nobody has it");
    let none = Sequence(0);
    let old = first.append(&mut writer, C, b"old").expect("it is held");
    let own = first.append(&mut writer, A, b"own").expect("it is held");
    let kept = first.append(&mut writer, C, b"kept").expect("it is held");
    // What the receiver does not have in a snapshot stays.
    first
        .forget(&writer, places(none, kept))
        .expect("it is held");
    let left = entries_to(&mut first, C, none, 2);
    assert_eq!(contents(&left), [&b"old"[..], b"kept"]);
    second
        .forget(&receiver, places(old, none))
        .expect("it is held");
    first
        .forget(&writer, places(none, kept))
        .expect("it is held");
    // Forgetting earlier places changes nothing.
    first
        .forget(&writer, places(none, old))
        .expect("it is held");
    assert_eq!(first.forgotten(A), Ok(places(none, kept)));
    assert_eq!(second.forgotten(C), Ok(places(old, none)));
    assert_eq!(first.forgotten(B), Ok(Places::default()));
    let new = first.append(&mut writer, C, b"new").expect("it is held");
    for keeper in [&mut open(), &mut open()] {
        let left = entries_to(keeper, C, none, 2);
        assert_eq!(contents(&left), [&b"kept"[..], b"new"]);
        assert_eq!([left[0].sequence, left[1].sequence], [kept, new]);
        let from = entries_from(keeper, A, new);
        assert!(!contents(&from).contains(&&b"own"[..]), "{own:?}");
    }
    second.append(&mut receiver, A, b"on").expect("it is held");
}

pub fn forgotten_successor<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let mut old = first.take(A, "first").expect("nobody has it");
    let before = first.append(&mut old, A, b"before").expect("it is held");
    second.take(A, "second").expect_err("it is held");
    let mut new = take_over(&mut second, A, "second");
    let last = second.append(&mut new, A, b"after").expect("it is held");
    let lost = KeeperError::Lost { zone: A };
    let late = first.forget(&old, places(before, before));
    assert_eq!(late.expect_err("it is lost"), lost);
    second.forget(&new, places(last, last)).expect("it is held");
    let late = first.append(&mut old, A, b"late");
    assert_eq!(late.expect_err("it is lost"), lost);
    second.append(&mut new, A, b"further").expect("it is held");
}

pub fn last_snapshot<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    assert_eq!(first.snapshot(A).expect("a keeper"), None);
    let mut old = first.take(A, "first").expect("nobody has it");
    for snapshot in [&b"one"[..], b"two"] {
        first.put_snapshot(&mut old, snapshot).expect("it is held");
        assert_eq!(
            second.snapshot(A).expect("a keeper").as_deref(),
            Some(snapshot)
        );
    }
    let mut other = first.take(B, "first").expect("nobody has it");
    first
        .put_snapshot(&mut other, b"of another zone")
        .expect("it is held");
    first.release(&mut old).expect("it is held");
    let mut new = second.take(A, "second").expect("it was released");
    // Until a newer one is written.
    assert_eq!(
        second.snapshot(A).expect("a keeper").as_deref(),
        Some(&b"two"[..])
    );
    second.put_snapshot(&mut new, b"three").expect("it is held");
    let late = first.put_snapshot(&mut old, b"late");
    assert_eq!(late.expect_err("it is lost"), KeeperError::Lost { zone: A });
    assert_eq!(
        first.snapshot(A).expect("a keeper").as_deref(),
        Some(&b"three"[..])
    );
}

pub fn events_in_order<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    assert_eq!(first.events(Sequence(0), 10).expect("a keeper"), []);
    let mut announced = Vec::new();
    for number in 0..6_u8 {
        let keeper = if number % 2 == 0 {
            &mut first
        } else {
            &mut second
        };
        let sequence = keeper.announce(&[number]).expect("a keeper");
        let bytes = vec![number];
        announced.push(StoredEvent { sequence, bytes });
    }
    assert!(announced.is_sorted_by_key(|event| event.sequence));
    for keeper in [&mut first, &mut second] {
        let mut all = Vec::new();
        until("all events come", || {
            let after = all
                .last()
                .map_or(Sequence(0), |last: &StoredEvent| last.sequence);
            all.extend(keeper.events(after, 4).expect("a keeper"));
            (all.len() == 6).then_some(())
        });
        assert_eq!(all, announced);
        let later = keeper.events(announced[3].sequence, 10).expect("a keeper");
        assert_eq!(later, announced[4..]);
    }
}

pub fn named_contents<K: Keeper>(open: impl Fn() -> K) {
    let (mut first, mut second) = (open(), open());
    let name = "map 0f/1: é.*>";
    assert_eq!(second.named(name).expect("a keeper"), None);
    first.put_named(name, b"the first").expect("a keeper");
    second.put_named(name, b"another").expect("a keeper");
    assert_eq!(
        second.named(name).expect("a keeper").as_deref(),
        Some(&b"the first"[..])
    );
    first.put_named("empty", b"").expect("a keeper");
    assert_eq!(second.named("empty").expect("a keeper"), Some(Vec::new()));
    assert_eq!(second.named("Empty").expect("a keeper"), None);
}

pub fn too_large_entry<K: Keeper>(open: impl Fn() -> K) {
    let mut keeper = open();
    let mut lease = keeper.take(A, "one").expect("nobody has it");
    let max = keeper.entry_max();
    // Far above the size of an agent, far below a broker's limit.
    assert!((64 << 10..=8 << 20).contains(&max), "{max}");
    let large = vec![7; max + 1];
    let error = KeeperError::TooLarge {
        bytes: max + 1,
        max,
    };
    assert_eq!(
        keeper
            .append(&mut lease, B, &large)
            .expect_err("it is too large"),
        error
    );
    assert_eq!(keeper.announce(&large).expect_err("it is too large"), error);
    keeper
        .append(&mut lease, B, &large[..max])
        .expect("it is not too large");
    keeper
        .append(&mut lease, B, b"")
        .expect("it is not too large");
    let all = entries_to(&mut keeper, B, Sequence(0), 2);
    assert_eq!(contents(&all), [&large[..max], b""]);
}

/// Makes a test of each scenario for a keeper.
macro_rules! scenarios {
    ($open:path) => {
        $crate::keeper::scenarios!($open:
            two_takers
            many_takers
            released_zone
            renewed_lease
            taken_over_holder
            entries_in_order
            own_entries
            entries_of_earlier_holders
            forgotten_entries
            forgotten_successor
            last_snapshot
            events_in_order
            named_contents
            too_large_entry
        );
    };
    ($open:path: $($scenario:ident)*) => {
        $(
            #[test]
            fn $scenario() {
                if let Some(open) = $open() {
                    $crate::keeper::$scenario(open);
                }
            }
        )*
    };
}
pub(crate) use scenarios;
