//! Searches in slices: paused after some expansions and resumed later.

use super::{
    limits::Limits, outcome::Outcome, path_query::PathQuery, search::Search, terrain::Terrain,
};
use crate::{
    map::{Grid, Size},
    path::Path,
};

/// A search that can be cut into slices, so that a long one need not be done in one tick.
///
/// The answer, with its path and [`Counters`](crate::query::Counters), is the one that
/// [`Search::search`] gives, however the search is cut. What is under way is kept in the scratch
/// memory of the method: one search at a time, and [`Search::search`] drops it.
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
///         Progress::Stale | Progress::Idle => unreachable!("nobody edits the map"),
///     }
/// };
/// assert_eq!(outcome.status, Status::Found);
/// # Ok::<(), nav_grid::GridError>(())
/// ```
pub trait Sliced: Search {
    /// Begins a query in place of the one that is under way. Nothing is searched yet.
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &PathQuery);

    /// Goes on for so much more [work](crate::query::Counters::work), expansions and scans
    /// together, at least one; `path` is filled when the search is done and empty until then.
    ///
    /// A slice ends with the expansion, or the part of a scan, that spends it, which may be some
    /// dozens more than it was given: [`Sliced::work`] tells. What follows the last expansion, the
    /// trace of the path, is part of the last slice, a nanosecond or two a cell.
    ///
    /// `terrain` is that of [`begin`](Self::begin): an edit of the map ends the search with
    /// [`Progress::Stale`]. Bodies that have moved block where they are when the search
    /// comes to them or where they were at its beginning.
    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        work: u32,
        path: &mut Path,
    ) -> Progress;

    /// The [work](crate::query::Counters::work) of all slices of the search under way; 0 if none
    /// is.
    fn work(&self) -> u32;

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

/// What a method remembers of the query that it answers in slices; `H` says how far it has come.
#[derive(Clone, Debug)]
pub(crate) struct PendingSearch<H>(Option<PendingQuery<H>>);

#[derive(Clone, Debug)]
struct PendingQuery<H> {
    query: PathQuery,
    version: u64,
    size: Size,
    /// Nothing until the first slice.
    checkpoint: Option<H>,
    /// The work up to there.
    work: u32,
}

/// What came of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceResult<H> {
    /// The answer.
    Done(Outcome),
    /// There is more to do from here on.
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

    fn work(&self) -> u32 {
        self.0.as_ref().map_or(0, |under_way| under_way.work)
    }

    pub(crate) fn cancel(&mut self) {
        self.0 = None;
    }

    /// Takes out what is to go on on a map, or says why nothing does.
    fn take(&mut self, grid: &Grid) -> Result<PendingQuery<H>, Progress> {
        let under_way = self.0.take().ok_or(Progress::Idle)?;
        if (under_way.version, under_way.size) == (grid.version(), grid.size()) {
            Ok(under_way)
        } else {
            Err(Progress::Stale)
        }
    }
}

/// A method that can pause, which is all that [`Sliced`] takes.
pub(crate) trait Resumable: Search {
    /// Where it was paused, next to its scratch memory.
    type Checkpoint;

    /// What is under way.
    fn pending(&self) -> &PendingSearch<Self::Checkpoint>;

    /// The same, to change.
    fn pending_mut(&mut self) -> &mut PendingSearch<Self::Checkpoint>;

    /// The work of a search up to a checkpoint.
    fn work_at(&self, checkpoint: &Self::Checkpoint) -> u32;

    /// What is to be done as soon as a query begins.
    fn prepare(&mut self, _terrain: Terrain<'_>, _query: &PathQuery) {}

    /// One slice of a query: the first one, or the one after `checkpoint`. The path comes empty,
    /// and leaves so unless the search is done.
    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        checkpoint: Option<Self::Checkpoint>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<Self::Checkpoint>;

    /// [`Search::search`], for methods that have nothing to prepare.
    fn run_through<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        path.clear();
        self.pending_mut().cancel();
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
        let terrain = terrain.into();
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
        let mut under_way = match self.pending_mut().take(terrain.grid) {
            Ok(under_way) => under_way,
            Err(progress) => return progress,
        };
        let checkpoint = under_way.checkpoint.take();
        match self.run(terrain, &under_way.query, checkpoint, work, path) {
            SliceResult::Done(outcome) => Progress::Done(outcome),
            SliceResult::Paused(checkpoint) => {
                under_way.work = self.work_at(&checkpoint);
                under_way.checkpoint = Some(checkpoint);
                self.pending_mut().0 = Some(under_way);
                Progress::Suspended
            }
        }
    }

    fn work(&self) -> u32 {
        self.pending().work()
    }

    fn cancel(&mut self) {
        self.pending_mut().cancel();
    }
}

/// The count of expansions at which a search stops that has come so far: its limit, or else the
/// end of its slice.
pub(crate) fn stop_after(expanded: u32, slice: u32, limits: Limits) -> u32 {
    expanded.saturating_add(slice.max(1)).min(limits.expansions)
}
