//! The search methods, each with its own scratch memory, all behind [`Search`](crate::Search).
//!
//! A method is a struct that owns its scratch memory and borrows everything else: a
//! [`Terrain`](crate::Terrain), a [`PathQuery`](crate::PathQuery), and a [`Path`](crate::Path) to
//! fill. A map can be shared by any number of threads, each with scratch of its own; a warm
//! search does not allocate.
//!
//! | method | textbook name |
//! |---|---|
//! | [`StraightLine`] | walk along the line from start to goal |
//! | [`BoundedAStar`] | A* in a window with a cap on expansions |
//! | [`Sweep`] | bit-parallel breadth-first search; A* with buckets where diagonals cost more |
//! | [`JumpPointSearch`] | jump point search |
//! | [`PortalSearch`] | hierarchical A* (HPA*) |
//! | [`MosaicSearch`] | A* on a framed quadtree of uniform blocks |
//! | [`TrunkSearch`] | marked highways |
//! | [`Dijkstra`] | uniform-cost search, the judge of the others |
//!
//! ```
//! use nav_grid::{Cell, Grid, Path, PathQuery, Search, Status, methods::BoundedAStar};
//!
//! let grid = Grid::open(64, 64)?;
//! let mut astar = BoundedAStar::new();
//! let mut path = Path::new();
//! let query = PathQuery::new(Cell::new(4, 4), Cell::new(9, 6));
//! let outcome = astar.search(&grid, &query, &mut path);
//! assert_eq!(outcome.status, Status::Found);
//! assert_eq!(outcome.cost, 5);
//! assert_eq!(path.end(), Some(Cell::new(9, 6)));
//! # Ok::<(), nav_grid::GridError>(())
//! ```

mod astar;
mod dijkstra;
mod jps;
mod line;
mod mosaic;
mod portals;
mod sweep;
mod trunk;

pub use astar::BoundedAStar;
pub use dijkstra::Dijkstra;
pub use jps::JumpPointSearch;
pub(crate) use line::LineEnd;
pub use line::StraightLine;
pub use mosaic::MosaicSearch;
pub use portals::PortalSearch;
pub use sweep::Sweep;
pub use trunk::{RoadLineError, TrunkSearch, road_cells_along};
