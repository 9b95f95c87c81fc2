//! A world in zones, within one process: a module for each topic.

// Zones in step.
mod across;
mod bodies;
mod border_costs;
mod lockstep;

// Zones that do not wait for each other, and survive the end of their processes.
mod faults;
mod life;

// Scenarios of every keeper.
#[path = "../keeper/mod.rs"]
mod keeper;
mod local_keeper;

// Shared helpers.
mod apps;
mod net;
mod packs;
mod players;
mod scenes;
mod seeds;
mod simulation;
