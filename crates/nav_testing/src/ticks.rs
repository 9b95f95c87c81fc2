//! Time by hand.

use crate::{invariants::Snapshot, scene::Scene};
use bevy_time::{Fixed, Time};

/// Seconds that are waited for something at most, unless a test says otherwise.
const SECONDS_MAX: u64 = 60;

impl Scene {
    /// Runs so many ticks, one update of the app each, and keeps what the plugin says.
    ///
    /// After each tick the steps of all chasers are judged, if the plugin ran in it and
    /// [`judges_steps`](Scene::judges_steps) is on.
    ///
    /// # Panics
    ///
    /// When a chaser made another move than one legal step or link, entered a wall, stepped before its
    /// move tick or without a target, or stepped onto its target's cell.
    #[track_caller]
    pub fn tick(&mut self, ticks: u64) {
        for _ in 0..ticks {
            let before = self.judges_steps.then(|| Snapshot::take(self.world()));
            self.app.update();
            self.listen();
            if let Some(Err(breach)) = before.map(|before| before.check(self.world())) {
                self.fail(&format!("{} {}", self.name_of(breach.agent), breach.what));
            }
        }
    }

    /// Runs so many seconds of simulated time, rounded up to whole ticks.
    ///
    /// # Panics
    ///
    /// As [`Scene::tick`].
    #[track_caller]
    pub fn seconds(&mut self, seconds: u64) {
        self.tick(self.ticks_in(seconds));
    }

    /// Runs ticks until something holds and returns how many that took.
    ///
    /// # Panics
    ///
    /// When it does not come to hold within a minute of simulated time, and as [`Scene::tick`].
    #[track_caller]
    pub fn tick_until(&mut self, holds: impl FnMut(&mut Self) -> bool) -> u64 {
        self.tick_at_most(self.ticks_in(SECONDS_MAX), holds)
    }

    /// Runs at most so many ticks until something holds and returns how many that took.
    ///
    /// # Panics
    ///
    /// When it does not hold after as many ticks, and as [`Scene::tick`].
    #[track_caller]
    pub fn tick_at_most(
        &mut self,
        ticks_max: u64,
        mut holds: impl FnMut(&mut Self) -> bool,
    ) -> u64 {
        for ticks in 0..=ticks_max {
            if holds(self) {
                return ticks;
            }
            if ticks < ticks_max {
                self.tick(1);
            }
        }
        self.fail(&format!(
            "{ticks_max} ticks passed, and what was waited for did not happen"
        ))
    }

    /// The ticks of so many seconds.
    fn ticks_in(&self, seconds: u64) -> u64 {
        let step = self.app.world().resource::<Time<Fixed>>().timestep();
        let nanos = u128::from(seconds) * 1_000_000_000;
        u64::try_from(nanos.div_ceil(step.as_nanos().max(1))).unwrap_or(u64::MAX)
    }
}
