//! Zones that do not wait for each other, and outlive their processes.

mod faults;
mod life;
mod net;
#[path = "../players/mod.rs"]
mod players;
#[path = "../seeds/mod.rs"]
mod seeds;
mod simulation;
