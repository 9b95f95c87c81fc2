//! What the plugin said of one chaser.

use crate::{scene::Scene, selectors::Agents};
use nav::PathFailure;

impl Scene {
    /// The ticks in which a chaser searched, with or without success, in order.
    ///
    /// # Panics
    ///
    /// When not one agent is meant.
    #[track_caller]
    pub fn searches(&self, chaser: impl Agents) -> Vec<u64> {
        let chaser = self.agent(chaser);
        let found = self.found.iter().filter(|(_, m)| m.chaser == chaser);
        let failed = self.failed.iter().filter(|(_, m)| m.chaser == chaser);
        let mut ticks: Vec<u64> = found
            .map(|&(tick, _)| tick)
            .chain(failed.map(|&(tick, _)| tick))
            .collect();
        ticks.sort_unstable();
        ticks
    }

    /// Why a chaser's searches failed, in order.
    ///
    /// # Panics
    ///
    /// When not one agent is meant.
    #[track_caller]
    pub fn failures(&self, chaser: impl Agents) -> Vec<PathFailure> {
        let chaser = self.agent(chaser);
        let failed = self.failed.iter().filter(|(_, m)| m.chaser == chaser);
        failed.map(|(_, message)| message.reason).collect()
    }

    /// The ticks in which a chaser reached its target.
    ///
    /// # Panics
    ///
    /// When not one agent is meant.
    #[track_caller]
    pub fn arrivals(&self, chaser: impl Agents) -> Vec<u64> {
        let chaser = self.agent(chaser);
        let reached = self.reached.iter().filter(|(_, m)| m.chaser == chaser);
        reached.map(|&(tick, _)| tick).collect()
    }
}
