//! Writing a zone again, when the broker lost its store: it came back empty, or with an older copy.
//!
//! A zone has all its agents in memory. It takes itself again by a [new
//! term](crate::keeper::Keeper::retake), repeats the events of the world, and stores a snapshot of
//! all agents. Agents on their way to another zone are in entries that may be lost: it repeats each
//! entry that the other zone may not have in a snapshot. The other zone knows by [their
//! numbers](super::received) which of them it has, so that no agent lives twice. One zone notices
//! the loss, and the number of losses tells the others.
//!
//! A zone without a process has nothing in memory. It continues from what the store has, without
//! the agents that others have.

use super::{
    link::{KeeperNews, Restart, Work},
    task::{KeeperTask, SentEntry},
};
use crate::{
    ZoneId,
    keeper::{KeeperError, Places, Sequence},
};
use std::collections::{BTreeMap, btree_map::Entry};

impl KeeperTask {
    /// Takes the zone again, and repeats what only the ledger had. The zone stores a snapshot then.
    pub(super) fn write_again(&mut self) -> Result<(), KeeperError> {
        let losses = self.keeper.retake(&mut self.lease, self.losses + 1)?;
        for event in &self.events {
            self.keeper.announce_again(event)?;
        }
        // From where a snapshot in the store would have it read. What the zone has is skipped.
        self.read = self.keeper.forgotten(self.zone())?.read;
        self.losses = losses;
        self.kept.clear();
        let waiting = std::mem::take(&mut self.waiting);
        for SentEntry { to, contents, .. } in self.sent.drain(..) {
            self.waiting.push_back(Work::Append {
                to,
                contents,
                is_again: true,
            });
        }
        for work in waiting {
            match work {
                // Its places are those of the store before.
                Work::PutSnapshot(..) => drop(self.news.send(KeeperNews::SnapshotKept)),
                work => self.waiting.push_back(work),
            }
        }
        let places = Places {
            read: self.read,
            written: self.lease.first(),
        };
        let _ = self.news.send(KeeperNews::StoreLost(Restart {
            term: self.lease.term(),
            losses,
            places,
        }));
        Ok(())
    }

    /// Drops the entries that the zones they are for have in their snapshots.
    pub(super) fn forget_sent(&mut self) -> Result<(), KeeperError> {
        let mut read: BTreeMap<ZoneId, Sequence> = BTreeMap::new();
        for sent in &self.sent {
            if let Entry::Vacant(unread) = read.entry(sent.to) {
                unread.insert(self.keeper.forgotten(sent.to)?.read);
            }
        }
        self.sent
            .retain(|sent| read.get(&sent.to).is_none_or(|&read| sent.place > read));
        Ok(())
    }
}
