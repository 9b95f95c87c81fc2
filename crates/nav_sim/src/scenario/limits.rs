//! The greatest values allowed in a scenario.
//!
//! They are generous guesses: each only prevents a typing mistake from using up the machine.

use nav_grid::Grid;

/// Chasers: several times what two cores can move in real time.
pub const CHASERS_MAX: u32 = 5_000_000;
/// Targets.
pub const TARGETS_MAX: u32 = 1_000_000;
/// Ticks per simulated second.
pub const HZ_MAX: u32 = 1_000;
/// Simulated time: one day.
pub const SECONDS_MAX: f64 = 86_400.0;
/// Ticks of a run. The time of each is kept, which is 8 bytes per tick, and a day at 100 Hz fits.
pub const TICKS_MAX: u64 = 10_000_000;
/// Threads.
pub const THREADS_MAX: u32 = 1_024;
/// Periods of timers, in seconds: one hour.
pub const PERIOD_MAX: f64 = 3_600.0;
/// Distances in cells: the greatest side of a map.
pub const CELLS_MAX: u16 = Grid::SIDE_MAX;
/// Sizes of bodies that chasers take in turn: all sides that footprints have.
pub const SIZES_MAX: usize = 8;
