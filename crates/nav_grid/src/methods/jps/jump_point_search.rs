//! The search method: scratch memory, dispatch and slices of jump point search.

use super::{boards::BoardCopies, jump_nodes::JumpLists, jump_task::JumpTask};
use crate::{
    path::Path,
    query::{
        Outcome, PathQuery, PendingSearch, Resumable, SliceResult, Support, Terrain, answer_at_once,
    },
    rules::CornerRule,
};

/// A* that jumps over cells where no cheapest path has to turn.
///
/// Of the cheapest paths that differ in the order of their steps only, the search follows the
/// path whose diagonal steps come first. Its queue holds only the cells where that path may turn,
/// and the rest of diagonals that lead away from the goal.
///
/// Reads 64 cells at a time, along rows and along columns, and needs nothing but the map.
/// [Prepared jumps](crate::Grid::prepare_jumps) save a pass over the map for every query.
///
/// Finds cheapest paths under the metrics with diagonal steps and under both corner rules if the
/// heuristic is [admissible](crate::rules::Heuristic::is_admissible). Refuses costs, exits and
/// links. Bodies in the way, and windows smaller than the map, take a copy of the window for every
/// query. The copy is [cut into slices](crate::query::Sliced) like the search, unless the window
/// has fewer than 64 columns and rows. Bodies count where they were when they were copied.
///
/// [`Counters::expanded`](crate::query::Counters::expanded) counts jump points and resumed
/// diagonals, which are few, and so does [`Limits::expansions`](crate::Limits::expansions). Each
/// passes at most a thousand cells of a diagonal before the rest is queued again.
/// [`Counters::scanned`](crate::query::Counters::scanned) counts the cells passed, and the copy.
/// Only the window bounds the copy.
///
/// Among equally cheap paths, paths whose diagonal steps come first win, then paths whose last
/// turn was found last. Walkers from one place therefore follow one another. For chasers that
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
    /// Whether the boards are made and the start is queued.
    has_started: bool,
    under_way: PendingSearch<()>,
}

const SUPPORT: Support = Support {
    costs: false,
    exits: false,
    links: false,
    four_way: false,
    ..Support::ALL
};

search_method!(JumpPointSearch, Jps, SUPPORT);

impl Resumable for JumpPointSearch {
    // The progress of a search is in `front`.
    pending_search!(());

    fn work_at(&self, (): &()) -> u32 {
        if self.has_started {
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
        // Another map can have the same version and size, and no jumps.
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
        self.has_started = false;
        self.front.start();
    }

    /// Continues for `work` units. Returns `None` if the search is not done by then.
    fn advance(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        work: u32,
        path: &mut Path,
    ) -> Option<Outcome> {
        let (copies, front) = (&mut self.copies, &mut self.front);
        let before = copies.scanned();
        if !copies.advance(terrain, query, work) {
            return None;
        }
        let left = work.saturating_sub(copies.scanned() - before);
        let boards = copies.boards(terrain.grid, query)?;
        if !self.has_started {
            // The corner rule does not matter for the start.
            JumpTask::<false>::new(&boards, query).start(front);
            front.counters.scanned = copies.scanned();
            self.has_started = true;
            if left == 0 {
                return None;
            }
        }
        match query.rules.corners {
            CornerRule::Strict => JumpTask::<false>::new(&boards, query).run(front, left, path),
            CornerRule::Cut => JumpTask::<true>::new(&boards, query).run(front, left, path),
        }
    }
}
