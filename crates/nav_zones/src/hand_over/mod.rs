//! Handing agents over that stepped across a border, and taking those over that came.

mod by_ledger;
mod in_rounds;
mod leaving;

pub(crate) use by_ledger::{hand_over_by_ledger, receive_news};
pub(crate) use in_rounds::hand_over_in_rounds;
