//! State that outlives the process of a zone: leases, ledger, snapshots, events and maps.

mod lease;
mod local;
mod read_all;

pub use lease::{EntryNumber, Holder, Lease, Places, Sequence, Term};
pub use local::{LocalCopy, LocalKeeper, LocalStore};

use crate::{ZoneId, seal::Format};

/// Entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position among all entries.
    pub sequence: Sequence,
    /// Zone that wrote the entry.
    pub from: ZoneId,
    /// Zone that the entry is for. An entry for the writer itself is read by the zone's next
    /// holder.
    pub to: ZoneId,
    /// Term of the holder that wrote the entry.
    pub term: Term,
    /// Contents that the holder wrote; empty in the first entry of each term.
    pub contents: Vec<u8>,
}

/// Which entries of the ledger to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntriesOf {
    /// Those of all zones.
    All,
    /// Those for a zone from others.
    To(ZoneId),
    /// Those from a zone.
    From(ZoneId),
}

/// Event of the world, as it was announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// Position among all events.
    pub sequence: Sequence,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Store for state that outlives the process of a zone.
///
/// Each call waits for the answer, up to a bounded time. A call that failed as
/// [unreachable](KeeperError::Unreachable) may have taken effect. All calls but [`Self::announce`]
/// can be repeated without harm.
///
/// # The ledger
///
/// The ledger is the only record of which zone has which agent. Its entries have one order for all
/// zones. Only the holder of a zone writes entries from it. [Taking](Self::take) a zone ends the
/// ledger of the holder before: its entries are refused from then on, even if it learns of that
/// much later.
pub trait Keeper: Send + 'static {
    /// Takes a zone that is free, or whose lease ran out. `holder` is the name shown to others.
    ///
    /// On success the ledger has the first entry of the new term: no entry of earlier holders of
    /// the zone comes after it.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Held`] if another process holds the zone; [`KeeperError::Unreachable`].
    fn take(&mut self, zone: ZoneId, holder: &str) -> Result<Lease, KeeperError>;

    /// Renews a lease. Call it several times while the lease lasts.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if another process took the zone; [`KeeperError::StoreLost`];
    /// [`KeeperError::Unreachable`].
    fn renew(&mut self, lease: &mut Lease) -> Result<(), KeeperError>;

    /// Ends a lease. The zone can then be taken at once.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if another process already took the zone;
    /// [`KeeperError::Unreachable`].
    fn release(&mut self, lease: &mut Lease) -> Result<(), KeeperError>;

    /// Returns the holders of all zones, in zone order.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn holders(&mut self) -> Result<Vec<Holder>, KeeperError>;

    /// Writes an entry to the ledger.
    ///
    /// After a failure as unreachable, write the same entry again before any other. It is then in
    /// the ledger exactly once.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if another process took the zone; [`KeeperError::TooLarge`] above
    /// [`Self::entry_max`] bytes; [`KeeperError::StoreLost`]; [`KeeperError::Unreachable`].
    fn append(
        &mut self,
        lease: &mut Lease,
        to: ZoneId,
        contents: &[u8],
    ) -> Result<Sequence, KeeperError>;

    /// Returns the largest size of an entry in bytes.
    fn entry_max(&self) -> usize;

    /// Returns some entries after a position, in order, at most `limit`. Empty if there are no more
    /// at present.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn entries(
        &mut self,
        of: EntriesOf,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Entry>, KeeperError>;

    /// Returns the number of messages in the ledger that were skipped, because they are no entries.
    fn refused(&self) -> u64 {
        0
    }

    /// Drops entries that no snapshot needs any more.
    ///
    /// `places` are those that the stored snapshot of the zone contains, or those of an earlier
    /// snapshot. An entry may go once its writer and the zone that it is for both forgot it. Some
    /// may stay for longer.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if another process is known to have taken the zone;
    /// [`KeeperError::Unreachable`].
    fn forget(&mut self, lease: &Lease, places: Places) -> Result<(), KeeperError>;

    /// Returns the last places that a zone forgot.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn forgotten(&mut self, zone: ZoneId) -> Result<Places, KeeperError>;

    /// Stores a snapshot of a zone in place of the last one.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if another process is known to have taken the zone;
    /// [`KeeperError::Unreachable`].
    fn put_snapshot(&mut self, lease: &mut Lease, snapshot: &[u8]) -> Result<(), KeeperError>;

    /// Returns the last snapshot of a zone, from the highest term that has one.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn snapshot(&mut self, zone: ZoneId) -> Result<Option<Vec<u8>>, KeeperError>;

    /// Writes an event for all zones.
    ///
    /// # Errors
    ///
    /// [`KeeperError::TooLarge`]; [`KeeperError::Unreachable`], after which the event may exist.
    fn announce(&mut self, event: &[u8]) -> Result<Sequence, KeeperError>;

    /// Returns events after a position, in order, at most `limit`. Empty if there are no more at
    /// present.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn events(&mut self, after: Sequence, limit: usize) -> Result<Vec<StoredEvent>, KeeperError>;

    /// Returns how often the store was lost, as the zones that noticed it wrote. See
    /// [`Self::retake`].
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn losses(&mut self) -> Result<u64, KeeperError>;

    /// Takes the zone of a lease again in a store that no longer has what it acknowledged: an empty
    /// one, or an older copy. Creates what is missing.
    ///
    /// The holder has the zone in memory, so that it knows better than the store. It begins a new
    /// term and writes everything again. All terms after a loss are higher than those before, also
    /// in other zones. `losses` is how often the store was lost, this time included. Returns the
    /// number that now counts, which is higher if others know of more losses.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] if another process took the zone after the loss;
    /// [`KeeperError::Unreachable`].
    fn retake(&mut self, lease: &mut Lease, losses: u64) -> Result<u64, KeeperError>;

    /// Writes an event at its position, unless the store has one there.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn announce_again(&mut self, event: &StoredEvent) -> Result<(), KeeperError>;

    /// Stores bytes under a name, unless the name is in use. Meant for maps, named by their
    /// fingerprints.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn put_named(&mut self, name: &str, bytes: &[u8]) -> Result<(), KeeperError>;

    /// Returns the bytes stored under a name.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Unreachable`].
    fn named(&mut self, name: &str) -> Result<Option<Vec<u8>>, KeeperError>;
}

/// Failure of a call to a [`Keeper`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeeperError {
    /// Another process holds the zone.
    #[error("zone {} is held by {holder}", zone.0)]
    Held {
        /// Zone asked for.
        zone: ZoneId,
        /// Name of its holder.
        holder: String,
    },
    /// Another process took the zone from this one.
    #[error("another process took zone {} over", zone.0)]
    Lost {
        /// Zone that was lost.
        zone: ZoneId,
    },
    /// An entry is too large.
    #[error("{bytes} bytes are too many: at most {max} go in one message")]
    TooLarge {
        /// Size of the entry in bytes.
        bytes: usize,
        /// Largest size in bytes.
        max: usize,
    },
    /// The ledger no longer has what the snapshot of a zone contained, and that cannot be read.
    #[error(
        "the snapshot of zone {} is missing or cannot be read, and the ledger no longer has what was in it: \
         restore the broker's store from a backup",
        zone.0
    )]
    SnapshotLost {
        /// The zone.
        zone: ZoneId,
    },
    /// The store no longer has what it acknowledged: see [`Keeper::retake`].
    #[error("the broker no longer has what zone {} wrote: its store is empty, or an older one", zone.0)]
    StoreLost {
        /// The zone.
        zone: ZoneId,
    },
    /// The store has no such part, though it was never away: the world was deleted.
    #[error("the broker has no {0}: the world was deleted")]
    Deleted(String),
    /// Stored data is of a version that this build does not read. It stays as it is.
    #[error(
        "the {what} of zone {} has version {found}, and this program reads {}: use a program of that version",
        zone.0, Format::STATE
    )]
    Version {
        /// Kind of the data.
        what: &'static str,
        /// The zone.
        zone: ZoneId,
        /// Version of the data.
        found: u16,
    },
    /// The broker answered that the call failed, for example since its disk is full.
    #[error("the broker refuses: {0}")]
    Refused(String),
    /// The broker does not permit the call.
    #[error("the broker does not permit this user to {0}: add the permission")]
    Forbidden(String),
    /// No answer arrived. The call may have taken effect.
    #[error("the broker does not answer: {0}")]
    Unreachable(String),
}

impl KeeperError {
    /// Returns whether the same call may succeed later.
    pub const fn is_temporary(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::Refused(_) | Self::Forbidden(_)
        )
    }
}
