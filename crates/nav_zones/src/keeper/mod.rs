//! What outlives the process of a zone: leases, the ledger, snapshots, events and maps, as a broker keeps them.

mod error;
mod lease;
mod local;
mod read_all;
mod sequence;

pub use error::KeeperError;
pub use lease::{Holder, Lease, Term};
pub use local::{LocalKeeper, LocalStore};
pub use sequence::Sequence;

use crate::ZoneId;

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place among all entries.
    pub sequence: Sequence,
    /// The zone that wrote it.
    pub from: ZoneId,
    /// The zone for which it is: that which wrote it, where it is for whoever takes that over.
    pub to: ZoneId,
    /// When the zone was taken whose holder wrote it.
    pub term: Term,
    /// What the holder wrote; nothing in the first entry of each term.
    pub contents: Vec<u8>,
}

/// Keeps what outlives the process of a zone.
///
/// Calls wait for the answer, each for a bounded time. What failed as
/// [unreachable](KeeperError::Unreachable) may have been done; all but [`Self::announce`] can be repeated
/// without harm.
///
/// # The ledger
///
/// The ledger is the one record of which zone has which agent. Its entries have one order for all zones. Only the
/// holder of a zone writes entries from it: who takes a zone [ends](Self::take) the ledger of the one before, whose
/// entries are refused from then on, however late that learns of it.
pub trait Keeper: Send + 'static {
    /// Takes a zone that nobody holds, or whose holder did not renew its lease for as long as that lasts. `holder` is
    /// the name that others see as that of who has it.
    ///
    /// The first entry of the new term is in the ledger then: no entry from the zone by those before comes after it.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Held`], if somebody has it; [`KeeperError::Unreachable`].
    fn take(&mut self, zone: ZoneId, holder: &str) -> Result<Lease, KeeperError>;

    /// Renews a lease. Do so several times while it lasts.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`], if another took the zone; [`KeeperError::Unreachable`].
    fn renew(&mut self, lease: &mut Lease) -> Result<(), KeeperError>;

    /// Ends a lease: the zone can be taken at once.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`], if another took the zone already; [`KeeperError::Unreachable`].
    fn release(&mut self, lease: &mut Lease) -> Result<(), KeeperError>;

    /// Who holds zones, in the order of these.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn holders(&mut self) -> Result<Vec<Holder>, KeeperError>;

    /// Writes an entry to the ledger. An entry that failed as unreachable is to be written again, as it was, before
    /// any other: it is in the ledger once.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`], if another took the zone; [`KeeperError::TooLarge`], of more bytes than
    /// [`Self::entry_max`]; [`KeeperError::Unreachable`].
    fn append(
        &mut self,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError>;

    /// How many bytes an entry has at most.
    fn entry_max(&self) -> usize;

    /// Entries for a zone from others after a place, in order, at most so many; none if there are no more now.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn entries_to(
        &mut self,
        zone: ZoneId,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError>;

    /// Entries that a zone wrote after a place, in order, at most so many; none if there are no more now.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn entries_from(
        &mut self,
        zone: ZoneId,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError>;

    /// Drops entries up to a place: those that the snapshots of all zones contain.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn forget(&mut self, up_to: Sequence) -> Result<(), KeeperError>;

    /// Keeps a snapshot of a zone in place of the last one.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`], if another took the zone and this is known; [`KeeperError::Unreachable`].
    fn put_snapshot(&mut self, lease: &mut Lease, snapshot: &[u8]) -> Result<(), KeeperError>;

    /// The last snapshot of a zone, of the highest term of which there is one.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn snapshot(&mut self, zone: ZoneId) -> Result<Option<Vec<u8>>, KeeperError>;

    /// Writes an event for all zones.
    ///
    /// # Errors
    ///
    /// [`KeeperError::TooLarge`]; [`KeeperError::Unreachable`], where it may have been written.
    fn announce(&mut self, event: &[u8]) -> Result<Sequence, KeeperError>;

    /// Events after a place, in order, at most so many; none if there are no more now.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn events(
        &mut self,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<(Sequence, Vec<u8>)>, KeeperError>;

    /// Keeps some bytes by a name, unless there are some by it already: maps, by their fingerprints.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn put_named(&mut self, name: &str, bytes: &[u8]) -> Result<(), KeeperError>;

    /// What is kept by a name.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn named(&mut self, name: &str) -> Result<Option<Vec<u8>>, KeeperError>;
}
