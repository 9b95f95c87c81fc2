//! Expensive requests of clients: one per client, and a few answers per tick.

use super::link::LinkId;
use std::collections::VecDeque;

/// Answers per tick. A guess.
const ANSWERS: usize = 4;

/// Requests of clients, oldest first.
pub(super) struct Wishes<T> {
    /// At most one per client: a new request replaces the previous one.
    waiting: VecDeque<(LinkId, T)>,
}

impl<T> Default for Wishes<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
        }
    }
}

impl<T> Wishes<T> {
    /// Adds the request of a client, or replaces it.
    pub(super) fn ask(&mut self, id: LinkId, ask: T) {
        let mut waiting = self.waiting.iter_mut();
        match waiting.find(|(of, _)| *of == id) {
            Some((_, before)) => *before = ask,
            None => self.waiting.push_back((id, ask)),
        }
    }

    /// Removes the request of a client.
    pub(super) fn forget(&mut self, id: LinkId) {
        self.waiting.retain(|(of, _)| *of != id);
    }

    /// Removes and returns the requests to answer in this tick.
    pub(super) fn due(&mut self) -> impl Iterator<Item = (LinkId, T)> + '_ {
        let due = self.waiting.len().min(ANSWERS);
        self.waiting.drain(..due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_wish_and_longest_wait() {
        let mut wishes = Wishes::default();
        for link in 1..=6 {
            wishes.ask(link, 10);
        }
        wishes.ask(1, 11);
        wishes.forget(2);
        let due = |wishes: &mut Wishes<i32>| -> Vec<_> { wishes.due().collect() };
        assert_eq!(due(&mut wishes), [(1, 11), (3, 10), (4, 10), (5, 10)]);
        assert_eq!(due(&mut wishes), [(6, 10)]);
        assert_eq!(due(&mut wishes), []);
    }
}
