//! Work in the last second of simulated time.

use crate::searches::ReportedSearches;
use bevy_ecs::world::World;
use nav::NavDiagnostics;
use std::collections::BTreeMap;

/// Work in the last second of simulated time.
#[derive(Default)]
pub(crate) struct Rates {
    /// Sums up to the last second, and its tick.
    before: Sums,
    tick: u64,
    /// Work of the busiest tick since then.
    busiest: u64,
    last: Second,
}

#[derive(Clone, Default)]
struct Sums {
    searches: u64,
    work: u64,
    by_method: BTreeMap<&'static str, u64>,
}

/// Work of one second.
#[derive(Clone, Default)]
pub(crate) struct Second {
    pub(crate) searches: u64,
    pub(crate) by_method: BTreeMap<&'static str, u64>,
    pub(crate) work: u64,
    /// Work of the busiest tick.
    pub(crate) work_max: u64,
}

impl Rates {
    /// Records the work of a tick.
    pub(crate) fn tick(&mut self, world: &World) {
        let work = world.resource::<NavDiagnostics>().last_tick.expanded;
        self.busiest = self.busiest.max(work);
    }

    /// Returns the last complete second, at `hz` ticks per second.
    pub(crate) fn last(&mut self, world: &World, hz: u32) -> &Second {
        let diagnostics = world.resource::<NavDiagnostics>();
        if diagnostics.ticks < self.tick + u64::from(hz) {
            return &self.last;
        }
        let total = &diagnostics.total;
        let now = Sums {
            searches: total.searched(),
            work: total.expanded,
            by_method: world.resource::<ReportedSearches>().by_method().clone(),
        };
        let since = |name: &&'static str, count: &u64| {
            let before = self.before.by_method.get(name);
            count - before.copied().unwrap_or_default()
        };
        let by_method = now.by_method.iter();
        self.last = Second {
            searches: now.searches - self.before.searches,
            by_method: by_method
                .map(|(name, count)| (*name, since(name, count)))
                .filter(|&(_, count)| count > 0)
                .collect(),
            work: now.work - self.before.work,
            work_max: std::mem::take(&mut self.busiest),
        };
        self.before = now;
        self.tick = diagnostics.ticks;
        &self.last
    }
}
