//! Apps on a stated number of threads.

use crate::without_threads;
use bevy_app::App;
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};

/// What sets an app up for so many threads, at least 1, the one that runs its schedules included. With more
/// than one, systems that may run side by side do, too.
///
/// # Panics
///
/// When the task pool of the process was made before with another number: it is made once.
pub fn with_threads(threads: usize) -> impl Fn(&mut App) {
    let others = threads.saturating_sub(1);
    if others > 0 {
        let pool = || TaskPoolBuilder::new().num_threads(others).build();
        let pool = ComputeTaskPool::get_or_init(pool);
        assert_eq!(pool.thread_num(), others, "another pool was made before");
    }
    move |app| {
        if others == 0 {
            without_threads(app);
        }
    }
}
