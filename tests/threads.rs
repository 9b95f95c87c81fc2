//! Threads do not show: no task pool, and one of several threads, give the same digests.
//!
//! Task pools are global and made once, so this is one test in a process of its own: first
//! without a pool, then with one. Searches are handed to tasks 32 at a time, which the crowd's
//! 300 are enough for.

use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use nav::NavPlugin;
use nav_tests::crowd::Crowd;

#[test]
fn no_pool_and_four_threads() {
    let mut app = nav_tests::app();
    app.add_plugins(NavPlugin::default());
    nav_tests::without_threads(&mut app);
    let alone = Crowd::in_app(app, 5).run();
    assert!(
        ComputeTaskPool::try_get().is_none(),
        "or this shows nothing"
    );

    let pool = ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(4).build());
    assert_eq!(pool.thread_num(), 4);
    assert!(Crowd::new(5).run() == alone);
}
