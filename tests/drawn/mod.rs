//! Worlds drawn from a seed, and a judge of how chases in them end.
//!
//! A [`Scene`] is drawn over the product of features: ground, costs, exits, links, storeys, bodies
//! of several sizes, methods, metrics and policies. [`Scene::stage`] puts it into an app. [`judge`]
//! runs it until nothing moves, and compares the places of all chasers with the naive search.
//!
//! An [`Input`] is one change that a game makes to a stage between two ticks, and [`Stage::play`]
//! applies it. [`Inputs`] draws them from a seed by a [`Mix`] of kinds; a [`Session`] is a scene
//! with such inputs. [`Rooms`] makes sessions for traces and saves.

mod agents;
mod cases;
mod crowds;
pub mod defaults;
mod draw;
mod ends;
mod game;
mod ground;
mod input;
mod inputs;
mod judge;
mod mixture;
mod near;
mod packs;
mod picture;
mod play;
pub mod pursuit;
mod rooms;
mod session;
pub mod single_file;
mod sites;
mod stage;
mod tuning;
mod ways;
mod world;

pub use agents::{Idle, Npc, Target, is_solid};
pub use cases::{Next, number_in, on_all_cores, or_panic};
pub use draw::Draw;
pub use game::Game;
pub use input::{Index, Input, Part, Place, Role, Who};
pub use inputs::{Inputs, Kind, Mix};
pub use judge::{Failure, Verdict, judge, judge_stage};
pub use mixture::{Mixture, play_mixture};
pub use packs::{Company, Fill};
pub use rooms::Rooms;
pub use session::Session;
pub use stage::Stage;
pub use world::Scene;
