//! What a search knows about each cell, in memory that is never zeroed.

use crate::{Cost, Direction, map::NO_STEP};

/// One node per cell of a window, shared by the open and the closed list.
///
/// A node belongs to the current search only if it carries the current generation, so starting
/// a search costs nothing however large the map is.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeMap {
    nodes: Vec<Node>,
    generation: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    cost: Cost,
    /// `generation << 5 | closed << 4 | parent`, where `parent` is the direction of the step
    /// that led here, or [`NO_PARENT`].
    tag: u32,
}

const NO_PARENT: u32 = NO_STEP as u32;
const STEP: u32 = 0xf;
const CLOSED: u32 = 1 << 4;
const GENERATION_SHIFT: u32 = 5;
const GENERATION_MAX: u32 = u32::MAX >> GENERATION_SHIFT;

impl NodeMap {
    /// Forgets everything and makes room for `nodes` of them.
    ///
    /// Amortised O(1): memory grows to the largest window seen, and stamps are wiped once in
    /// 2²⁷ searches.
    pub(super) fn start(&mut self, nodes: usize) {
        if self.nodes.len() < nodes {
            self.nodes.resize(nodes, Node::default());
        }
        if self.generation == GENERATION_MAX {
            self.nodes.fill(Node::default());
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Opens the node that a search starts from.
    pub(super) fn open_root(&mut self, node: u32) {
        self.nodes[node as usize] = Node {
            cost: 0,
            tag: self.generation << GENERATION_SHIFT | NO_PARENT,
        };
    }

    /// Records that `node` can be reached by a step in `direction` at `cost`, if that is news.
    #[inline]
    pub(super) fn improve(&mut self, node: u32, cost: Cost, direction: Direction) -> Improvement {
        let entry = &mut self.nodes[node as usize];
        let tag = self.generation << GENERATION_SHIFT | direction as u32;
        let improvement = if entry.tag >> GENERATION_SHIFT != self.generation {
            Improvement::First
        } else if entry.tag & CLOSED == 0 && cost < entry.cost {
            Improvement::Cheaper
        } else {
            return Improvement::None;
        };
        *entry = Node { cost, tag };
        improvement
    }

    /// Closes an open node and returns its cost and the number of the step that led there
    /// ([`NO_STEP`] for the root), or `None` if it was closed before.
    #[inline]
    pub(super) fn close(&mut self, node: u32) -> Option<(Cost, usize)> {
        let entry = &mut self.nodes[node as usize];
        if entry.tag & CLOSED != 0 {
            return None;
        }
        let step = entry.tag & STEP;
        entry.tag |= CLOSED;
        Some((entry.cost, step as usize))
    }

    /// The cost recorded for a node of the current search.
    #[inline]
    pub(super) fn cost(&self, node: u32) -> Cost {
        self.nodes[node as usize].cost
    }

    /// The step that led to a node of the current search; `None` for the root.
    #[inline]
    pub(super) fn parent(&self, node: u32) -> Option<Direction> {
        Direction::ALL
            .get((self.nodes[node as usize].tag & 0xf) as usize)
            .copied()
    }
}

/// What [`NodeMap::improve`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Improvement {
    /// The node was known at this cost or less, or is closed.
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
    fn a_new_search_forgets_the_last_one() {
        let mut map = NodeMap::default();
        map.start(4);
        map.open_root(0);
        assert_eq!(map.improve(1, 5, Direction::East), Improvement::First);
        assert_eq!(map.improve(1, 5, Direction::North), Improvement::None);
        assert_eq!(map.improve(1, 4, Direction::South), Improvement::Cheaper);
        assert_eq!(map.close(1), Some((4, Direction::South as usize)));
        assert_eq!(map.close(1), None);
        assert_eq!(map.improve(1, 1, Direction::West), Improvement::None);
        assert_eq!(map.parent(1), Some(Direction::South));
        assert_eq!(map.parent(0), None);
        map.start(4);
        assert_eq!(map.improve(1, 9, Direction::West), Improvement::First);
    }

    #[test]
    fn stamps_survive_their_wrap() {
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
