//! The search methods, each with its own scratch memory, all behind [`Search`](crate::Search).
//!
//! A method is a struct that owns its scratch memory and borrows everything else: a
//! [`Terrain`](crate::Terrain), a [`PathQuery`](crate::PathQuery), and a [`Path`](crate::Path) to
//! fill. Any number of threads can share a map, each with its own scratch memory. A warm search
//! does not allocate.
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
//! | [`NearestGoal`] | A* to the nearest of several goals, or to a [`SightGoal`] |
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

/// Implements `new` and [`Search`](crate::Search) for a method that pauses.
///
/// The method runs its slices to the end.
macro_rules! search_method {
    ($search:ident, $method:ident, $support:expr) => {
        search_method!(
            $search,
            $method,
            $support,
            |search, terrain, query, path| { search.run_through(terrain, query, path) }
        );
    };
    (
        $search:ident, $method:ident, $support:expr,
        |$this:ident, $terrain:ident, $query:ident, $path:ident| $answer:expr
    ) => {
        impl $search {
            /// A search without memory yet. It takes what the first queries need and keeps it.
            pub fn new() -> Self {
                Self::default()
            }
        }

        impl crate::query::Search for $search {
            const METHOD: crate::query::Method = crate::query::Method::$method;
            const SUPPORT: crate::query::Support = $support;

            fn search<'a>(
                &mut self,
                $terrain: impl Into<crate::query::Terrain<'a>>,
                $query: &crate::query::PathQuery,
                $path: &mut crate::path::Path,
            ) -> crate::query::Outcome {
                let $this = self;
                $answer
            }
        }
    };
}

/// The part of [`Resumable`](crate::query::Resumable) that all methods share: the paused search
/// is in the field `under_way`.
macro_rules! pending_search {
    ($checkpoint:ty) => {
        type Checkpoint = $checkpoint;

        fn pending(&self) -> &crate::query::PendingSearch<$checkpoint> {
            &self.under_way
        }

        fn pending_mut(&mut self) -> &mut crate::query::PendingSearch<$checkpoint> {
            &mut self.under_way
        }
    };
}

mod astar;
mod dijkstra;
mod jps;
mod line;
mod mosaic;
mod portals;
mod stamped_costs;
mod sweep;
mod trunk;

pub use astar::{BoundedAStar, NearestGoal, SightGoal};
pub use dijkstra::Dijkstra;
pub use jps::JumpPointSearch;
pub(crate) use line::LineEnd;
pub use line::StraightLine;
pub use mosaic::MosaicSearch;
pub use portals::PortalSearch;
pub use sweep::Sweep;
pub use trunk::{RoadLineError, TrunkSearch, road_cells_along};
pub(crate) use {pending_search, search_method};
