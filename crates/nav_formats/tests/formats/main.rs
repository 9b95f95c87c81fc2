//! Map and scenario files: reading them, the words of refusals, and writing them.

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
mod cases;
mod detection;
mod encoding;
mod fuzz;
mod objects;
mod whole_files;
mod writing;

// Shared helpers.
mod benchmarks;
mod mutation;
mod yard;

use heap_meter::Meter;

// It counts by thread, so that parallel tests do not show in each other's peaks.
#[global_allocator]
static METER: Meter = Meter;
