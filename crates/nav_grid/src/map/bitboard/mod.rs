//! Rows of bits with a zero border: the storage of maps, and the marks of jump point search.

mod board;
mod jumps;
mod lane_scans;
mod lanes;
mod runs;

pub(crate) use board::{Bitboard, BodyRows, around, words_of};
pub(crate) use jumps::{Jumps, JumpsBuild};
pub(crate) use lane_scans::ScanLanes;
pub(crate) use lanes::Lanes;
