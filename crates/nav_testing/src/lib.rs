//! A harness for tests of a game on the plugin: scenes drawn in text, time by hand, and assertions
//! that print the world when they fail.
//!
//! A game depends on it for its tests only:
//!
//! ```toml
//! [dev-dependencies]
//! nav_testing = "0.1"
//! ```
//!
//! A test is a drawing, some seconds, and an assertion:
//!
//! ```
//! use nav_testing::Scene;
//!
//! let mut scene = Scene::new(&[
//!     "#########",
//!     "#...#...#",
//!     "#.C.#.T.#",
//!     "#.......#",
//!     "#########",
//! ]);
//! scene.seconds(5);
//! scene.assert_beside('C', 'T');
//! assert_eq!(scene.arrivals('C').len(), 1);
//! ```
//!
//! `#` is a wall and `.` is floor. `T` is a target, and every other capital letter a chaser of the
//! nearest `T`. A digit is an agent that neither chases nor is chased until the test calls `chase`.
//! A small letter is floor with a name. [`Drawing`] has the details. In every call, letters stand
//! for agents and names for cells, as [`Agents`] and [`Cells`] say:
//!
//! ```
//! use nav::Body;
//! use nav_testing::Scene;
//!
//! let mut scene = Scene::new(&[
//!     "AA..#.....",
//!     "AA..d...1.",
//!     "AA..#.....",
//! ]);
//! scene.insert('A', Body::default());
//! scene.chase('A', '1');
//! scene.edit('d', false);
//! scene.seconds(3);
//! scene.check(scene.reached.is_empty(), "no agent comes through a closed door");
//!
//! scene.edit('d', true);
//! let ticks = scene.tick_until(|scene| scene.is_beside('A', '1'));
//! scene.check(ticks < 100, format!("all six need {ticks} ticks"));
//! ```
//!
//! The panic of a failed assertion shows the places of all agents and the state of all chases. It
//! is reported at the line of the test:
//!
//! ```should_panic
//! # use nav_testing::Scene;
//! let mut scene = Scene::new(&["C.#.T"]);
//! scene.seconds(2);
//! scene.assert_beside('C', 'T');
//! // C at 1,0 is not beside T at 4,0
//! ```
//!
//! # A game under test
//!
//! [`Scene::with_app`] draws a scene in an app that has the plugins of a game. Its
//! [`NavPlugin`](nav::NavPlugin) may run in any schedule. [`Scene::insert`] inserts components of
//! the game into drawn agents, and [`Scene::name`] gives letters to agents that the game spawns.
//! Everything else goes through [`Scene::app`].
//!
//! # What is checked in every tick
//!
//! Chasers move by legal steps and links, at their move ticks and only while they have a target,
//! and stay out of walls and off the cells of their targets: see [`Scene::tick`], and
//! [`Scene::judges_steps`] for games in which that does not hold. [`update`] does the same for an
//! app that is not in a scene, and [`oracle`] has the naive judge of nearness.
//!
//! # Determinism
//!
//! Agents are spawned, and so numbered, in reading order. Time is by hand, and no task pool is
//! needed. Equal scenes give equal results on every machine, as far as the systems of the game do.

mod actions;
mod assertions;
mod drawing;
mod invariants;
pub mod oracle;
mod picture;
mod scene;
mod selectors;
mod ticks;

pub use drawing::Drawing;
pub use invariants::update;
pub use scene::{REPATH_TICKS, STEP_TICKS, Scene, TICK_RATE, app, draw, run_on_one_thread};
pub use selectors::{Agents, Cells};

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
