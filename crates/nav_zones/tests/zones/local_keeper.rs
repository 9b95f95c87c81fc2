//! The keeper within a process does what every keeper does.

use crate::keeper;
use nav_zones::keeper::{LocalKeeper, LocalStore};
use std::{thread, time::Duration};

/// How long a tick of its clock takes.
const TICK: Duration = Duration::from_millis(5);

/// For how many of them the clock runs: longer than any scenario.
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
