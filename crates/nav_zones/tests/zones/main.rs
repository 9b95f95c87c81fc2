//! A world in zones, within one process: a module for each topic.

// Borders.
mod across;
mod bodies;
mod border_costs;

// Processes that begin, die and stall.
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
mod seeds;
mod simulation;
