//! Link between a zone and the task that calls its keeper.

use crate::{
    ZoneId,
    keeper::{Entry, KeeperError, Places, Sequence, StoredEvent, Term},
};
use nav::AgentId;
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, Sender},
    },
    time::Duration,
};

/// Work for the keeper.
pub(crate) enum Work {
    /// Writes an entry for a zone.
    Append {
        to: ZoneId,
        contents: Vec<u8>,
        /// Whether the store had it and lost it.
        is_again: bool,
    },
    /// Stores a snapshot, which contains the ledger up to some places.
    PutSnapshot(Vec<u8>, Places),
    /// Writes an event.
    Announce(Vec<u8>),
}

/// Results of the work, and news from other zones.
pub(crate) enum KeeperNews {
    Appended(Sequence),
    Announced,
    SnapshotKept,
    Entry(Entry),
    Event(StoredEvent),
    /// A message in the ledger is no entry.
    Refused,
    /// The store lost what it had, and has begun again.
    StoreLost(Restart),
    Failed(KeeperError),
}

/// How a zone continues in a store that lost what it had.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restart {
    pub(crate) term: Term,
    /// How often the store was lost.
    pub(crate) losses: u64,
    /// Places in this store.
    pub(crate) places: Places,
}

/// End of the lease and last time seen, in nanoseconds of the task's clock, and why the last call
/// failed.
#[derive(Debug, Default)]
pub(crate) struct LeaseTimes {
    pub(crate) until: AtomicU64,
    pub(crate) now: AtomicU64,
    trouble: Mutex<Option<String>>,
}

/// End of the link that belongs to the zone.
///
/// Nothing waits here: while the broker does not answer, the zone goes on, and hands over once it
/// answers again.
#[derive(Debug)]
pub struct KeeperLink {
    pub(crate) zone: ZoneId,
    pub(crate) term: Term,
    pub(crate) entry_max: usize,
    pub(super) work: Sender<Work>,
    // A receiver is not `Sync`, and resources have to be.
    pub(super) news: Mutex<Receiver<KeeperNews>>,
    pub(super) times: Arc<LeaseTimes>,
    /// Amount of work handed to the task, and how much of it is done.
    pub(super) given: u64,
    pub(super) done: u64,
    /// Agents of each entry that is not confirmed yet.
    pub(super) unwritten: VecDeque<Vec<AgentId>>,
}

impl KeeperLink {
    /// Queues an entry with some agents.
    pub(crate) fn append(&mut self, to: ZoneId, contents: Vec<u8>, agents: Vec<AgentId>) {
        self.unwritten.push_back(agents);
        self.give(Work::Append {
            to,
            contents,
            is_again: false,
        });
    }

    /// Returns the agents of entries that are not confirmed yet.
    pub(crate) fn unwritten(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.unwritten.iter().flatten().copied()
    }

    pub(crate) fn give(&mut self, work: Work) {
        self.given += 1;
        // A task that ended gave the reason in its last news.
        let _ = self.work.send(work);
    }

    /// Returns whether all work is done.
    pub(crate) const fn is_idle(&self) -> bool {
        self.given == self.done
    }

    pub(crate) fn next_news(&mut self) -> Option<KeeperNews> {
        let receiver = self.news.get_mut().unwrap_or_else(PoisonError::into_inner);
        let news = receiver.try_recv().ok()?;
        if let KeeperNews::Appended(_) | KeeperNews::Announced | KeeperNews::SnapshotKept = news {
            self.done += 1;
        }
        if let KeeperNews::Appended(_) = news {
            self.unwritten.pop_front();
        }
        Some(news)
    }

    /// Returns the number of entries, snapshots and events that are not confirmed yet.
    pub(crate) const fn waiting(&self) -> u64 {
        self.given - self.done
    }

    /// Returns why the last call of the keeper failed; `None` if it did not.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.times.trouble().clone()
    }

    /// Returns for how long the lease is still valid.
    pub(crate) fn lease_left(&self) -> Duration {
        let (until, now) = (&self.times.until, &self.times.now);
        Duration::from_nanos(until.load(Relaxed).saturating_sub(now.load(Relaxed)))
    }

    /// Returns whether the lease is still valid, so that no other process can hold the zone.
    pub(crate) fn holds(&self) -> bool {
        !self.lease_left().is_zero()
    }
}

impl LeaseTimes {
    /// Records why a call failed, or that it did not.
    pub(super) fn note_trouble(&self, error: Option<&KeeperError>) {
        let mut trouble = self.trouble();
        if error.is_some() || trouble.is_some() {
            *trouble = error.map(ToString::to_string);
        }
    }

    fn trouble(&self) -> MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(time: &AtomicU64, moment: Duration) {
        let nanos = u64::try_from(moment.as_nanos()).unwrap_or(u64::MAX);
        time.store(nanos, Relaxed);
    }
}
