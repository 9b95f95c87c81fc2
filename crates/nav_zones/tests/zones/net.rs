//! A network within a process, with random delays and losses.

use nav_zones::{Bus, BusError, ZoneId};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

/// The messages on their way between processes, each of which is a number.
#[derive(Clone)]
pub struct Net(Arc<Mutex<UnderWay>>);

/// Messages, each with the tick of its arrival.
type Inbox = VecDeque<(u64, Vec<u8>)>;

struct UnderWay {
    rng: Xoshiro256PlusPlus,
    tick: u64,
    /// Whether the broker is away, so that no message arrives.
    pub is_away: bool,
    /// The most ticks that a message takes.
    delay: u64,
    /// The zone of each process, and its future messages by tick.
    processes: BTreeMap<u32, (ZoneId, Inbox)>,
}

impl Net {
    pub fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(UnderWay {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            tick: 0,
            is_away: false,
            delay: 0,
            processes: BTreeMap::new(),
        })))
    }

    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        self.0.lock().expect("nobody panics with it")
    }

    pub fn set(&self, tick: u64, is_away: bool, delay: u64) {
        let mut under_way = self.under_way();
        (under_way.tick, under_way.is_away, under_way.delay) = (tick, is_away, delay);
    }

    /// Returns the end of a process that has a zone.
    pub fn join(&self, process: u32, zone: ZoneId) -> NetBus {
        let entry = (zone, Inbox::new());
        self.under_way().processes.insert(process, entry);
        NetBus {
            net: self.clone(),
            process,
        }
    }

    pub fn leave(&self, process: u32) {
        self.under_way().processes.remove(&process);
    }

    /// Sends every process an invalid message.
    pub fn send_nonsense(&self) {
        let mut under_way = self.under_way();
        let UnderWay {
            rng,
            tick,
            processes,
            ..
        } = &mut *under_way;
        for (_, inbox) in processes.values_mut() {
            let length = rng.random_range(0..60);
            let mut nonsense: Vec<u8> = (0..length).map(|_| rng.random()).collect();
            if let Some((_, known)) = inbox.back() {
                // A valid message with one damaged byte.
                nonsense.clone_from(known);
                if !nonsense.is_empty() {
                    let place = rng.random_range(0..nonsense.len().min(12));
                    nonsense[place] ^= 1 << rng.random_range(0..8);
                }
            }
            inbox.push_back((*tick, nonsense));
        }
    }
}

/// The end of a process.
pub struct NetBus {
    net: Net,
    process: u32,
}

impl Bus for NetBus {
    fn send(&mut self, to: ZoneId, message: Vec<u8>) -> Result<(), BusError> {
        let mut under_way = self.net.under_way();
        if under_way.is_away {
            // Some messages are lost unnoticed, others with an error.
            let is_lost = under_way.rng.random();
            return if is_lost {
                Ok(())
            } else {
                Err(BusError("it is away".into()))
            };
        }
        let delay = under_way.delay;
        let delay = under_way.rng.random_range(0..=delay);
        let arrives = under_way.tick + delay;
        for (zone, inbox) in under_way.processes.values_mut() {
            if *zone == to {
                let last = inbox.back().map_or(0, |&(last, _)| last);
                inbox.push_back((arrives.max(last), message.clone()));
            }
        }
        Ok(())
    }

    fn receive(&mut self, _: Duration) -> Result<Option<Vec<u8>>, BusError> {
        let mut under_way = self.net.under_way();
        let tick = under_way.tick;
        let inbox = under_way.processes.get_mut(&self.process);
        let inbox = inbox.map(|(_, inbox)| inbox);
        let next = inbox.and_then(|inbox| inbox.pop_front_if(|&mut (arrives, _)| arrives <= tick));
        Ok(next.map(|(_, message)| message))
    }
}
