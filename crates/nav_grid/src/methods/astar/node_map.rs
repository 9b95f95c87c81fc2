//! The nodes of A*, stamped with the generation of their search instead of being zeroed.

use crate::{
    cell::Direction,
    rules::{Cost, NO_STEP},
};

/// One node per cell of a window, shared by the open and the closed list.
///
/// A node belongs to the current search only if it carries the current generation, so starting
/// a search costs nothing however large the map is.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeMap {
    nodes: Vec<CellNode>,
    generation: u32,
}

/// The [`COST`] and the [`TAG`] of a cell.
// An array: the allocator hands out zeroed arrays without writing them.
type CellNode = [u32; 2];

const COST: usize = 0;
/// `generation << 5 | closed << 4 | parent`. The parent is the direction of the last step,
/// [`NO_PARENT`] or [`LINK`].
const TAG: usize = 1;

const NO_PARENT: u32 = NO_STEP as u32;
/// The parent of a node that a link led to. The trace of the path finds out which link it was.
const LINK: u32 = NO_PARENT + 1;
const PARENT: u32 = 0xf;
const CLOSED: u32 = 1 << 4;
const GENERATION_SHIFT: u32 = 5;
const GENERATION_MAX: u32 = u32::MAX >> GENERATION_SHIFT;

impl NodeMap {
    /// Forgets all nodes and makes room for `nodes` of them.
    ///
    /// Amortised O(1): memory grows to the largest window seen, and stamps are wiped once in
    /// 2²⁷ searches.
    pub(crate) fn start(&mut self, nodes: usize) {
        if self.nodes.len() < nodes {
            // Fresh memory instead of a larger copy, so that pages of cells that no search
            // reaches are never touched.
            self.nodes = vec![CellNode::default(); nodes];
        }
        if self.generation == GENERATION_MAX {
            self.nodes.fill(CellNode::default());
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Opens the node of the start.
    pub(crate) fn open_root(&mut self, node: u32) {
        self.nodes[node as usize] = [0, self.generation << GENERATION_SHIFT | NO_PARENT];
    }

    /// Records that `node` can be reached by a step in `direction` at `cost`, if that is an
    /// improvement.
    #[inline]
    pub(crate) fn improve(&mut self, node: u32, cost: Cost, direction: Direction) -> Improvement {
        self.improve_by(node, cost, direction as u32)
    }

    /// Records that `node` can be reached by a link at `cost`, if that is an improvement.
    pub(crate) fn improve_by_link(&mut self, node: u32, cost: Cost) -> Improvement {
        self.improve_by(node, cost, LINK)
    }

    #[inline]
    fn improve_by(&mut self, node: u32, cost: Cost, parent: u32) -> Improvement {
        let entry = &mut self.nodes[node as usize];
        let tag = self.generation << GENERATION_SHIFT | parent;
        let improvement = if entry[TAG] >> GENERATION_SHIFT != self.generation {
            Improvement::First
        } else if entry[TAG] & CLOSED == 0 && cost < entry[COST] {
            Improvement::Cheaper
        } else {
            return Improvement::None;
        };
        *entry = [cost, tag];
        improvement
    }

    /// Closes an open node. Returns its cost and the number of the step that led there, or
    /// [`NO_STEP`]; `None` if it was closed before.
    #[inline]
    pub(crate) fn close(&mut self, node: u32) -> Option<(Cost, usize)> {
        let entry = &mut self.nodes[node as usize];
        if entry[TAG] & CLOSED != 0 {
            return None;
        }
        let step = (entry[TAG] & PARENT) as usize;
        entry[TAG] |= CLOSED;
        Some((entry[COST], step.min(NO_STEP)))
    }

    /// Undoes [`close`](Self::close).
    pub(crate) fn reopen(&mut self, node: u32) {
        self.nodes[node as usize][TAG] &= !CLOSED;
    }

    /// The cost recorded for a node of the current search.
    #[inline]
    pub(crate) fn cost(&self, node: u32) -> Cost {
        self.nodes[node as usize][COST]
    }

    /// The cost of a node that the current search has closed.
    pub(crate) fn closed_cost(&self, node: u32) -> Option<Cost> {
        let [cost, tag] = self.nodes[node as usize];
        let closed = tag >> GENERATION_SHIFT == self.generation && tag & CLOSED != 0;
        closed.then_some(cost)
    }

    /// The parent of a node of the current search.
    #[inline]
    pub(crate) fn parent(&self, node: u32) -> Parent {
        let parent = self.nodes[node as usize][TAG] & PARENT;
        match Direction::ALL.get(parent as usize) {
            Some(&direction) => Parent::Step(direction),
            None if parent == LINK => Parent::Link,
            None => Parent::None,
        }
    }
}

/// The move that led to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// None: the search began there.
    None,
    Step(Direction),
    Link,
}

/// The result of [`NodeMap::improve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Improvement {
    /// Nothing changed: the node was known at this cost or less, or is closed.
    None,
    /// The node was seen for the first time.
    First,
    /// The node was open at a higher cost.
    Cheaper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_forgets_last_search() {
        let mut map = NodeMap::default();
        map.start(4);
        map.open_root(0);
        assert_eq!(map.improve(1, 5, Direction::East), Improvement::First);
        assert_eq!(map.improve(1, 5, Direction::North), Improvement::None);
        assert_eq!(map.improve(1, 4, Direction::South), Improvement::Cheaper);
        assert_eq!(map.close(1), Some((4, Direction::South as usize)));
        assert_eq!(map.close(1), None);
        assert_eq!(map.improve(1, 1, Direction::West), Improvement::None);
        assert_eq!(map.parent(1), Parent::Step(Direction::South));
        assert_eq!(map.parent(0), Parent::None);
        assert_eq!((map.closed_cost(1), map.closed_cost(0)), (Some(4), None));
        assert_eq!(map.improve_by_link(2, 7), Improvement::First);
        assert_eq!(map.parent(2), Parent::Link);
        assert_eq!(map.close(2), Some((7, NO_STEP)));
        map.start(4);
        assert_eq!(map.improve(1, 9, Direction::West), Improvement::First);
    }

    #[test]
    fn generation_wraps() {
        let mut map = NodeMap {
            generation: GENERATION_MAX - 1,
            ..NodeMap::default()
        };
        map.start(2);
        assert_eq!(map.generation, GENERATION_MAX);
        assert_eq!(map.improve(1, 3, Direction::East), Improvement::First);
        map.start(2);
        assert_eq!(map.generation, 1);
        assert_eq!(map.improve(1, 3, Direction::East), Improvement::First);
    }
}
