//! A world in zones, within one process: a module a topic.

// Zones in step.
mod across;
mod bodies;
mod border_costs;
mod lockstep;

// Zones that do not wait for each other, and outlive their processes.
mod faults;
mod life;

// What every keeper does.
#[path = "../keeper/mod.rs"]
mod keeper;
mod local_keeper;

// What they share.
mod apps;
mod net;
mod packs;
mod players;
mod scenes;
mod seeds;
mod simulation;
