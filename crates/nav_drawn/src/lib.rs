//! Worlds drawn from a seed, changes that a game makes to them, and a judge of how their chases
//! end. Where a [scene of `nav_testing`](nav_testing::Scene) shows one case, these try thousands.
//!
//! ```
//! use nav_drawn::{Scene, judge};
//!
//! let scene = Scene::new(59);
//! let verdict = judge(&scene);
//! assert!(verdict.failure.is_none(), "{}", verdict.picture);
//! ```
//!
//! # Scenes
//!
//! A [`Scene`] is drawn over the product of features: ground, costs, exits, links, storeys, bodies
//! of several sizes, methods, metrics and policies. Its fields can be changed, or written by hand:
//! a [`Target`] and an [`Npc`] are places with a tuning. [`Scene::stage`] puts it into an app, as a
//! [`Stage`]. [`judge`] runs it until nothing moves, and compares the places of all chasers with a
//! naive search: each one that can arrive must have arrived, and none may search or walk on.
//!
//! ```
//! use nav_drawn::{Npc, Scene, Target};
//! use nav_grid::{Cell, Grid};
//!
//! let mut scene = Scene::on(1, Grid::open(12, 3).unwrap());
//! scene.targets = vec![Target::at(Cell::new(11, 1))];
//! scene.npcs = (0..3).map(|y| Npc::at(Cell::new(0, y), 0)).collect();
//! let mut stage = scene.stage();
//! stage.world.seconds(5);
//! assert_eq!(stage.world.reached.len(), 3);
//! ```
//!
//! # Changes
//!
//! An [`Input`] is one change that a game makes to a stage between two ticks, and [`Stage::play`]
//! applies it. [`Inputs`] draws them from a seed by a [`Mix`] of kinds; a [`Session`] is a scene
//! with such inputs. [`Rooms`] and [`crowd`] make sessions, and [`tape`] records and replays them.
//! [`Game`] plays some seconds of moving targets, doors and late comers, and leaves a scene to
//! judge.
//!
//! # Worlds of one question
//!
//! [`defaults`] and [`play_mixture`] draw worlds that prepare nothing and tune nothing. [`pursuit`]
//! and [`single_file`] compare chasers of moving targets with imagined ones that know all ways.
//!
//! # Determinism
//!
//! Equal seeds draw equal worlds and equal changes on every machine. [`on_all_cores`] runs the
//! cases of many seeds, and [`number_in`] lets the environment choose one.

mod agents;
mod cases;
pub mod crowd;
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
pub mod tape;
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
pub use stage::{Stage, app_with_behaviours};
pub use world::Scene;
