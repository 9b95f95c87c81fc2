//! Work shared among the threads of Bevy's compute task pool.

use bevy_tasks::{ComputeTaskPool, TaskPool};
use std::sync::{Mutex, PoisonError};

/// The tasks that some work is shared out among: as many as there are threads, the waiting thread
/// included, and no more than the work is worth.
#[derive(Clone, Copy)]
pub struct Threads {
    tasks: usize,
}

impl Threads {
    /// The number of items that are worth a task, if each takes some nanoseconds: handing the task
    /// to another thread costs some 10 µs, a third of the work at most.
    pub(crate) const fn least_of(nanos: usize) -> usize {
        3 * 10_000 / nanos
    }

    /// Tasks of at least `least` items each.
    pub fn for_work(items: usize, least: usize) -> Self {
        let threads = match ComputeTaskPool::try_get() {
            // The thread that waits for the tasks works on them, too.
            Some(pool) if cfg!(feature = "multi_threaded") => pool.thread_num() + 1,
            _ => 1,
        };
        Self {
            tasks: threads.min(items / least.max(1)).max(1),
        }
    }

    /// How many of some items a task takes at a time: few enough for tasks to end at about the same
    /// time, but from a least number that is worth a lock to a greatest one.
    pub(crate) fn share(self, items: usize, (least, most): (usize, usize)) -> usize {
        (items / (self.tasks * 16)).clamp(least, most)
    }

    /// Does some work on every item. Tasks take a few items at a time, so it must not matter
    /// which task, with which scratch memory, works on which.
    pub fn share_out<T: Send, S: Default + Send>(
        self,
        items: &mut [T],
        scratch: &mut Vec<S>,
        work: impl Fn(&mut T, &mut S) + Sync,
    ) {
        let share = self.share(items.len(), (1, 64));
        self.hand_out(items.chunks_mut(share), scratch, |items, scratch| {
            for item in items {
                work(item, scratch);
            }
        });
    }

    /// Runs tasks that take one piece after another, each task with scratch memory of its own.
    pub fn hand_out<P, S: Default + Send>(
        self,
        mut pieces: impl Iterator<Item = P> + Send,
        scratch: &mut Vec<S>,
        work: impl Fn(P, &mut S) + Sync,
    ) {
        if scratch.len() < self.tasks {
            scratch.resize_with(self.tasks, S::default);
        }
        let pool = ComputeTaskPool::try_get().filter(|_| self.tasks > 1);
        let Some(pool) = pool else {
            if let Some(scratch) = scratch.first_mut() {
                pieces.for_each(|piece| work(piece, scratch));
            }
            return;
        };
        let (pieces, scratch) = (Mutex::new(&mut pieces), Mutex::new(scratch.iter_mut()));
        run_tasks(pool, self.tasks, &|| {
            let Some(scratch) = next(&scratch) else {
                return;
            };
            while let Some(piece) = next(&pieces) {
                work(piece, scratch);
            }
        });
    }
}

/// The next item of an iterator that several tasks share.
fn next<T>(items: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
    items.next()
}

/// Runs some work in a number of tasks. Not generic: what Bevy's scopes consist of is compiled
/// once.
fn run_tasks(pool: &TaskPool, tasks: usize, work: &(dyn Fn() + Sync)) {
    pool.scope(|scope| {
        for _ in 0..tasks {
            scope.spawn(async move { work() });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_as_many_as_threads() {
        let pool = ComputeTaskPool::get_or_init(TaskPool::default);
        let threads = if cfg!(feature = "multi_threaded") {
            pool.thread_num() + 1
        } else {
            1
        };
        assert_eq!(Threads::for_work(1000, 1).tasks, threads);
        assert_eq!(Threads::for_work(1000, 1000).tasks, 1);
        assert_eq!(Threads::for_work(0, 0).tasks, 1);
    }

    #[test]
    fn sizes_of_shares() {
        let threads = Threads { tasks: 2 };
        assert_eq!(threads.share(320, (1, 64)), 10);
        assert_eq!(threads.share(3, (1, 64)), 1);
        assert_eq!(threads.share(100, (32, 64)), 32);
        assert_eq!(threads.share(1 << 20, (1, 64)), 64);
    }
}
