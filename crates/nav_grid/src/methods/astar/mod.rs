//! Bounded A*: the classic search of game servers, to one goal, to the nearest of several, or to
//! where a target is seen.

mod bounded_astar;
mod expand;
mod goal_blocks;
mod goal_set;
mod goals_task;
mod nearest_goal;
mod node_map;
mod open_list;
mod sight_goal;
mod trace;

pub use bounded_astar::BoundedAStar;
pub(super) use expand::guess_max;
pub use nearest_goal::NearestGoal;
pub use sight_goal::SightGoal;
