//! The keeper within a process passes the scenarios of every keeper.

use crate::keeper;
use nav_zones::{
    KeptState, ZoneId,
    keeper::{Keeper, KeeperError, LocalKeeper, LocalStore, Places},
    last_tick,
};
use std::{thread, time::Duration};

/// The length of a tick of its clock.
const TICK: Duration = Duration::from_millis(5);

/// Ticks for which the clock runs: longer than any scenario.
const TICKS: u32 = 12_000;

#[expect(clippy::unnecessary_wraps, reason = "other keepers may not be there")]
fn open() -> Option<impl Fn() -> LocalKeeper> {
    let store = LocalStore::default();
    let clock = store.clone();
    thread::spawn(move || {
        for _ in 0..TICKS {
            thread::sleep(TICK);
            clock.pass(TICK);
        }
    });
    Some(move || LocalKeeper::new(store.clone(), keeper::LEASE))
}

keeper::scenarios!(open);

#[test]
fn lost_snapshot_of_a_cut_ledger() {
    let zone = ZoneId(0);
    let mut keeper = LocalKeeper::new(LocalStore::default(), keeper::LEASE);
    let mut lease = keeper.take(zone, "one").expect("nobody has it");
    let written = keeper.append(&mut lease, zone, b"").expect("it is held");
    KeptState::read(&mut keeper, &lease).expect("the ledger has all");
    let read = lease.first();
    let places = Places { read, written };
    keeper.forget(&lease, places).expect("it is held");
    let lost = KeptState::read(&mut keeper, &lease).map(|_| ());
    assert_eq!(lost, Err(KeeperError::SnapshotLost { zone }));
}

/// Its form may be another one, so that it is not read, and not taken for a damaged one.
#[test]
fn snapshot_of_another_version() {
    let zone = ZoneId(0);
    let mut keeper = LocalKeeper::new(LocalStore::default(), keeper::LEASE);
    let mut lease = keeper.take(zone, "one").expect("nobody has it");
    let mut snapshot = vec![9];
    let sum = crc32fast::hash(&snapshot);
    snapshot.extend_from_slice(&sum.to_le_bytes());
    keeper
        .put_snapshot(&mut lease, &snapshot)
        .expect("it is held");
    let unread = KeptState::read(&mut keeper, &lease).map(|_| ());
    let error = unread.expect_err("it is of version 9");
    assert_eq!(
        error.to_string(),
        "the snapshot of zone 0 has version 9, and this program reads version 1: use a program of that version"
    );
    assert_eq!(last_tick(&mut keeper, &[zone]), Err(error));
}
