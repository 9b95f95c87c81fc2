//! The bodies that stand around, as others see them: plain values ([`gather`]), what each is to the
//! body that meets it ([`relation`]), and the search for a way past them ([`way_past`]).
//!
//! Searches and steps ask the same table, so a step can take every way that a search finds.

mod gather;
mod relation;
mod way_past;

pub(crate) use gather::Crowd;
pub(crate) use relation::{Asker, Neighbour, Pose, Relation};
pub(crate) use way_past::{PastBodies, PastScratch};
