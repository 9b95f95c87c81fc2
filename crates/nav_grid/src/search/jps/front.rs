//! What a search has seen, and what it has yet to look at.

use super::{
    look::Viewpoint,
    nodes::{NODES_MAX, Node, Nodes, Place, State, pack},
};
use crate::{
    COST_MAX, Cost,
    search::{Counters, heap::Heap},
};

/// How far a search has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    pub(super) nodes: Nodes,
    pub(super) open: Heap,
    pub(super) counters: Counters,
    /// Guess and cost of the nearest cell passed, the cell, and the node before it.
    pub(super) closest: Option<(Cost, Cost, u32, u32)>,
    /// The cost of the path through the node that is being expanded is at least this.
    pub(super) least: Cost,
    /// The goal was come to at the least cost there can be.
    pub(super) arrived: bool,
    /// Something was left out because it would have cost more than any path may.
    pub(super) cost_limited: bool,
}

impl Front {
    /// Forgets the search before.
    pub(super) fn start(&mut self) {
        self.nodes.start();
        self.open.clear();
        self.counters = Counters::default();
        self.closest = None;
        self.least = 0;
        self.arrived = false;
        self.cost_limited = false;
    }

    /// Takes the node whose turn it is off the queue: its number, and what a path through it
    /// costs at least.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, Cost)> {
        let entry = self.open.pop()?;
        self.counters.popped += 1;
        Some((!(entry as u32), (entry >> 32) as Cost))
    }

    /// Puts a node on the queue. Of equals the latest has its turn first.
    #[inline]
    pub(super) fn push(&mut self, number: u32, total: Cost) {
        self.open.push(u64::from(total) << 32 | u64::from(!number));
    }

    /// Undoes [`pop`](Self::pop).
    pub(super) fn put_back(&mut self, number: u32, total: Cost) {
        self.push(number, total);
        self.counters.popped -= 1;
    }

    /// Whether it is news that a cell can be reached at `cost`: the place of its node then.
    #[inline]
    pub(super) fn news(&mut self, cell: u32, cost: Cost) -> Option<Place> {
        if cost > COST_MAX || self.nodes.len() == NODES_MAX {
            self.cost_limited = true;
            return None;
        }
        self.nodes.news(cell, cost)
    }

    /// Puts a node at its place and on the queue. A path through it costs `total` at least.
    #[inline]
    pub(super) fn put(&mut self, place: Place, node: Node, total: Cost) {
        self.counters.touched += u32::from(place.is_err());
        self.counters.pushed += 1;
        let number = self.nodes.put(place, node);
        self.push(number, total);
    }

    /// Puts directions in which nothing costs less than `total` back on the queue.
    pub(super) fn put_off(&mut self, from: &Viewpoint, ways: u8, total: Cost) {
        let number = self.nodes.add(Node {
            cell: pack(from.x, from.y),
            cost: from.cost,
            parent: from.number,
            ways,
            state: State::PutOff,
        });
        self.push(number, total);
    }

    /// Remembers a cell if it is nearer to the goal than all before.
    pub(super) fn pass(&mut self, guess: Cost, cost: Cost, cell: u32, parent: u32) {
        let passed = (guess, cost, cell, parent);
        if self.closest.is_none_or(|closest| passed < closest) {
            self.closest = Some(passed);
        }
    }
}
