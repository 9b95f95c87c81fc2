//! Events of agents, in the order of their numbers.

use crate::AgentId;
use bevy_ecs::prelude::*;

/// What happened to an agent.
pub(crate) type AgentEvent<T> = (AgentId, Entity, T);

/// What happened to agents in a tick, put in the order of their numbers when it is asked for:
/// whatever order they are stored in, and whichever task visited which of them.
#[derive(Debug)]
pub(crate) struct AgentEvents<T> {
    events: Vec<AgentEvent<T>>,
    /// Kept for sorting.
    spare: Vec<AgentEvent<T>>,
}

impl<T> Default for AgentEvents<T> {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl<T: Copy> AgentEvents<T> {
    pub(crate) fn push(&mut self, event: AgentEvent<T>) {
        self.events.push(event);
    }

    pub(crate) fn append(&mut self, events: &mut Vec<AgentEvent<T>>) {
        self.events.append(events);
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
    }

    /// What happened, and to whom, in any order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Entity, T)> {
        self.events.iter().map(|&(_, agent, event)| (agent, event))
    }

    /// All of them, in order.
    ///
    /// Tasks visit agents in the order in which they are stored, which mostly is that of their
    /// numbers, so events come in a few runs that ascend: these are merged, O(n log runs).
    pub(crate) fn in_order(&mut self) -> &[AgentEvent<T>] {
        while run(&self.events) < self.events.len() {
            self.merge_pairs();
        }
        &self.events
    }

    /// Merges the first run with the second, the third with the fourth, and so on.
    fn merge_pairs(&mut self) {
        self.spare.clear();
        let mut rest = self.events.as_slice();
        while !rest.is_empty() {
            let (one, more) = rest.split_at(run(rest));
            let (other, more) = more.split_at(run(more));
            merge(one, other, &mut self.spare);
            rest = more;
        }
        std::mem::swap(&mut self.events, &mut self.spare);
    }
}

fn key<T>(&(id, agent, _): &AgentEvent<T>) -> (AgentId, Entity) {
    (id, agent)
}

/// How many in front are in order.
fn run<T>(events: &[AgentEvent<T>]) -> usize {
    let descent = events
        .windows(2)
        .position(|pair| key(&pair[1]) < key(&pair[0]));
    descent.map_or(events.len(), |last| last + 1)
}

/// Appends two runs to a list as one; of equals that of the first comes first.
fn merge<T: Copy>(
    mut one: &[AgentEvent<T>],
    mut other: &[AgentEvent<T>],
    list: &mut Vec<AgentEvent<T>>,
) {
    while let ([first, later @ ..], [second, after @ ..]) = (one, other) {
        if key(first) <= key(second) {
            list.push(*first);
            one = later;
        } else {
            list.push(*second);
            other = after;
        }
    }
    list.extend_from_slice(one);
    list.extend_from_slice(other);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(ids: &[u32]) -> Vec<(u32, usize)> {
        let agent = Entity::from_raw_u32(1).expect("a valid index");
        let mut events = AgentEvents::default();
        for (place, &id) in ids.iter().enumerate() {
            events.push((AgentId(id), agent, place));
        }
        let events = events.in_order().iter();
        events.map(|&(id, _, place)| (id.0, place)).collect()
    }

    #[test]
    fn runs_are_merged_and_equals_keep_their_order() {
        assert_eq!(sorted(&[]), []);
        assert_eq!(sorted(&[3]), [(3, 0)]);
        assert_eq!(sorted(&[1, 2, 3]), [(1, 0), (2, 1), (3, 2)]);
        assert_eq!(sorted(&[2, 5, 2, 4]), [(2, 0), (2, 2), (4, 3), (5, 1)]);
        assert_eq!(sorted(&[4, 3, 2, 1]), [(1, 3), (2, 2), (3, 1), (4, 0)]);
    }

    #[test]
    fn any_order_is_put_in_order() {
        for step in [1u32, 7, 89, 233] {
            let ids: Vec<u32> = (0..377).map(|n| n * step % 377 / 2).collect();
            let places: Vec<(u32, usize)> = ids.iter().copied().zip(0..).collect();
            let mut expected = places.clone();
            expected.sort_unstable();
            assert_eq!(sorted(&ids), expected, "step {step}");
        }
    }
}
