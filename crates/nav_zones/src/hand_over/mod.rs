//! Hand-over of agents that cross a border.

mod by_ledger;
mod in_rounds;

pub(crate) use by_ledger::{hand_over_by_ledger, receive_news};
pub(crate) use in_rounds::hand_over_in_rounds;
