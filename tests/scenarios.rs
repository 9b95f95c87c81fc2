//! Scenarios of whole apps: a folder a topic.

mod behaviour;
mod bodies;
mod chase;
mod fields;
mod maps;
mod network;
mod proof;
mod search;
mod state;
