//! The systems, one file or folder per set of [`NavSystems`](crate::NavSystems), and what they
//! share.

pub(crate) mod bags;
pub(crate) mod by_agent;
pub(crate) mod compass;
pub(crate) mod decide;
pub(crate) mod edits;
pub(crate) mod fields;
pub(crate) mod long_search;
pub(crate) mod observe;
pub(crate) mod placing;
pub(crate) mod pursuers;
pub(crate) mod reach;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod scene;
pub(crate) mod screens;
pub(crate) mod search;
pub(crate) mod standing;
pub(crate) mod step;
pub(crate) mod stretches;
pub(crate) mod targets;
pub(crate) mod threads;
pub(crate) mod tunings;
pub(crate) mod turns;
