//! Task that calls the keeper of a zone, apart from its ticks.

use super::link::{KeeperLink, KeeperNews, LeaseTimes, Work};
use crate::{
    Backoff, ZoneId,
    keeper::{Keeper, KeeperError, Lease, Places, Sequence},
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
    keeper: Box<dyn Keeper>,
    lease: Lease,
    /// Length of a lease.
    lasts: Duration,
    renewed: Duration,
    work: Receiver<Work>,
    news: Sender<KeeperNews>,
    times: Arc<LeaseTimes>,
    waiting: VecDeque<Work>,
    /// Places of the snapshots of the last time, each with the moment when it was stored.
    kept: VecDeque<(Duration, Places)>,
    read: Sequence,
    event: Sequence,
    /// Refused messages that the zone knows of.
    refused: u64,
    backoff: Backoff,
    /// Time before which the keeper is not called, after a failure.
    retry_at: Duration,
    has_ended: bool,
}

/// Part of a lease for which failed work waits at most. A guess: a holder that could not renew its
/// lease tries a few times more while it lasts.
const RETRIES: u32 = 8;

/// Number of renewals within the length of a lease. A guess, which leaves time to retry.
const RENEWALS: u32 = 4;

/// Entries or events read in one call. A guess, which bounds the time of a step.
const READ_AT_ONCE: usize = 64;

/// Time for which the ledger has entries that a snapshot contains. A guess: far longer than a check
/// takes, which reads the snapshots before the ledger.
const KEPT_FOR: Duration = Duration::from_mins(1);

impl KeeperTask {
    /// Creates the task of a zone that was just taken, and the link for the zone.
    ///
    /// `read` and `event` are the positions after which entries and events are read: those of the
    /// restored [state](super::KeptState). `lasts` is the length of a lease. `now` is the time by
    /// the clock that [`step`](Self::step) will use.
    pub fn new(
        keeper: impl Keeper,
        lease: Lease,
        (read, event): (Sequence, Sequence),
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
            read,
            event,
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
            Err(KeeperError::Unreachable(why)) => {
                let wait = self.backoff.failed();
                tracing::debug!(
                    zone = self.zone().0,
                    why,
                    ?wait,
                    "the keeper is asked again"
                );
                self.retry_at = now + wait;
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
        if now >= self.renewed + self.lasts / RENEWALS {
            self.keeper.renew(&mut self.lease)?;
            self.renewed = now;
            LeaseTimes::note(&self.times.until, now + self.lasts);
        }
        while let Some(work) = self.waiting.front() {
            let done = match work {
                Work::Append(to, contents) => {
                    let place = self.keeper.append(&mut self.lease, *to, contents)?;
                    KeeperNews::Appended(place)
                }
                Work::PutSnapshot(snapshot, places) => {
                    self.keeper.put_snapshot(&mut self.lease, snapshot)?;
                    self.kept.push_back((now, *places));
                    let (zone, bytes) = (self.zone().0, snapshot.len());
                    tracing::debug!(zone, bytes, "a snapshot is kept");
                    KeeperNews::SnapshotKept
                }
                Work::Announce(event) => {
                    self.keeper.announce(event)?;
                    KeeperNews::Announced
                }
            };
            self.waiting.pop_front();
            let _ = self.news.send(done);
        }
        self.forget(now)?;
        let entries = self
            .keeper
            .entries_to(self.lease.zone(), self.read, READ_AT_ONCE)?;
        for _ in self.refused..self.keeper.refused() {
            self.refused += 1;
            let _ = self.news.send(KeeperNews::Refused);
        }
        for entry in entries {
            self.read = entry.sequence;
            let _ = self.news.send(KeeperNews::Entry(entry));
        }
        for (place, event) in self.keeper.events(self.event, READ_AT_ONCE)? {
            self.event = place;
            let _ = self.news.send(KeeperNews::Event(place, event));
        }
        Ok(())
    }

    /// Drops the entries that a snapshot contains which was stored some time ago.
    fn forget(&mut self, now: Duration) -> Result<(), KeeperError> {
        let mut places = None;
        while let Some(&(_, old)) = self.kept.front().filter(|(at, _)| now >= *at + KEPT_FOR) {
            places = Some(old);
            self.kept.pop_front();
        }
        let Some(places) = places else {
            return Ok(());
        };
        match self.keeper.forget(&self.lease, places) {
            // The next attempt drops these, too.
            Err(error @ KeeperError::Unreachable(_)) => {
                tracing::debug!(zone = self.zone().0, %error, "the ledger is not cut");
                Ok(())
            }
            done => done,
        }
    }
}
