//! The search from portal to portal, in slices.

use super::path::{PortalPath, Run, Slice, Task};
use crate::{
    Path, Query, Terrain,
    search::{InSlices, Ran, Slot},
};

impl InSlices for PortalPath {
    type Halt = Run;

    fn slot(&mut self) -> &mut Slot<Run> {
        &mut self.under_way
    }

    fn run(
        &mut self,
        terrain: Terrain<'_>,
        query: &Query,
        halt: Option<Run>,
        slice: u32,
        path: &mut Path,
    ) -> Ran<Run> {
        let task = match Task::new(terrain, query) {
            Ok(task) => task,
            Err(outcome) => return Ran::Done(outcome),
        };
        let halt = halt.filter(|run| run.goes_by(task.portals));
        let mut run = halt.unwrap_or_else(|| Run::new(task.portals));
        let outcome = self.advance(&task, &mut run, &mut Slice::of(slice), path);
        outcome.map_or(Ran::Halted(run), Ran::Done)
    }
}
