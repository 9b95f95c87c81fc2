//! Worlds drawn from a seed, and a judge of how chases in them end.
//!
//! A [`Scene`] is drawn over the product of features: ground, costs, exits, links, storeys, bodies of several
//! sizes, methods, metrics and policies. [`Scene::stage`] puts it into an app, and [`judge`] runs it until
//! nobody moves and compares where everybody stands with what the naive search says.

mod agents;
mod cases;
mod crowds;
mod draw;
mod ends;
mod game;
mod ground;
mod judge;
mod near;
mod picture;
mod sites;
mod stage;
mod tuning;
mod world;

pub use agents::{Idle, Npc, Target, is_solid};
pub use cases::{Next, number_in, on_all_cores, or_panic};
pub use draw::Draw;
pub use game::Game;
pub use judge::{Failure, Verdict, judge, judge_stage};
pub use stage::Stage;
pub use world::Scene;
