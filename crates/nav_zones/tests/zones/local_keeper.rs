//! The keeper within a process passes the scenarios of every keeper.

use crate::keeper;
use nav_zones::{
    KeptState, ZoneId,
    keeper::{Keeper, KeeperError, LocalKeeper, LocalStore, Places},
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
