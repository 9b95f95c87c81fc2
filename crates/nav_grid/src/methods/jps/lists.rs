//! The open list of a jump point search, and the jump points that it found.

use super::{
    nodes::{JumpNode, JumpNodes, JumpState, NODES_MAX, NodeSlot, pack},
    scan_origin::ScanOrigin,
};
use crate::{
    query::Counters,
    queues::FourAryHeap,
    rules::{COST_MAX, Cost},
};

/// How far a search has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpLists {
    pub(crate) nodes: JumpNodes,
    pub(crate) open: FourAryHeap,
    pub(crate) counters: Counters,
    /// What scans passed since the last expansion was counted: cells of diagonals, and looks
    /// straight ahead from them, which count [so many](super::scan::LOOK_STEPS) each.
    pub(crate) passed: u32,
    /// Guess and cost of the nearest cell passed, the cell, and the node before it.
    pub(crate) closest: Option<(Cost, Cost, u32, u32)>,
    /// The cost of the path through the node that is being expanded is at least this.
    pub(crate) least: Cost,
    /// The goal was come to at the least cost there can be.
    pub(crate) arrived: bool,
    /// Something was left out because it would have cost more than any path may.
    pub(crate) cost_limited: bool,
}

impl JumpLists {
    /// Forgets the search before.
    pub(crate) fn start(&mut self) {
        self.nodes.start();
        self.open.clear();
        self.counters = Counters::default();
        self.passed = 0;
        self.closest = None;
        self.least = 0;
        self.arrived = false;
        self.cost_limited = false;
    }

    /// Counts an expansion that is done, with what scans passed in it; what is less than a scan
    /// counts with the next.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.counters.expanded += 1;
        self.counters.scanned += self.passed / Counters::CELLS_PER_SCAN;
        self.passed %= Counters::CELLS_PER_SCAN;
    }

    /// Takes the node whose turn it is off the queue: its number, and what a path through it
    /// costs at least.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, Cost)> {
        let entry = self.open.pop()?;
        self.counters.popped += 1;
        Some((!(entry as u32), (entry >> 32) as Cost))
    }

    /// Puts a node on the queue. Of equals the latest has its turn first.
    #[inline]
    pub(crate) fn push(&mut self, number: u32, total: Cost) {
        self.counters.pushed += 1;
        self.open.push(u64::from(total) << 32 | u64::from(!number));
    }

    /// Undoes [`pop`](Self::pop).
    pub(crate) fn put_back(&mut self, number: u32, total: Cost) {
        self.push(number, total);
        self.counters.pushed -= 1;
        self.counters.popped -= 1;
    }

    /// Whether it is news that a cell can be reached at `cost`: the place of its node then.
    #[inline]
    pub(crate) fn news(&mut self, cell: u32, cost: Cost) -> Option<NodeSlot> {
        if cost > COST_MAX || self.nodes.len() == NODES_MAX {
            self.cost_limited = true;
            return None;
        }
        self.nodes.news(cell, cost)
    }

    /// Puts a node at its place and on the queue. A path through it costs `total` at least.
    #[inline]
    pub(crate) fn put(&mut self, place: NodeSlot, node: JumpNode, total: Cost) {
        self.counters.touched += u32::from(place.is_err());
        let number = self.nodes.put(place, node);
        self.push(number, total);
    }

    /// Puts directions in which nothing costs less than `total` back on the queue.
    pub(crate) fn put_off(&mut self, from: &ScanOrigin, ways: u8, total: Cost) {
        let number = self.nodes.add(JumpNode {
            cell: pack(from.x, from.y),
            cost: from.cost,
            parent: from.number,
            ways,
            state: JumpState::PutOff,
        });
        self.push(number, total);
    }

    /// Remembers a cell if it is nearer to the goal than all before.
    pub(crate) fn pass(&mut self, guess: Cost, cost: Cost, cell: u32, parent: u32) {
        let passed = (guess, cost, cell, parent);
        if self.closest.is_none_or(|closest| passed < closest) {
            self.closest = Some(passed);
        }
    }
}
