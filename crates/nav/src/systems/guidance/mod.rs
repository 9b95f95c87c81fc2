//! The guidance of chasers: reach, the view of a target, the contact with it, and the guide that
//! ranks the moves from a cell.

mod guide;
mod places;
mod ranked;
pub(crate) mod reach;
mod target_view;

pub(crate) use guide::{FieldKind, Guide};
pub(crate) use places::{list_nearer, list_places, walk_down, way_beside};
pub use ranked::heading;
pub(crate) use ranked::{Ranked, nearest, without};
pub(crate) use target_view::{Contact, TargetView, TargetViews};
