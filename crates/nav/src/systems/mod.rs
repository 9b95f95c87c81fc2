//! The systems, one file per set of [`NavSystems`](crate::NavSystems).

pub(crate) mod decide;
pub(crate) mod observe;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod step;
