//! A keeper and a bus at a real broker. Without a broker the tests report that and are skipped.
//!
//! `gate`, `foreign` and `streams` run wherever there is a broker; the rest is of the soak tier.

#[path = "../keeper/mod.rs"]
mod keeper;
#[expect(dead_code, reason = "tests of the program `zones` need more of it")]
#[path = "../raw/mod.rs"]
mod raw;

mod away;
mod bus;
mod conformance;
mod figures;
mod foreign;
mod gate;
mod options;
mod streams;

use nav_judge::by_tier;
use nav_zones::nats::{Broker, BrokerError, NatsConnection, NatsKeeper, NatsOptions};
use std::{
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// Returns the program of a broker, for tests of the soak tier.
fn program() -> Option<PathBuf> {
    if !by_tier(false, true) {
        println!("skipped: NAV_SOAK is not set");
        return None;
    }
    let program = Broker::program();
    if let Err(error) = &program {
        println!("skipped: {error}");
    }
    program.ok()
}

/// A broker with an empty store, which is dropped with it.
struct World {
    broker: Broker,
    store: PathBuf,
    // Last, so that the next test begins when this one is over: leases depend on time.
    _alone: MutexGuard<'static, ()>,
}

impl World {
    /// Starts a broker for a test of the soak tier, or returns `None` in the default tier.
    fn start() -> Option<Self> {
        program().and_then(|_| Self::open())
    }

    /// Starts a broker, or returns `None` if its program is missing.
    fn open() -> Option<Self> {
        static ALONE: Mutex<()> = Mutex::new(());
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("nav-zones-nats-{}-{number}", std::process::id());
        let store = std::env::temp_dir().join(name);
        match Broker::start(&store) {
            Ok(broker) => Some(Self {
                broker,
                store,
                _alone: alone,
            }),
            Err(BrokerError::Missing) => {
                println!("skipped: {}", BrokerError::Missing);
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn connect(&self) -> NatsConnection {
        NatsConnection::open(self.options()).expect("the broker runs")
    }

    /// Returns the options of a connection with short leases.
    fn options(&self) -> NatsOptions {
        self.options_of("world")
    }

    fn options_of(&self, world: &str) -> NatsOptions {
        NatsOptions::new(&self.broker.url(), world)
            .lease(keeper::LEASE)
            .timeout(Duration::from_secs(1))
    }

    fn keeper(&self) -> NatsKeeper {
        self.keeper_of("world")
    }

    /// Opens a keeper of a world. A broker may hold several worlds, each with a name of its own.
    fn keeper_of(&self, world: &str) -> NatsKeeper {
        let connection = NatsConnection::open(self.options_of(world)).expect("the broker runs");
        NatsKeeper::new(&connection).expect("the broker has streams")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.broker.kill();
        // The rest is in a folder for temporary files.
        std::fs::remove_dir_all(&self.store).ok();
    }
}
