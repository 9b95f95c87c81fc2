//! Bounded A*: the classic search of game servers, to one goal or to the nearest of several.

mod bounded_astar;
mod expand;
mod goal_blocks;
mod goals_task;
mod nearest_goal;
mod node_map;
mod open_list;
mod trace;

pub use bounded_astar::BoundedAStar;
pub(super) use expand::guess_max;
pub use nearest_goal::NearestGoal;
