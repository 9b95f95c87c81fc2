//! Grid maps and bounded, deterministic path searches for game servers.
//!
//! This crate knows nothing of engines, clocks, threads or random numbers: the same inputs give
//! the same answers, to the last counter, on every machine. The Bevy plugin on top of it is the
//! `nav` crate; `nav_formats` reads and writes map files.
//!
//! Each module uses only those above it in this list:
//!
//! | module | holds |
//! |---|---|
//! | [`cell`] | cells, directions, sets of directions |
//! | [`rules`] | metrics, corner rules, footprints, heuristics |
//! | [`map`] | the grid with its layers and edits, bodies, the frame, maps in plain text |
//! | [`index`] | what is prepared of a map: regions, portals, mosaic, roads |
//! | [`path`] | waypoints and turning points |
//! | [`query`] | the one call shape of all searches: query, limits, terrain, outcome, slices |
//! | [`methods`] | the search methods |
//! | [`fields`] | cost to go around one target, for all who chase it |
//! | [`smoothing`] | line of sight, string pulling |
//! | [`planner`] | which method answers what |
//!
//! An [`IndexedMap`] is a grid together with what was prepared of it. What a first user needs is
//! re-exported here.
//!
//! # Example
//!
//! ```
//! use nav_grid::{Cell, Grid, Path, PathQuery, Planner, Search, Status};
//!
//! let grid = Grid::from_fn(32, 32, |cell| cell.x != 16 || cell.y == 3)?;
//! let (mut planner, mut path) = (Planner::new(), Path::new());
//! let query = PathQuery::new(Cell::new(10, 9), Cell::new(22, 9));
//! let outcome = planner.search(&grid, &query, &mut path);
//! assert_eq!(outcome.status, Status::Found);
//! assert_eq!(path.end(), Some(Cell::new(22, 9)));
//! # Ok::<(), nav_grid::GridError>(())
//! ```
//!
//! # Features
//!
//! - `serde`: save and load cells, frames, grids, paths, queries and outcomes.

mod bits;
pub mod cell;
pub mod fields;
pub mod index;
mod indexed_map;
pub mod map;
pub mod methods;
pub mod path;
pub mod planner;
pub mod query;
mod queues;
pub mod rules;
pub mod smoothing;
mod window;

pub use cell::{Cell, Direction, Directions};
pub use indexed_map::IndexedMap;
pub use map::{Area, Edit, Frame, Grid, GridError, Link, Size};
pub use path::Path;
pub use planner::Planner;
pub use query::{Limits, Method, Outcome, PathQuery, Search, Status, Terrain};
pub use rules::{CornerRule, Footprint, Metric, Rules};

// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
