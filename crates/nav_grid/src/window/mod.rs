//! The square window around a start: as numbered cells, and as rows of machine words with
//! bit-parallel breadth-first waves over them.

mod distance_mod3;
mod exit_planes;
mod flood_mask;
mod rows;
mod search_window;
mod wave_step;
mod waves;
mod window_bits;

pub(crate) use distance_mod3::{DistanceMod3, Frontier, WaveBounds};
pub(crate) use exit_planes::ExitPlanes;
pub(crate) use flood_mask::FloodMask;
pub(crate) use rows::{CENTER, RADIUS_MAX, WindowPlace, WindowRows};
pub(crate) use search_window::SearchWindow;
pub(crate) use wave_step::{EMPTY, WaveStep};
pub(crate) use waves::{FloodEnd, Waves};
pub(crate) use window_bits::{WindowBits, area};
