//! Wishes of clients that take work: walks, fields and paths, in one queue with a budget a tick.

use crate::{
    link::LinkId,
    said::{FieldAsk, WaysAsk},
};
use nav_grid::Cell;
use std::{collections::VecDeque, mem::discriminant};

/// Work of wishes a tick, in expansions of searches: another wish begins while less was done. A guess: a millisecond,
/// and on top of it what the last one takes, which is a search of up to 66,049 cells.
pub(crate) const WORK: u64 = 10_000;

/// A wish.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wish {
    /// To walk to a cell.
    Walk(Cell),
    /// To see the field of an agent.
    Field(FieldAsk),
    /// To see the paths of agents.
    Ways(WaysAsk),
}

/// Wishes that wait, the oldest first. A client has at most one of a kind: another one takes its place, so that no client
/// has two turns before each has one.
#[derive(Default)]
pub(crate) struct Wishes(VecDeque<(LinkId, Wish)>);

impl Wishes {
    /// Adds the wish of a client, or replaces the one of this kind.
    pub(crate) fn add(&mut self, id: LinkId, wish: Wish) {
        let mut waiting = self.0.iter_mut();
        let before =
            waiting.find(|(of, old)| *of == id && discriminant(old) == discriminant(&wish));
        match before {
            Some((_, before)) => *before = wish,
            None => self.0.push_back((id, wish)),
        }
    }

    /// Removes the wishes of a client.
    pub(crate) fn forget(&mut self, id: LinkId) {
        self.0.retain(|(of, _)| *of != id);
    }

    /// Removes and returns the oldest wish.
    pub(crate) fn next(&mut self) -> Option<(LinkId, Wish)> {
        self.0.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_wish_and_longest_wait() {
        let walk = |x| Wish::Walk(Cell::new(x, 0));
        let mut wishes = Wishes::default();
        for link in 1..=4 {
            wishes.add(link, walk(0));
        }
        for x in 1..9 {
            wishes.add(1, walk(x));
        }
        wishes.forget(2);
        let order: Vec<_> = std::iter::from_fn(|| wishes.next()).collect();
        assert_eq!(order, [(1, walk(8)), (3, walk(0)), (4, walk(0))]);
    }
}
