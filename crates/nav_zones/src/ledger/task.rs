//! Task that calls the keeper of a zone, apart from its ticks.

use super::{
    kept_state::Progress,
    link::{KeeperLink, KeeperNews, LeaseTimes, Work},
};
use crate::{
    Backoff, ZoneId,
    keeper::{EntriesOf, Keeper, KeeperError, Lease, Places, Sequence, StoredEvent},
};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel},
    },
    time::Duration,
};

/// Task that calls the keeper of a zone: it renews the lease, writes, and reads what others wrote.
///
/// [Run](Self::run) it in a thread, or [`step`](Self::step) it by hand. Work that fails as
/// unreachable is retried in order until it succeeds, at most an eighth of the length of a lease
/// after it failed.
pub struct KeeperTask {
    pub(super) keeper: Box<dyn Keeper>,
    pub(super) lease: Lease,
    /// Length of a lease.
    lasts: Duration,
    renewed: Duration,
    work: Receiver<Work>,
    pub(super) news: Sender<KeeperNews>,
    times: Arc<LeaseTimes>,
    pub(super) waiting: VecDeque<Work>,
    /// Snapshots of the last time.
    pub(super) kept: VecDeque<KeptSnapshot>,
    pub(super) read: Sequence,
    /// Events of the world.
    pub(super) events: Vec<StoredEvent>,
    /// Entries to other zones that those may not have in a snapshot: written again if the store is
    /// lost.
    pub(super) sent: VecDeque<SentEntry>,
    /// How often the store was lost.
    pub(super) losses: u64,
    /// Whether it was lost, and the zone is not written again.
    is_lost: bool,
    /// Refused messages that the zone knows of.
    refused: u64,
    backoff: Backoff,
    /// Time before which the keeper is not called, after a failure.
    retry_at: Duration,
    has_ended: bool,
}

/// Snapshot that the keeper has.
pub(super) struct KeptSnapshot {
    /// Time at which it was stored.
    at: Duration,
    /// Entries that it contains.
    places: Places,
}

/// Entry that was written for another zone.
pub(super) struct SentEntry {
    pub(super) place: Sequence,
    pub(super) to: ZoneId,
    pub(super) contents: Vec<u8>,
}

/// Part of a lease for which failed work waits at most. After a renewal that failed, three quarters
/// of the lease are left: six attempts.
const RETRIES: u32 = 2 * RENEWALS;

/// Number of renewals within the length of a lease: three may fail in a row.
const RENEWALS: u32 = 4;

/// Entries or events read in one call: some 20 MB, since an entry has at most some 300 kB.
const READ_AT_ONCE: usize = 64;

/// Time for which the ledger has entries that a snapshot contains. An audit that takes longer,
/// which reads the snapshots before the ledger, may miss some. A guess.
const KEPT_FOR: Duration = Duration::from_mins(1);

impl KeeperTask {
    /// Creates the task of a zone that was just taken, and the link for the zone.
    ///
    /// `progress` is that of the restored [state](super::KeptState). `lasts` is the length of a
    /// lease. `now` is the time by the clock that [`step`](Self::step) will use.
    pub fn new(
        keeper: impl Keeper,
        lease: Lease,
        progress: Progress,
        lasts: Duration,
        now: Duration,
    ) -> (KeeperLink, Self) {
        let (give, work) = channel();
        let (news, receive) = channel();
        let times = Arc::new(LeaseTimes::default());
        LeaseTimes::note(&times.until, now + lasts);
        LeaseTimes::note(&times.now, now);
        let link = KeeperLink {
            zone: lease.zone(),
            term: lease.term(),
            entry_max: keeper.entry_max(),
            work: give,
            news: Mutex::new(receive),
            times: Arc::clone(&times),
            given: 0,
            done: 0,
            unwritten: VecDeque::new(),
        };
        let task = Self {
            keeper: Box::new(keeper),
            lease,
            lasts,
            renewed: now,
            work,
            news,
            times,
            waiting: VecDeque::new(),
            kept: VecDeque::new(),
            read: progress.read,
            events: progress.events,
            sent: VecDeque::new(),
            losses: progress.losses,
            is_lost: false,
            refused: 0,
            backoff: Backoff::new(lasts / RETRIES),
            retry_at: Duration::ZERO,
            has_ended: false,
        };
        (link, task)
    }

    /// Returns the zone.
    pub const fn zone(&self) -> ZoneId {
        self.lease.zone()
    }

    /// Does the work at hand.
    ///
    /// Returns whether the task should go on. It ends when another process took the zone, or when
    /// the app is gone and all work is done.
    pub fn step(&mut self, now: Duration) -> bool {
        if self.has_ended {
            return false;
        }
        LeaseTimes::note(&self.times.now, now);
        loop {
            match self.work.try_recv() {
                Ok(work) => self.waiting.push_back(work),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.has_ended = self.waiting.is_empty();
                    break;
                }
            }
        }
        if now < self.retry_at {
            return !self.has_ended;
        }
        let called = self.call(now);
        self.times.note_trouble(called.as_ref().err());
        match called {
            Ok(()) => self.backoff.succeeded(),
            Err(error) if error.is_temporary() => {
                let wait = self.backoff.failed();
                tracing::debug!(zone = self.zone().0, %error, ?wait, "the keeper is asked again");
                self.retry_at = now + wait;
            }
            Err(error @ KeeperError::StoreLost { .. }) => {
                tracing::warn!(zone = self.zone().0, "{error}: the zone is written again");
                self.is_lost = true;
            }
            Err(error) => {
                tracing::debug!(zone = self.zone().0, %error, "the zone cannot be kept any more");
                self.has_ended = true;
                let _ = self.news.send(KeeperNews::Failed(error));
            }
        }
        !self.has_ended
    }

    /// Steps until the zone was taken by another process or its app is gone, then releases the
    /// zone.
    ///
    /// `now` returns the time. Each wait for work lasts at most `at_once`.
    pub fn run(mut self, now: impl Fn() -> Duration, at_once: Duration) {
        while self.step(now()) {
            match self.work.recv_timeout(at_once) {
                Ok(work) => self.waiting.push_back(work),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(at_once),
            }
        }
        self.release();
    }

    /// Releases the zone, so that another process can take it at once.
    pub fn release(mut self) {
        // On failure the lease runs out by itself.
        let _ = self.keeper.release(&mut self.lease);
    }

    fn call(&mut self, now: Duration) -> Result<(), KeeperError> {
        if self.is_lost {
            self.write_again()?;
            self.is_lost = false;
            self.note_renewal(now);
        }
        if now >= self.renewed + self.lasts / RENEWALS {
            self.keeper.renew(&mut self.lease)?;
            if self.keeper.losses()? > self.losses {
                // Another zone noticed it. Positions of all zones are those of the store before.
                return Err(KeeperError::StoreLost { zone: self.zone() });
            }
            self.note_renewal(now);
        }
        self.do_work(now)?;
        self.forget(now)?;
        self.read_news()
    }

    fn note_renewal(&mut self, now: Duration) {
        self.renewed = now;
        LeaseTimes::note(&self.times.until, now + self.lasts);
    }

    fn do_work(&mut self, now: Duration) -> Result<(), KeeperError> {
        while let Some(work) = self.waiting.front() {
            let done = match work {
                Work::Append { to, contents, .. } => {
                    let place = self.keeper.append(&mut self.lease, *to, contents)?;
                    KeeperNews::Appended(place)
                }
                Work::PutSnapshot(snapshot, places) => {
                    self.keeper.put_snapshot(&mut self.lease, snapshot)?;
                    self.kept.push_back(KeptSnapshot {
                        at: now,
                        places: *places,
                    });
                    let (zone, bytes) = (self.zone().0, snapshot.len());
                    tracing::debug!(zone, bytes, "a snapshot is kept");
                    KeeperNews::SnapshotKept
                }
                Work::Announce(event) => {
                    self.keeper.announce(event)?;
                    KeeperNews::Announced
                }
            };
            let mut is_news = true;
            let work = self.waiting.pop_front();
            if let (
                Some(Work::Append {
                    to,
                    contents,
                    is_again,
                }),
                &KeeperNews::Appended(place),
            ) = (work, &done)
            {
                // The zone waits for each entry once.
                is_news = !is_again;
                if to != self.zone() {
                    self.sent.push_back(SentEntry {
                        place,
                        to,
                        contents,
                    });
                }
            }
            if is_news {
                let _ = self.news.send(done);
            }
        }
        Ok(())
    }

    fn read_news(&mut self) -> Result<(), KeeperError> {
        let own = EntriesOf::To(self.zone());
        let entries = self.keeper.entries(own, self.read, READ_AT_ONCE)?;
        for _ in self.refused..self.keeper.refused() {
            self.refused += 1;
            let _ = self.news.send(KeeperNews::Refused);
        }
        for entry in entries {
            self.read = entry.sequence;
            let _ = self.news.send(KeeperNews::Entry(entry));
        }
        let last = self.events.last().map(|event| event.sequence);
        for event in (self.keeper).events(last.unwrap_or_default(), READ_AT_ONCE)? {
            self.events.push(event.clone());
            let _ = self.news.send(KeeperNews::Event(event));
        }
        Ok(())
    }

    /// Drops the entries that a snapshot contains which was stored some time ago.
    fn forget(&mut self, now: Duration) -> Result<(), KeeperError> {
        let mut places = None;
        while let Some(old) = self.kept.pop_front_if(|kept| now >= kept.at + KEPT_FOR) {
            places = Some(old.places);
        }
        let Some(places) = places else {
            return Ok(());
        };
        let forgotten = (self.keeper)
            .forget(&self.lease, places)
            .and_then(|()| self.forget_sent());
        match forgotten {
            // The next attempt drops these, too.
            Err(error) if error.is_temporary() => {
                tracing::debug!(zone = self.zone().0, %error, "the ledger is not cut");
                Ok(())
            }
            done => done,
        }
    }
}
