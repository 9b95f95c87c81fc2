//! The search method: scratch memory, dispatch and slices of jump point search.

use super::{
    boards::{BoardCopies, JumpBoards},
    lists::JumpLists,
    task::JumpTask,
};
use crate::{
    path::Path,
    query::{
        Method, Outcome, PathQuery, PendingSearch, Resumable, Search, SearchValid, SliceResult,
        Support, Terrain, answer_at_once,
    },
    rules::{CornerRule, Metric},
};

/// A* that jumps: of all the cheapest paths that differ in the order of their steps only, it
/// looks at the one that goes diagonally first, and so puts on its queue no cells but those
/// where that path may have to turn. The rest of a diagonal that leads away from the goal waits
/// on the queue, too.
///
/// Reads 64 cells at a time, along rows and along columns, and needs nothing but the map as it
/// is. [Prepared jumps](crate::Grid::prepare_jumps) spare it a pass over the map for every query.
///
/// Finds cheapest paths under the metrics with diagonal steps and under both corner rules if the
/// heuristic is [admissible](crate::rules::Heuristic::is_admissible). Refuses costs, exits and
/// links. Bodies in the way, and windows smaller than the map, take a copy of the window for every
/// query. The copy is [cut into slices](crate::query::Sliced) as the search is, unless the window
/// has less than 64 columns and rows; bodies count where they were when they were copied.
///
/// [`Counters::expanded`](crate::query::Counters::expanded) counts jump points and diagonals taken
/// up again, which are few: so does [`Limits::expansions`](crate::Limits::expansions). Each passes
/// a thousand cells of a diagonal at most before it is put off.
/// [`Counters::scanned`](crate::query::Counters::scanned) counts what is passed, and the copy,
/// which no limit but the window bounds.
///
/// Among equally cheap paths those whose diagonal steps come first win, then those whose last
/// turn was found last. Walkers from one place therefore follow one another; for chasers that
/// should spread there are other methods, see [`Planner`](crate::Planner).
///
/// # Complexity
///
/// O(log n) in the jump points for each, two bits read for each cell of a diagonal, and a word for
/// each 64 cells that are passed straight. Memory: 32 to 48 bytes a jump point of the largest
/// search so far; for copies, two bytes a cell of the window.
///
/// # References
///
/// Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011, and, for the
/// looks at many cells at once and the jump points that are never queued, "Improving Jump Point
/// Search", 2014.
#[derive(Clone, Debug, Default)]
pub struct JumpPointSearch {
    copies: BoardCopies,
    front: JumpLists,
    /// Whether the boards are made and the search has begun.
    is_set_out: bool,
    under_way: PendingSearch<()>,
}

impl JumpPointSearch {
    /// A search without memory yet; it takes what the first queries need and keeps it.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Search for JumpPointSearch {
    const METHOD: Method = Method::Jps;
    const SUPPORT: Support = Support {
        costs: false,
        exits: false,
        links: false,
        metrics: &[Metric::Unit, Metric::Grid, Metric::TwoThree, Metric::Octile],
        ..Support::ALL
    };

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        path.clear();
        match answer_at_once::<Self>(terrain, query) {
            Some(outcome) => {
                self.under_way.cancel();
                outcome
            }
            None => self.search_valid(terrain, query, path),
        }
    }
}

impl SearchValid for JumpPointSearch {
    fn search_valid(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        self.under_way.cancel();
        self.begin_search(terrain, query);
        loop {
            if let Some(outcome) = self.advance(terrain, query, u32::MAX, path) {
                return outcome;
            }
        }
    }
}

impl Resumable for JumpPointSearch {
    /// How far a search has come is in the front.
    type Checkpoint = ();

    fn pending(&self) -> &PendingSearch<()> {
        &self.under_way
    }

    fn pending_mut(&mut self) -> &mut PendingSearch<()> {
        &mut self.under_way
    }

    fn work_at(&self, (): &()) -> u32 {
        if self.is_set_out {
            self.front.counters.work()
        } else {
            self.copies.scanned()
        }
    }

    fn prepare(&mut self, terrain: Terrain<'_>, query: &PathQuery) {
        if answer_at_once::<Self>(terrain, query).is_none() {
            self.begin_search(terrain, query);
            if self.copies.are_small() {
                self.copies.advance(terrain, query, u32::MAX);
            }
        }
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        _: Option<()>,
        slice: u32,
        path: &mut Path,
    ) -> SliceResult<()> {
        if let Some(outcome) = answer_at_once::<Self>(terrain, query) {
            return SliceResult::Done(outcome);
        }
        // Another map may have as many edits and cells, and no jumps.
        if self.copies.boards(terrain.grid, query).is_none() {
            self.begin_search(terrain, query);
        }
        let outcome = self.advance(terrain, query, slice, path);
        outcome.map_or(SliceResult::Paused(()), SliceResult::Done)
    }
}

impl JumpPointSearch {
    fn begin_search(&mut self, terrain: Terrain<'_>, query: &PathQuery) {
        self.copies.begin(terrain, query);
        self.is_set_out = false;
        self.front.start();
    }

    /// Goes on for so much work. Returns `None` if there is more to do.
    fn advance(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let Self { copies, front, .. } = self;
        let mut left = work;
        if !self.is_set_out {
            let before = copies.scanned();
            if !copies.advance(terrain, query, work) {
                return None;
            }
            let boards = copies.boards(terrain.grid, query)?;
            start(&boards, query, front);
            front.counters.scanned = copies.scanned();
            self.is_set_out = true;
            left = work.saturating_sub(copies.scanned() - before);
            if left == 0 {
                return None;
            }
        }
        let boards = copies.boards(terrain.grid, query)?;
        go_on(&boards, query, front, left, path)
    }
}

fn start(boards: &JumpBoards<'_>, query: &PathQuery, front: &mut JumpLists) {
    match query.rules.corners {
        CornerRule::Strict => JumpTask::<false>::new(boards, query).start(front),
        CornerRule::Cut => JumpTask::<true>::new(boards, query).start(front),
    }
}

fn go_on(
    boards: &JumpBoards<'_>,
    query: &PathQuery,
    front: &mut JumpLists,
    work: u32,
    path: &mut Path,
) -> Option<Outcome> {
    match query.rules.corners {
        CornerRule::Strict => JumpTask::<false>::new(boards, query).run(front, work, path),
        CornerRule::Cut => JumpTask::<true>::new(boards, query).run(front, work, path),
    }
}
