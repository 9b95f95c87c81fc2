//! What leaves the process: packets for watchers, and borders to other processes.

mod borders;
mod sync;
