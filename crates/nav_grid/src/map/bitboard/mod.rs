//! Rows of bits with a zero border, the storage under every map layer.

mod band;
mod board;
mod jumps;
mod jumps_build;
mod lanes;
mod narrow_scan;
mod runs;
mod transpose;

pub(crate) use band::BoardBand;
pub(crate) use board::Bitboard;
pub(crate) use jumps::{Jumps, ScanLanes};
pub(crate) use jumps_build::JumpsBuild;
pub(crate) use lanes::Lanes;
