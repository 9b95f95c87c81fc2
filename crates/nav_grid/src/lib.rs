//! Grid maps and bounded, deterministic path searches for game servers.
//!
//! This crate uses no engine, clock, thread or random number. The same inputs give the same
//! answers, to the last counter, on every machine. The Bevy plugin on top of it is the `nav` crate;
//! `nav_formats` reads and writes map files.
//!
//! Each module uses only those above it in this list:
//!
//! | module | holds |
//! |---|---|
//! | [`cell`] | cells, directions, sets of directions |
//! | [`rules`] | metrics, corner rules, footprints, heuristics |
//! | [`map`] | the grid with its layers and edits, bodies, the frame, maps in plain text |
//! | [`index`] | indexes of a map: regions, portals, mosaic, roads |
//! | [`path`] | waypoints and turning points |
//! | [`query`] | the call shape of all searches: query, limits, terrain, outcome, slices |
//! | [`methods`] | the search methods |
//! | [`fields`] | costs to go around one target, shared by its chasers |
//! | [`smoothing`] | line of sight, string pulling |
//! | [`planner`] | the choice of a method for each query |
//!
//! An [`IndexedMap`] is a grid together with its indexes. The types that most programs need are
//! re-exported here. What only `nav` and the readers of files need is public and not in this
//! documentation: any version may change it.
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

#![cfg_attr(docsrs, feature(doc_cfg))]

/// Methods that replace one public field of a type: `with_cost(cost: Cost)`.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($field:ident: $type:ty);)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub const fn $name(self, $field: $type) -> Self {
            Self { $field, ..self }
        }
    )*};
}

mod bits;
pub mod cell;
pub mod fields;
pub mod index;
mod indexed_edits;
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
pub use indexed_map::{IndexedMap, Indexes};
pub use map::{Area, Edit, Frame, Grid, GridError, Link, Size};
pub use path::Path;
pub use planner::Planner;
pub use query::{Limits, Method, Outcome, PathQuery, Search, Status, Terrain};
pub use rules::{CornerRule, Footprint, Metric, Rules};

// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
