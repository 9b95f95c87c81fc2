//! Map and scenario files: what is read, what is refused and in which words, and what is written.

// One format each.
#[cfg(feature = "binary")]
mod binary;
mod bitmap;
mod bmp;
mod exported;
#[cfg(feature = "ldtk")]
mod ldtk;
mod movingai;
#[cfg(feature = "png")]
mod png;
mod scen;
#[cfg(feature = "tiled")]
mod tiled;

// All formats.
mod detection;
mod encoding;
mod fuzz;
mod whole_files;
mod writing;

// What they share.
mod benchmarks;
mod mutation;
mod yard;

use heap_meter::Meter;

// It counts by thread, so that tests beside each other do not show in each other's peaks.
#[global_allocator]
static METER: Meter = Meter;
