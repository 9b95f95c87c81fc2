//! Bounded A*: the classic search of game servers.

mod node_map;
mod open_list;
mod search;
mod step;
mod task;
mod trace;

pub use search::BoundedAStar;
