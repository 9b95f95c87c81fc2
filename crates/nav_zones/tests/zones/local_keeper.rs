//! The keeper within a process passes the scenarios of every keeper.

use crate::keeper;
use nav_zones::keeper::{LocalKeeper, LocalStore};
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
