//! Searches in slices: paused after some work and resumed later.

use super::{
    outcome::Outcome,
    path_query::{Limits, PathQuery},
    search_trait::Search,
    terrain::Terrain,
};
use crate::{
    map::{Grid, Size},
    path::Path,
};

/// A search that can be cut into slices, so that a long search takes several ticks.
///
/// However the search is cut, answer, path and [`Counters`](crate::query::Counters) are those of
/// [`Search::search`]. The scratch memory of the method holds one pending search;
/// [`Search::search`] drops it.
///
/// ```
/// use nav_grid::{
///     Cell, Grid, Limits, Path, PathQuery, Status, methods::BoundedAStar,
///     query::{Progress, Sliced},
/// };
///
/// let grid = Grid::open(300, 300)?;
/// let query = PathQuery::new(Cell::new(4, 4), Cell::new(290, 120)).with_limits(Limits::UNBOUNDED);
/// let (mut astar, mut path) = (BoundedAStar::new(), Path::new());
/// astar.begin(&grid, &query);
/// let outcome = loop {
///     // The rest of a tick goes here.
///     match astar.resume(&grid, 100, &mut path) {
///         Progress::Done(outcome) => break outcome,
///         Progress::Suspended => {}
///         Progress::Stale | Progress::Idle => unreachable!("the map is not edited"),
///     }
/// };
/// assert_eq!(outcome.status, Status::Found);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
pub trait Sliced: Search {
    /// Begins a query and drops the pending one. Nothing is searched yet.
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &PathQuery);

    /// Searches on for an amount of [work](crate::query::Counters::work), expansions plus scans, at
    /// least one. `path` is filled when the search is done and empty until then.
    ///
    /// A slice ends with the expansion, or the part of a scan, that spends it. It may take some
    /// dozens more than it was given: [`Sliced::work`] returns the sum. Tracing the path after the
    /// last expansion is part of the last slice and takes a nanosecond or two a cell.
    ///
    /// `terrain` must be that of [`begin`](Self::begin): an edit of the map ends the search with
    /// [`Progress::Stale`]. Bodies that have moved block where they are when the search reaches
    /// them, or where they were at its beginning.
    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        work: u32,
        path: &mut Path,
    ) -> Progress;

    /// The [work](crate::query::Counters::work) of all slices of the pending search; 0 without one.
    fn work(&self) -> u32;

    /// Drops the pending search, if there is one, and keeps its memory.
    fn cancel(&mut self);
}

/// The state of a [`Sliced`] search, or of another computation in slices, after a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<T = Outcome> {
    /// The search is done.
    Done(T),
    /// The search needs more slices.
    Suspended,
    /// The map was edited since the search began. The search is dropped: begin again.
    Stale,
    /// No search is pending.
    Idle,
}

/// The query that a method answers in slices, if there is one. `H` is the method's checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct PendingSearch<H>(Option<PendingQuery<H>>);

#[derive(Clone, Debug)]
struct PendingQuery<H> {
    query: PathQuery,
    version: u64,
    size: Size,
    /// `None` until the first slice.
    checkpoint: Option<H>,
    /// The work up to the checkpoint.
    work: u32,
}

/// The result of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceResult<H> {
    /// The search is done.
    Done(Outcome),
    /// The search goes on from here.
    Paused(H),
}

impl<H> Default for PendingSearch<H> {
    fn default() -> Self {
        Self(None)
    }
}

impl<H> PendingSearch<H> {
    pub(crate) fn begin(&mut self, grid: &Grid, query: &PathQuery) {
        self.0 = Some(PendingQuery {
            query: *query,
            version: grid.version(),
            size: grid.size(),
            checkpoint: None,
            work: 0,
        });
    }

    pub(crate) fn cancel(&mut self) {
        self.0 = None;
    }

    /// Removes the query to resume on a map, or returns why there is none.
    fn take(&mut self, grid: &Grid) -> Result<PendingQuery<H>, Progress> {
        let pending = self.0.take().ok_or(Progress::Idle)?;
        if (pending.version, pending.size) == (grid.version(), grid.size()) {
            Ok(pending)
        } else {
            Err(Progress::Stale)
        }
    }
}

/// A method that can pause: implements [`Sliced`].
pub(crate) trait Resumable: Search {
    /// The state of a paused search, next to the scratch memory.
    type Checkpoint;

    /// The pending query.
    fn pending(&self) -> &PendingSearch<Self::Checkpoint>;

    /// The pending query, to change.
    fn pending_mut(&mut self) -> &mut PendingSearch<Self::Checkpoint>;

    /// The work of a search up to a checkpoint.
    fn work_at(&self, checkpoint: &Self::Checkpoint) -> u32;

    /// Runs when a query begins.
    fn prepare(&mut self, _terrain: Terrain<'_>, _query: &PathQuery) {}

    /// Runs one slice of a query: the first, or the one after `checkpoint`. `path` must be empty,
    /// and stays empty unless the search is done.
    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<Self::Checkpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<Self::Checkpoint>;

    /// Implements [`Search::search`] for methods without [`prepare`](Self::prepare).
    fn run_through<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into().for_rules(query.rules);
        path.clear();
        self.pending_mut().cancel();
        self.prepare(terrain, query);
        let mut checkpoint = None;
        loop {
            match self.run(terrain, query, checkpoint, u32::MAX, path) {
                SliceResult::Done(outcome) => return outcome,
                SliceResult::Paused(there) => checkpoint = Some(there),
            }
        }
    }
}

impl<S: Resumable> Sliced for S {
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &PathQuery) {
        let terrain = terrain.into().for_rules(query.rules);
        self.pending_mut().begin(terrain.grid, query);
        self.prepare(terrain, query);
    }

    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        work: u32,
        path: &mut Path,
    ) -> Progress {
        let terrain = terrain.into();
        path.clear();
        let mut pending = match self.pending_mut().take(terrain.grid) {
            Ok(pending) => pending,
            Err(progress) => return progress,
        };
        let checkpoint = pending.checkpoint.take();
        let terrain = terrain.for_rules(pending.query.rules);
        match self.run(terrain, &pending.query, checkpoint, work, path) {
            SliceResult::Done(outcome) => Progress::Done(outcome),
            SliceResult::Paused(checkpoint) => {
                pending.work = self.work_at(&checkpoint);
                pending.checkpoint = Some(checkpoint);
                self.pending_mut().0 = Some(pending);
                Progress::Suspended
            }
        }
    }

    fn work(&self) -> u32 {
        self.pending().0.as_ref().map_or(0, |pending| pending.work)
    }

    fn cancel(&mut self) {
        self.pending_mut().cancel();
    }
}

/// The number of expansions at which a search stops after `expanded`: its limit or the end of its
/// slice.
pub(crate) fn stop_after(expanded: u32, slice: u32, limits: Limits) -> u32 {
    expanded.saturating_add(slice.max(1)).min(limits.expansions)
}
