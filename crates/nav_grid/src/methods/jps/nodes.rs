//! The cells that a search has come to, where they are few among many.

/// A jump point: a cell with what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpNode {
    /// Column and row, see [`pack`].
    pub(crate) cell: u32,
    /// Cheapest known cost from the start.
    pub(crate) cost: u32,
    /// The number of the node before it; its own for the start.
    pub(crate) parent: u32,
    /// The directions to look in from here, a bit each.
    pub(crate) ways: u8,
    pub(crate) state: JumpState,
}

impl JumpNode {
    /// A node that waits for its turn.
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

/// What became of a node so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JumpState {
    /// It waits for its turn.
    Open,
    /// Its turn has come; nothing changes any more.
    Closed,
    /// It is no node of its own but what a node put off: directions to look in from a cell
    /// that the parent can see.
    PutOff,
}

/// Column and row of a cell in one number of 28 bits.
#[inline]
pub(crate) const fn pack(x: u32, y: u32) -> u32 {
    y << SIDE_BITS | x
}

/// The other way round.
#[inline]
pub(crate) const fn unpack(cell: u32) -> (u32, u32) {
    (cell & ((1 << SIDE_BITS) - 1), cell >> SIDE_BITS)
}

const SIDE_BITS: u32 = 14;
const CELL_BITS: u32 = 2 * SIDE_BITS;
const NUMBER_BITS: u32 = 26;
const GENERATION_BITS: u32 = 64 - CELL_BITS - NUMBER_BITS;

/// Most nodes there can be at once.
pub(crate) const NODES_MAX: usize = 1 << NUMBER_BITS;

/// The number of the node of a cell, or where in the table it belongs.
pub(crate) type NodeSlot = Result<u32, usize>;

/// Nodes in the order in which they were come to, and a hash table of their cells.
///
/// The table is never emptied: its entries carry the number of their search, and count as free
/// in any other. Its memory follows the largest search so far, not the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct JumpNodes {
    arena: Vec<JumpNode>,
    /// Generation, cell and number of a node. A power of two of them, half of them free.
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

    /// Whether a way to a cell is the first one or cheaper than those before, and the cell's turn
    /// has not come: where to [put](Self::put) its node then.
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

    /// Puts a node at its place and returns its number. Nothing may have been added since the
    /// place was found.
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

    /// Adds what is not in the table; `parent` is left as it is.
    #[inline]
    pub(crate) fn add(&mut self, node: JumpNode) -> u32 {
        let number = self.arena.len();
        self.arena.push(node);
        if number * 2 > self.table.len() {
            self.grow();
        }
        number as u32
    }

    pub(crate) fn len(&self) -> usize {
        self.arena.len()
    }

    #[inline]
    fn hash(&self, cell: u32) -> usize {
        let spread = cell.wrapping_mul(0x9e37_79b1);
        (spread >> (32 - self.table.len().trailing_zeros())) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let len = self.table.len() * 2;
        self.table.clear();
        self.table.resize(len, 0);
        for (number, node) in self.arena.iter().enumerate() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_numbers_while_the_table_grows_and_is_used_again() {
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
    fn a_cheaper_way_is_noted_until_the_turn_of_a_node_has_come() {
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
    fn cells_are_unpacked_as_they_were_packed() {
        for (x, y) in [(0, 0), (16_383, 0), (0, 16_383), (5, 16_383)] {
            assert_eq!(unpack(pack(x, y)), (x, y));
        }
    }
}
