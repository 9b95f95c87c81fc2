//! The search from portal to portal, in slices.

use super::path::{PortalPath, Run, Slice, Task};
use crate::{Path, Progress, Query, Sliced, Terrain, search::Ran};

/// A slice ends before a portal or a cell that is expanded or before a leg of the path, which
/// count alike: after the last portal some dozens of legs are laid and pulled tight. The first slice also
/// looks around start and goal, which takes as long as some ten expansions.
impl Sliced for PortalPath {
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &Query) {
        self.under_way.begin(terrain.into().grid, query);
    }

    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        expansions: u32,
        path: &mut Path,
    ) -> Progress {
        let terrain = terrain.into();
        path.clear();
        // The search borrows the rest of the memory while the slot is asked.
        let mut under_way = std::mem::take(&mut self.under_way);
        let progress = under_way.resume(terrain.grid, |query, run| {
            let task = match Task::new(terrain, query) {
                Ok(task) => task,
                Err(outcome) => return Ran::Done(outcome),
            };
            let run = run.filter(|run| run.goes_by(task.portals));
            let mut run = run.unwrap_or_else(|| Run::new(task.portals));
            let mut slice = Slice::of(expansions);
            let outcome = self.advance(&task, &mut run, &mut slice, path);
            outcome.map_or(Ran::Halted(run), Ran::Done)
        });
        self.under_way = under_way;
        progress
    }

    fn cancel(&mut self) {
        self.under_way.cancel();
    }
}
