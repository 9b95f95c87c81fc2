//! The square window around a start: as numbered cells, and as rows of machine words with
//! bit-parallel breadth-first waves over them.

mod distance_mod3;
mod flood_step;
mod search_window;
mod waves;
mod window_bits;

pub(crate) use distance_mod3::{DistanceMod3, Frontier, WaveBounds};
pub(crate) use flood_step::{EMPTY, FloodMask, WaveStep};
pub(crate) use search_window::SearchWindow;
pub(crate) use waves::{FloodEnd, Waves};
pub(crate) use window_bits::{
    CENTER, ExitPlanes, RADIUS_MAX, WindowBits, WindowPlace, WindowRows, area,
};
