//! What clients want to see that costs more than a look: one wish of each client, and a few answers a tick.

use super::order::LinkId;
use std::collections::VecDeque;

/// Answers in a tick.
const ANSWERS: usize = 4;

/// The wishes of clients, the longest wait first.
pub(super) struct Wishes<T> {
    /// At most one of each client: whoever asks again wants only the last answer.
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
    /// A client wants to see something.
    pub(super) fn ask(&mut self, id: LinkId, ask: T) {
        let mut waiting = self.waiting.iter_mut();
        match waiting.find(|(of, _)| *of == id) {
            Some((_, before)) => *before = ask,
            None => self.waiting.push_back((id, ask)),
        }
    }

    /// A client left.
    pub(super) fn forget(&mut self, id: LinkId) {
        self.waiting.retain(|(of, _)| *of != id);
    }

    /// Those to be answered in this tick.
    pub(super) fn due(&mut self) -> impl Iterator<Item = (LinkId, T)> + '_ {
        let due = self.waiting.len().min(ANSWERS);
        self.waiting.drain(..due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_client_the_last_wish_counts_and_the_longest_wait_comes_first() {
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
