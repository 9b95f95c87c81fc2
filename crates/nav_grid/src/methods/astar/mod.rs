//! Bounded A*: the classic search of game servers.

mod bounded_astar;
mod expand;
mod node_map;
mod open_list;

pub use bounded_astar::BoundedAStar;
pub(super) use expand::guess_max;
