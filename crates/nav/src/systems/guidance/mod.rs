//! What shows the way: how near is near enough, what a chaser sees of its target, its contact with
//! it, and the guide that ranks the moves from a cell.

mod guide;
mod places;
mod ranked;
pub(crate) mod reach;
mod target_view;

pub(crate) use guide::Guide;
pub(crate) use places::{list_nearer, list_places, way_beside};
pub(crate) use ranked::{Ranked, heading, nearest, without};
pub(crate) use target_view::{Contact, TargetView, TargetViews};
