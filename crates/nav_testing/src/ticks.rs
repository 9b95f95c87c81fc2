//! Time by hand, and the messages of the plugin in it.

use crate::{invariants::Snapshot, scene::Scene, selectors::Agents};
use bevy_ecs::{message::MessageCursor, prelude::*};
use bevy_time::{Fixed, Time};
use nav::PathFailure;

/// The time in which something must come to hold by default, in seconds: scenes are small,
/// and a chase across one takes a few seconds.
const SECONDS_MAX: u64 = 60;

impl Scene {
    /// Runs ticks, one update of the app each, and keeps the messages of the plugin.
    ///
    /// Judges the steps of all chasers after each tick, if the plugin ran in it and
    /// [`judges_steps`](Scene::judges_steps) is on.
    ///
    /// # Panics
    ///
    /// When a chaser made another move than one legal step or link, entered a wall, stepped before
    /// its move tick or without a target, or stepped onto its target's cell.
    #[track_caller]
    pub fn tick(&mut self, ticks: u64) {
        for _ in 0..ticks {
            let before = self.judges_steps.then(|| Snapshot::take(self.world()));
            self.app.update();
            self.read_messages();
            let breach = before.map(|before| before.check(self.world()));
            if let Some(Err((agent, what))) = breach {
                self.fail(&format!("{} {what}", self.name_of(agent)));
            }
        }
    }

    /// Runs simulated time, rounded up to whole ticks.
    ///
    /// # Panics
    ///
    /// As [`Scene::tick`].
    #[track_caller]
    pub fn seconds(&mut self, seconds: u64) {
        self.tick(self.ticks_in(seconds));
    }

    /// Runs ticks until a condition holds, and returns their number.
    ///
    /// # Panics
    ///
    /// When the condition does not hold within a minute of simulated time, and as [`Scene::tick`].
    #[track_caller]
    pub fn tick_until(&mut self, holds: impl FnMut(&mut Self) -> bool) -> u64 {
        self.tick_at_most(self.ticks_in(SECONDS_MAX), holds)
    }

    /// Runs at most `ticks_max` ticks until a condition holds, and returns their number.
    ///
    /// # Panics
    ///
    /// When the condition does not hold after the last tick, and as [`Scene::tick`].
    #[track_caller]
    pub fn tick_at_most(
        &mut self,
        ticks_max: u64,
        mut holds: impl FnMut(&mut Self) -> bool,
    ) -> u64 {
        for ticks in 0..ticks_max {
            if holds(self) {
                return ticks;
            }
            self.tick(1);
        }
        if holds(self) {
            return ticks_max;
        }
        self.fail(&format!(
            "{ticks_max} ticks passed, and what was waited for did not happen"
        ))
    }

    fn ticks_in(&self, seconds: u64) -> u64 {
        let step = self.app.world().resource::<Time<Fixed>>().timestep();
        let nanos = u128::from(seconds) * 1_000_000_000;
        u64::try_from(nanos.div_ceil(step.as_nanos().max(1))).unwrap_or(u64::MAX)
    }

    /// Keeps the new messages of the plugin, each with the tick.
    fn read_messages(&mut self) {
        let (tick, world) = (self.ticks(), self.app.world());
        let (found, failed, reached, broken, refused, values) = &mut self.cursors;
        self.found.extend(read(found, world, tick));
        self.failed.extend(read(failed, world, tick));
        self.reached.extend(read(reached, world, tick));
        self.broken.extend(read(broken, world, tick));
        self.refused.extend(read(refused, world, tick));
        self.values.extend(read(values, world, tick));
    }

    /// The ticks in which a chaser searched, with or without success, in order.
    ///
    /// # Panics
    ///
    /// Unless exactly one agent is meant.
    #[track_caller]
    pub fn searches(&self, chaser: impl Agents) -> Vec<u64> {
        let chaser = self.agent(chaser);
        let mut ticks = ticks_of(&self.found, |message| message.chaser == chaser);
        ticks.extend(ticks_of(&self.failed, |message| message.chaser == chaser));
        ticks.sort_unstable();
        ticks
    }

    /// The reasons of a chaser's failed searches, in order.
    ///
    /// # Panics
    ///
    /// Unless exactly one agent is meant.
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
    /// Unless exactly one agent is meant.
    #[track_caller]
    pub fn arrivals(&self, chaser: impl Agents) -> Vec<u64> {
        let chaser = self.agent(chaser);
        ticks_of(&self.reached, |message| message.chaser == chaser)
    }
}

/// The new messages of a kind, each with the tick. An app may lack the kind.
fn read<M: Message + Copy>(cursor: &mut MessageCursor<M>, from: &World, at: u64) -> Vec<(u64, M)> {
    let messages = from.get_resource();
    messages.map_or_else(Vec::new, |messages| {
        let new = cursor.read(messages);
        new.map(|&message| (at, message)).collect()
    })
}

/// The ticks of some messages.
fn ticks_of<M>(all: &[(u64, M)], is_wanted: impl Fn(&M) -> bool) -> Vec<u64> {
    let wanted = all.iter().filter(|(_, message)| is_wanted(message));
    wanted.map(|&(tick, _)| tick).collect()
}
