//! Searches that are put down and taken up again.

use super::{Outcome, Query, Search};
use crate::{Path, Terrain};

/// A search that can be cut into slices, so that a long one need not be done in one tick.
///
/// The answer, with its path and [`Counters`](super::Counters), is the one that
/// [`Search::search`] gives, however the search is cut. What is under way is kept in the scratch
/// memory of the method: one search at a time, and [`Search::search`] drops it.
///
/// ```ignore
/// use nav_grid::{BoundedAStar, Cell, Grid, Limits, Path, Progress, Query, Sliced, Status};
///
/// let grid = Grid::open(300, 300)?;
/// let query = Query::new(Cell::new(4, 4), Cell::new(290, 120)).with_limits(Limits::UNBOUNDED);
/// let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
/// astar.begin(&grid, &query);
/// let outcome = loop {
///     // The rest of a tick goes here.
///     match astar.resume(&grid, 100, &mut path) {
///         Progress::Done(outcome) => break outcome,
///         Progress::Suspended => {}
///         Progress::Stale | Progress::Idle => unreachable!("nobody edits the map"),
///     }
/// };
/// assert_eq!(outcome.status, Status::Found);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
pub trait Sliced: Search {
    /// Takes up a query in place of the one that is under way. Nothing is searched yet.
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &Query);

    /// Goes on for so many [expansions](super::Counters::expanded) more, at least one; `path` is
    /// filled when the search is done and empty until then.
    ///
    /// `terrain` is that of [`begin`](Self::begin): an edit of the map ends the search with
    /// [`Progress::Stale`]. Bodies that have moved are minded where they are when the search
    /// comes to them or where they were at its beginning.
    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        expansions: u32,
        path: &mut Path,
    ) -> Progress;

    /// Drops the search that is under way, if there is one. Its memory is kept for the next.
    fn cancel(&mut self);
}

/// How far a [`Sliced`] search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is done.
    Done(Outcome),
    /// There is more to do.
    Suspended,
    /// The map was edited since the search began, which is dropped: begin again.
    Stale,
    /// No search is under way.
    Idle,
}
