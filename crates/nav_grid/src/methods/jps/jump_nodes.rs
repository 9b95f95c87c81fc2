//! The jump points of a search: a hash table of their cells, and the open list.

use crate::{
    query::Counters,
    queues::FourAryHeap,
    rules::{COST_MAX, Cost},
};
use std::mem::take;

/// A cell from which scans begin.
#[derive(Clone, Copy)]
pub(crate) struct ScanOrigin {
    /// The node that is being expanded.
    pub(crate) number: u32,
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// The bit of the cell in the rows, and in the columns.
    pub(crate) in_row: usize,
    pub(crate) in_column: usize,
    /// The cost from the start.
    pub(crate) cost: Cost,
}

/// A jump point: a cell and the cheapest known way to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpNode {
    /// Column and row, see [`pack`].
    pub(crate) cell: u32,
    /// The least known cost from the start.
    pub(crate) cost: u32,
    /// The number of the node before it. The start has its own number.
    pub(crate) parent: u32,
    /// The directions to scan from here, a bit each.
    pub(crate) ways: u8,
    pub(crate) state: JumpState,
}

impl JumpNode {
    /// A queued node.
    #[inline]
    pub(crate) const fn open(cell: u32, cost: u32, parent: u32, ways: u8) -> Self {
        Self {
            cell,
            cost,
            parent,
            ways,
            state: JumpState::Open,
        }
    }
}

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JumpState {
    /// Queued.
    Open,
    /// Expanded. It does not change any more.
    Closed,
    /// Not a node of its own, but the postponed part of its parent: directions to scan from a
    /// cell that the parent can see.
    PutOff,
}

/// Packs column and row of a cell into a number of 28 bits.
#[inline]
pub(crate) const fn pack(x: u32, y: u32) -> u32 {
    y << SIDE_BITS | x
}

/// Undoes [`pack`].
#[inline]
pub(crate) const fn unpack(cell: u32) -> (u32, u32) {
    (cell & ((1 << SIDE_BITS) - 1), cell >> SIDE_BITS)
}

// 14 bits hold a side of the largest map. Of the other 36 bits of an entry of the table, 26 hold
// the number of a node, for 67 million nodes, and 10 the generation, of which a query uses
// one: the table is cleared once in 1,024 queries.
const SIDE_BITS: u32 = 14;
const CELL_BITS: u32 = 2 * SIDE_BITS;
const NUMBER_BITS: u32 = 26;
const GENERATION_BITS: u32 = 64 - CELL_BITS - NUMBER_BITS;

/// The most nodes of one search.
const NODES_MAX: usize = 1 << NUMBER_BITS;

/// The number of the node of a cell, or where in the table it belongs.
pub(crate) type NodeSlot = Result<u32, usize>;

/// Nodes in the order in which they were reached, and a hash table of their cells.
///
/// The table is never emptied: entries carry the number of their search and count as free in
/// other searches. Its memory grows with the largest search so far, not with the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpNodes {
    arena: Vec<JumpNode>,
    /// Generation, cell and number of a node. The length is a power of two, and half is free.
    table: Vec<u64>,
    generation: u64,
}

impl JumpNodes {
    /// Forgets all nodes.
    pub(crate) fn start(&mut self) {
        self.arena.clear();
        self.generation += 1;
        if self.table.is_empty() || self.generation >> GENERATION_BITS != 0 {
            let len = self.table.len().max(1 << 10);
            self.table.clear();
            self.table.resize(len, 0);
            self.generation = 1;
        }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &JumpNode {
        &self.arena[number as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> &mut JumpNode {
        &mut self.arena[number as usize]
    }

    /// The slot to [put](Self::put) the node of a cell into, if `cost` is less than all costs
    /// before and the cell is not closed.
    #[inline]
    pub(crate) fn news(&self, cell: u32, cost: u32) -> Option<NodeSlot> {
        let place = self.find(cell);
        if let Ok(number) = place {
            let known = self.get(number);
            if cost >= known.cost || known.state == JumpState::Closed {
                return None;
            }
        }
        Some(place)
    }

    /// Puts a node into a slot and returns its number. No node may have been added since the slot
    /// was found.
    #[inline]
    pub(crate) fn put(&mut self, place: NodeSlot, node: JumpNode) -> u32 {
        match place {
            Ok(number) => {
                *self.get_mut(number) = node;
                number
            }
            Err(place) => {
                let key = self.generation << CELL_BITS | u64::from(node.cell);
                self.table[place] = key << NUMBER_BITS | self.arena.len() as u64;
                self.add(node)
            }
        }
    }

    /// The number of the node of a cell, or the place in the table where it belongs.
    #[inline]
    pub(crate) fn find(&self, cell: u32) -> NodeSlot {
        let key = self.generation << CELL_BITS | u64::from(cell);
        let mut place = self.hash(cell);
        loop {
            let entry = self.table[place];
            if entry >> NUMBER_BITS == key {
                return Ok(entry as u32 & ((1 << NUMBER_BITS) - 1));
            }
            if entry >> (CELL_BITS + NUMBER_BITS) != self.generation {
                return Err(place);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    /// Adds a node without an entry in the table.
    #[inline]
    pub(crate) fn add(&mut self, node: JumpNode) -> u32 {
        let number = self.arena.len();
        self.arena.push(node);
        if number * 2 > self.table.len() {
            self.grow();
        }
        number as u32
    }

    #[inline]
    fn hash(&self, cell: u32) -> usize {
        // Fibonacci hashing: neighbours in a row spread over the whole table.
        let spread = cell.wrapping_mul(0x9e37_79b1);
        (spread >> (32 - self.table.len().trailing_zeros())) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let len = self.table.len() * 2;
        self.table.clear();
        self.table.resize(len, 0);
        for (number, node) in self.arena.iter().enumerate() {
            // These nodes are not in the table.
            if node.state == JumpState::PutOff {
                continue;
            }
            let mut place = self.hash(node.cell);
            while self.table[place] != 0 {
                place = (place + 1) & (len - 1);
            }
            let key = self.generation << CELL_BITS | u64::from(node.cell);
            self.table[place] = key << NUMBER_BITS | number as u64;
        }
    }
}

/// The progress of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpLists {
    pub(crate) nodes: JumpNodes,
    pub(crate) open: FourAryHeap,
    pub(crate) counters: Counters,
    /// Cells of diagonals that were scanned since the last expansion was counted. A scan straight
    /// ahead counts as several.
    pub(crate) passed: u32,
    /// Guess and cost of the nearest cell scanned, the cell, and the node before it.
    pub(crate) closest: Option<(Cost, Cost, u32, u32)>,
    /// The least cost of a path through the node that is being expanded.
    pub(crate) least: Cost,
    /// Whether the goal was reached at the least possible cost.
    pub(crate) arrived: bool,
    /// Whether a cell was left out because of a limit on cost or nodes.
    pub(crate) cost_limited: bool,
}

impl JumpLists {
    /// Forgets the last search and keeps its memory.
    pub(crate) fn start(&mut self) {
        let (mut nodes, mut open) = (take(&mut self.nodes), take(&mut self.open));
        nodes.start();
        open.clear();
        *self = Self {
            nodes,
            open,
            ..Self::default()
        };
    }

    /// Counts an expansion with the cells that it scanned. A remainder counts with the next
    /// expansion.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.counters.expanded += 1;
        self.counters.scanned += self.passed / Counters::CELLS_PER_SCAN;
        self.passed %= Counters::CELLS_PER_SCAN;
    }

    /// Removes the best node from the queue. Returns its number and the least cost of a path
    /// through it.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, Cost)> {
        let entry = self.open.pop()?;
        self.counters.popped += 1;
        Some((!(entry as u32), (entry >> 32) as Cost))
    }

    /// Queues a node. Among equal ones, the last pushed comes first.
    #[inline]
    pub(crate) fn push(&mut self, number: u32, total: Cost) {
        self.counters.pushed += 1;
        // Inverted, so that among equal totals the last node comes first.
        self.open.push(u64::from(total) << 32 | u64::from(!number));
    }

    /// Undoes [`pop`](Self::pop).
    pub(crate) fn put_back(&mut self, number: u32, total: Cost) {
        self.push(number, total);
        self.counters.pushed -= 1;
        self.counters.popped -= 1;
    }

    /// The slot for the node of a cell, if reaching it at `cost` is an improvement.
    #[inline]
    pub(crate) fn news(&mut self, cell: u32, cost: Cost) -> Option<NodeSlot> {
        if cost > COST_MAX || self.nodes.arena.len() == NODES_MAX {
            self.cost_limited = true;
            return None;
        }
        self.nodes.news(cell, cost)
    }

    /// Puts a node into its slot and queues it. A path through it costs at least `total`.
    #[inline]
    pub(crate) fn put(&mut self, place: NodeSlot, node: JumpNode, total: Cost) {
        self.counters.touched += u32::from(place.is_err());
        let number = self.nodes.put(place, node);
        self.push(number, total);
    }

    /// Queues directions to scan later. A path that way costs at least `total`.
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

    /// Records a cell if it is nearer to the goal than all cells before.
    pub(crate) fn pass(&mut self, guess: Cost, cost: Cost, cell: u32, parent: u32) {
        let passed = (guess, cost, cell, parent);
        if self.closest.is_none_or(|closest| passed < closest) {
            self.closest = Some(passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_growth_and_reuse() {
        let mut nodes = JumpNodes::default();
        for search in 0..3_000_u32 {
            nodes.start();
            let count = if search % 1000 == 999 { 5000 } else { 20 };
            let cell = |number: u32| pack(number * 7 % 1000 + search % 3, number / 1000 + 16_000);
            for number in 0..count {
                let place = nodes.find(cell(number));
                assert!(place.is_err());
                assert_eq!(
                    nodes.put(place, JumpNode::open(cell(number), 9, 0, 0)),
                    number
                );
            }
            for number in 0..count {
                assert_eq!(nodes.find(cell(number)), Ok(number));
                assert_eq!(nodes.get(number).cell, cell(number));
            }
        }
    }

    #[test]
    fn cheaper_until_closed() {
        let mut nodes = JumpNodes::default();
        nodes.start();
        let place = nodes.news(7, 20).unwrap();
        assert_eq!(nodes.put(place, JumpNode::open(7, 20, 0, 0)), 0);
        assert_eq!(nodes.news(7, 20), None);
        assert_eq!(nodes.news(7, 19), Some(Ok(0)));
        nodes.put(Ok(0), JumpNode::open(7, 19, 0, 0));
        assert_eq!(nodes.get(0).cost, 19);
        nodes.get_mut(0).state = JumpState::Closed;
        assert_eq!(nodes.news(7, 18), None);
    }

    #[test]
    fn unpack_undoes_pack() {
        for (x, y) in [(0, 0), (16_383, 0), (0, 16_383), (5, 16_383)] {
            assert_eq!(unpack(pack(x, y)), (x, y));
        }
    }
}
