//! The search from portal to portal, in slices.

use super::path::{PortalPath, Run, Slice, Task};
use crate::{Path, Progress, Query, Sliced, Terrain};

/// A slice ends before a portal that is expanded or before a leg of the path, which count alike:
/// after the last expansion some dozens of legs are laid and pulled tight. The first slice also
/// looks around start and goal, which takes as long as some ten expansions.
impl Sliced for PortalPath {
    fn begin<'a>(&mut self, terrain: impl Into<Terrain<'a>>, query: &Query) {
        self.under_way = Some(Run::new(terrain.into().grid, query));
    }

    fn resume<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        expansions: u32,
        path: &mut Path,
    ) -> Progress {
        let terrain = terrain.into();
        path.clear();
        let Some(mut run) = self.under_way.take() else {
            return Progress::Idle;
        };
        if (terrain.grid.version(), terrain.grid.size()) != (run.version, run.size) {
            return Progress::Stale;
        }
        let query = run.query;
        let task = match Task::new(terrain, &query) {
            Ok(task) => task,
            Err(outcome) => return Progress::Done(outcome),
        };
        let mut slice = Slice::of(expansions);
        if let Some(outcome) = self.advance(&task, &mut run, &mut slice, path) {
            return Progress::Done(outcome);
        }
        self.under_way = Some(run);
        Progress::Suspended
    }

    fn cancel(&mut self) {
        self.under_way = None;
    }
}
