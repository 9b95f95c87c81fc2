//! The digest.

use super::world_sum::WorldSum;
use crate::state::{NoParts, Parts};
use bevy_ecs::prelude::*;

/// A fingerprint of everything that later ticks depend on: the clock, the numbers given out, the
/// budget, every map that somebody is on with its edits and what is built of it, and of every agent
/// each component that the plugin reads or that is [registered](crate::state). An agent is whoever has a
/// [`CellPosition`](crate::CellPosition), disabled or not.
///
/// Worlds that go on alike have equal digests on every machine, for any number of threads, in debug
/// and release, and across save and load: agents stand for themselves by their [`AgentId`](crate::AgentId) and
/// their state and are summed up map by map, so neither entity ids nor storage order leak in. Of
/// targets without a number those that are alike in all other things cannot be told apart.
///
/// What is no component counts as well: the fields that there are, and a search that takes several ticks.
/// Messages, counters and [`Screens`](crate::Screens), which the plugin only writes, do not count, nor does
/// what a game keeps for itself, nor what it says of other processes ([`shared`](crate::shared)).
///
/// Take it between two ticks. What a game changed since the last one counts by its value.
///
/// # Complexity
///
/// One pass over all agents and the waypoints of their paths, and one over all maps, 64 cells at a
/// time.
pub fn digest(world: &mut World) -> u64 {
    digest_parts(world, &mut NoParts)
}

/// The [digest](crate::digest()) of a world, and on the way the fingerprints of all parts of its state: to find out in
/// what two worlds differ.
pub fn digest_parts(world: &mut World, parts: &mut impl Parts) -> u64 {
    let (sum, work) = WorldSum::with_work(world, parts);
    sum.digest(work)
}
