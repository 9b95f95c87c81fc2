//! Grid maps and bounded, deterministic path searches for game servers.
//!
//! This crate knows nothing of engines, clocks, threads or random numbers: the same inputs give
//! the same answers, to the last counter, on every machine. The Bevy plugin on top of it is the
//! `nav` crate.
//!
//! - [`Grid`] says where agents may stand, [`Frame`] where cells lie in the world.
//! - [`Rules`] say how an agent moves: what steps cost ([`Metric`]) and which corners it may
//!   cut ([`CornerRule`]).
//! - [`Query`], [`Limits`] and [`Outcome`] are the one call shape of all searches; each method
//!   implements [`Search`] and owns its scratch memory.
//! - [`Planner`] picks the method that suits a query; [`Sliced`] searches are put down and taken up
//!   again, so that long ones need not be done in one tick.
//! - [`Regions`] say which cells hang together, and [`nearest_reachable`] where to go if a goal
//!   is cut off.
//! - [`WeightedField`], [`WindowField`] and [`FlowField`] are searches backwards from one target,
//!   for all who chase it.
//! - [`Path`] holds the waypoints still to visit. [`TurningPoints`] are the same in short,
//!   [`Straightener`] pulls paths tight along the lines that [`Sight`] calls clear.
//! - [`formats`] reads and writes map files.
//!
//! # Features
//!
//! - `serde`: save and load cells, frames, grids, paths, queries and outcomes.
//! - `tiled`: read and write maps of the Tiled editor.

mod bits;
mod cell;
mod charts;
mod field;
pub mod formats;
mod map;
mod mosaic;
mod path;
mod portals;
mod rules;
mod search;
mod trunk;
mod wide;

pub use cell::{Cell, Direction, Directions, DirectionsIter};
pub use charts::{Charts, Terrain};
pub use field::{
    FieldLimits, FieldOutcome, FieldQuery, FieldStatus, Flow, FlowField, FlowMaker, WeightedField,
    WindowField,
};
pub use map::{
    Area, Axes, Bodies, BodiesBand, Edit, EditError, Footprint, FootprintError, Frame, FrameError,
    Grid, GridError, LayerError, Link, Regions, Size, Tile, Toward, Up,
};
pub use mosaic::{Mosaic, MosaicSearch};
pub use path::{
    Ahead, BentLegError, BrokenPathError, Line, Path, Sight, Straightener, Turn, TurningPoints,
};
pub use portals::{FieldError, FieldMove, Onward, PortalField, PortalPath, Portals};
pub use rules::{BodyPolicy, COST_MAX, CornerRule, Cost, Heuristic, Metric, Rules};
pub use search::{
    BoundedAStar, Counters, Dijkstra, End, Fallback, Fault, Feature, JumpPoint, Limits, Method,
    MethodError, Outcome, Planner, Progress, Query, RINGS_MAX, Search, Sliced, Status, Stopped,
    StraightLine, Support, Sweep, nearest_reachable,
};
pub use trunk::{RoadError, TrunkRoads, TrunkSearch};
