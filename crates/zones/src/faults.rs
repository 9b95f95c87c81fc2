//! Deliberate faults, drawn by a seed: processes that are killed or stopped for a while, and a
//! broker that is unavailable.

use nav_zones::nats::Broker;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::{
    process::{Child, Command},
    time::Duration,
};

/// Time between two faults: more than the default lease, so that most zones have a process again.
const BETWEEN: Duration = Duration::from_secs(4);

/// Draws faults.
pub(crate) struct Faults {
    rng: Xoshiro256PlusPlus,
    left: u32,
    pub(crate) made: u32,
    next: Duration,
    /// Stopped processes, each with the end of its stop.
    stopped: Vec<(u32, Duration)>,
    broker_away_until: Option<Duration>,
}

impl Faults {
    pub(crate) fn new(count: u32, seed: u64) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            left: count,
            made: 0,
            // The world settles first.
            next: BETWEEN,
            stopped: Vec::new(),
            broker_away_until: None,
        }
    }

    /// Returns whether all faults were made and are over.
    pub(crate) fn are_over(&self) -> bool {
        self.left == 0 && self.stopped.is_empty() && self.broker_away_until.is_none()
    }

    /// Returns whether the broker is away on purpose.
    pub(crate) const fn has_broker(&self) -> bool {
        self.broker_away_until.is_some()
    }

    /// Lets stopped processes go on.
    pub(crate) fn end(&mut self) {
        for (process, _) in self.stopped.drain(..) {
            signal("CONT", process);
        }
    }

    /// Makes the next fault if it is due, and ends faults that lasted long enough. Returns a
    /// description.
    pub(crate) fn step<'a>(
        &mut self,
        now: Duration,
        processes: impl ExactSizeIterator<Item = &'a mut Child>,
        broker: Option<&mut Broker>,
        lease: Duration,
    ) -> Option<String> {
        self.stopped.retain(|&(process, until)| {
            let lasts = now < until;
            if !lasts {
                signal("CONT", process);
            }
            lasts
        });
        if let Some(until) = self.broker_away_until {
            if now < until {
                return None;
            }
            let broker = broker?;
            // Tried again at the next step if the port is not free yet.
            broker.restart().ok()?;
            self.broker_away_until = None;
            return Some("the broker is back".into());
        }
        if self.left == 0 || now < self.next {
            return None;
        }
        self.left -= 1;
        self.made += 1;
        self.next = now + BETWEEN;
        let place = self.rng.random_range(0..processes.len().max(1));
        let process = { processes }.nth(place)?;
        let number = process.id();
        match self.rng.random_range(0..4) {
            0 | 1 => {
                let _ = process.kill();
                let _ = process.wait();
                Some(format!("process {number} is killed"))
            }
            2 => {
                // Sometimes longer than the lease: then the process returns without its zone.
                let time = lease.mul_f64(self.rng.random_range(0.2..2.0));
                signal("STOP", number);
                self.stopped.push((number, now + time));
                Some(format!("process {number} stops for {time:.1?}"))
            }
            _ => {
                let broker = broker?;
                let time = lease.mul_f64(self.rng.random_range(0.1..1.5));
                broker.kill();
                self.broker_away_until = Some(now + time);
                Some(format!("the broker is away for {time:.1?}"))
            }
        }
    }
}

/// Sends a signal to a process. The standard library can only kill.
fn signal(name: &str, process: u32) {
    let mut kill = Command::new("kill");
    let _ = kill
        .arg(format!("-{name}"))
        .arg(process.to_string())
        .status();
}
