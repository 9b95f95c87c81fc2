//! Marks: keys of the lease bucket with a number that only rises.

use super::connect::unreachable;
use crate::{keeper::KeeperError, seal::Versioned};
use async_nats::jetstream::kv::{Store, UpdateErrorKind};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Mark(u64);

impl Versioned for Mark {
    const VERSION: u16 = 1;
}

/// Returns a mark with the revision of its key; 0 if there is none.
///
/// A value that is no mark counts as 0: the next [`raise`] replaces it.
pub(super) async fn mark(store: &Store, key: &str) -> Result<(u64, u64), KeeperError> {
    let Some(entry) = store.entry(key).await.map_err(unreachable)? else {
        return Ok((0, 0));
    };
    let number = Mark::from_bytes(&entry.value).map(|mark| mark.0);
    Ok((entry.revision, number.unwrap_or_default()))
}

/// Raises a mark. Returns the number before, which may be higher already.
pub(super) async fn raise(store: &Store, key: &str, to: u64) -> Result<u64, KeeperError> {
    loop {
        let (revision, before) = mark(store, key).await?;
        if before >= to {
            return Ok(before);
        }
        let value = Mark(to).to_bytes().map_err(unreachable)?;
        match store.update(key, value.into(), revision).await {
            Ok(_) => return Ok(before),
            // Another process raised it, so that there is progress.
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {}
            Err(error) => return Err(unreachable(error)),
        }
    }
}
