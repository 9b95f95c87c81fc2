//! Zones that outlive their processes: writing to the ledger, and continuing from it.

// Decision 27: docs/decisions/0027-a-ledger-says-where-agents-live.md

mod audit;
mod cut;
mod events;
mod happening;
mod kept_state;
mod link;
mod received;
mod snapshot;
mod statement;
mod task;
mod writing;
mod written_again;

pub use audit::{Audit, Verdict, audit};
pub use events::{Announcement, LayoutFollower, WorldEvent, layout_now};
pub use happening::Announce;
pub(crate) use kept_state::insert_news;
pub use kept_state::{KeptState, Progress, Restored, last_tick};
pub use link::KeeperLink;
pub use received::Received;
pub use statement::{Extent, Statement};
pub use task::KeeperTask;

pub(crate) use happening::apply_events;
pub(crate) use link::KeeperNews;
pub(crate) use snapshot::{take_snapshot, take_snapshot_now};
pub use writing::KeeperStatus;
pub(crate) use writing::{
    Ledger, LedgerEntry, SnapshotPolicy, note_death, write_births_and_deaths,
};
