//! Zones that do not wait for each other, and outlive their processes.

mod faults;
mod life;
mod net;
mod simulation;
