//! A keeper and a bus at a real broker. Where there is none, tests say so and are skipped.

#[path = "../keeper/mod.rs"]
mod keeper;

mod away;
mod bus;
mod conformance;
mod figures;
mod options;

use nav_zones::nats::{Broker, BrokerError, NatsConnection, NatsKeeper, NatsOptions};
use std::{
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// A broker with an empty store, which is dropped with it.
struct World {
    broker: Broker,
    store: PathBuf,
    // Last, so that the next test begins when this one is over: leases are about time.
    _alone: MutexGuard<'static, ()>,
}

impl World {
    /// Starts a broker; `None` if there is no program for that.
    fn start() -> Option<Self> {
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

    /// How to connect, with short leases.
    fn options(&self) -> NatsOptions {
        NatsOptions::new(&self.broker.url(), "world")
            .lease(keeper::LEASE)
            .timeout(Duration::from_secs(1))
    }

    fn keeper(&self) -> NatsKeeper {
        NatsKeeper::new(&self.connect()).expect("the broker has streams")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.broker.kill();
        // What is left over is in a folder for such files.
        std::fs::remove_dir_all(&self.store).ok();
    }
}
