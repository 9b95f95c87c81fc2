//! What a zone and the task that calls its keeper exchange.

use crate::{
    ZoneId,
    keeper::{Entry, KeeperError, Sequence, Term},
};
use nav::AgentId;
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, Sender},
    },
    time::Duration,
};

/// What a zone has its keeper do.
pub(crate) enum Work {
    /// Write an entry for a zone.
    Append(ZoneId, Vec<u8>),
    /// Keep a snapshot, made by the entries for the zone up to a place.
    PutSnapshot(Vec<u8>),
    /// Write an event.
    Announce(Vec<u8>),
}

/// What comes of that, and from other zones.
pub(crate) enum KeeperNews {
    Appended(Sequence),
    Announced,
    SnapshotKept,
    Entry(Entry),
    Event(Sequence, Vec<u8>),
    Failed(KeeperError),
}

/// How many nanoseconds of the task's clock the lease lasts, and what that showed last.
#[derive(Debug, Default)]
pub(crate) struct LeaseTimes {
    pub(crate) until: AtomicU64,
    pub(crate) now: AtomicU64,
}

/// The zone's end of what it exchanges with the task that calls its keeper.
///
/// Nothing waits here: a zone goes on while the broker does not answer, and hands agents over when it does.
#[derive(Debug)]
pub struct KeeperLink {
    pub(crate) zone: ZoneId,
    pub(crate) term: Term,
    pub(crate) entry_max: usize,
    pub(super) work: Sender<Work>,
    // A lock, since a receiver alone cannot be shared, as resources are.
    pub(super) news: Mutex<Receiver<KeeperNews>>,
    pub(super) times: Arc<LeaseTimes>,
    /// How much work was given, and how much of it is done.
    pub(super) given: u64,
    pub(super) done: u64,
    /// The agents of each entry that is not known to be written.
    pub(super) unwritten: VecDeque<Vec<AgentId>>,
}

impl KeeperLink {
    /// Has an entry with some agents be written.
    pub(crate) fn append(&mut self, to: ZoneId, contents: Vec<u8>, agents: Vec<AgentId>) {
        self.unwritten.push_back(agents);
        self.give(Work::Append(to, contents));
    }

    /// The agents of entries that are not known to be written.
    pub(crate) fn unwritten(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.unwritten.iter().flatten().copied()
    }

    pub(crate) fn give(&mut self, work: Work) {
        self.given += 1;
        // A task that ended says why in its last news.
        let _ = self.work.send(work);
    }

    /// Whether all work is done.
    pub(crate) const fn is_idle(&self) -> bool {
        self.given == self.done
    }

    pub(crate) fn next_news(&mut self) -> Option<KeeperNews> {
        let news = self.news.get_mut().unwrap_or_else(PoisonError::into_inner);
        let news = news.try_recv().ok()?;
        if let KeeperNews::Appended(_) | KeeperNews::Announced | KeeperNews::SnapshotKept = news {
            self.done += 1;
        }
        if let KeeperNews::Appended(_) = news {
            self.unwritten.pop_front();
        }
        Some(news)
    }

    /// Whether nobody else can have taken the zone: its lease has not run out.
    pub(crate) fn holds(&self) -> bool {
        self.times.now.load(Relaxed) < self.times.until.load(Relaxed)
    }
}

impl LeaseTimes {
    pub(super) fn note(time: &AtomicU64, moment: Duration) {
        time.store(
            u64::try_from(moment.as_nanos()).unwrap_or(u64::MAX),
            Relaxed,
        );
    }
}
