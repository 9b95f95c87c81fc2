//! Zones that outlive their processes: what they write to the ledger, and how they go on from it.

mod audit;
mod entry;
mod events;
mod kept_state;
mod link;
mod snapshot;
mod task;
mod writing;

pub use audit::{Audit, Statement, audit};
pub use events::{Announce, Announcement, WorldEvent, layout_now};
pub(crate) use kept_state::insert_news;
pub use kept_state::{KeptState, Restored};
pub use link::KeeperLink;
pub use task::KeeperTask;

pub(crate) use entry::LedgerEntry;
pub(crate) use events::apply_events;
pub(crate) use link::News;
pub(crate) use snapshot::{SnapshotPolicy, take_snapshot, take_snapshot_now};
pub(crate) use writing::{Ledger, note_death, write_births_and_deaths};
