//! What a zone and the task that calls its keeper exchange.

use crate::{
    ZoneId,
    keeper::{Entry, KeeperError, Sequence, Term},
};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, Sender},
    },
    time::Duration,
};

/// What a zone has its keeper do.
pub(crate) enum Work {
    /// Write an entry.
    Append(ZoneId, Vec<u8>),
    /// Keep a snapshot, made by the entries for the zone up to a place.
    PutSnapshot(Vec<u8>),
    /// Write an event.
    Announce(Vec<u8>),
}

/// What comes of that, and from other zones.
pub(crate) enum News {
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
    pub(super) news: Mutex<Receiver<News>>,
    pub(super) times: Arc<LeaseTimes>,
    /// How much work was given, and how much of it is done.
    pub(super) given: u64,
    pub(super) done: u64,
}

impl KeeperLink {
    pub(crate) fn give(&mut self, work: Work) {
        self.given += 1;
        // A task that ended says why in its last news.
        let _ = self.work.send(work);
    }

    /// Whether all work is done.
    pub(crate) const fn is_idle(&self) -> bool {
        self.given == self.done
    }

    pub(crate) fn next_news(&mut self) -> Option<News> {
        let news = self.news.get_mut().unwrap_or_else(PoisonError::into_inner);
        let news = news.try_recv().ok()?;
        if let News::Appended(_) | News::Announced | News::SnapshotKept = news {
            self.done += 1;
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
