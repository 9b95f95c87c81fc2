//! The systems, one file per set of [`NavSystems`](crate::NavSystems).

pub(crate) mod crowd;
pub(crate) mod decide;
pub(crate) mod edits;
pub(crate) mod observe;
pub(crate) mod reach;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod step;
