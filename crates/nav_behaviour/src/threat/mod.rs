//! Lists of threat, and the switches of targets by them.

mod choose;
mod list;
mod switch;

pub use list::Threat;
pub use switch::{ThreatPlugin, ThreatSwitched};
