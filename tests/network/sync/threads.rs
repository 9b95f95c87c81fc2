//! Equal packets for any number of threads.
//!
//! A task pool is global and made once. So each number of threads has a process of its own: this
//! test binary, asked for one test by name.

use super::scene::{Watched, app_with_sync};
use bevy_tasks::{ComputeTaskPool, TaskPoolBuilder};
use nav_drawn::crowd::{crowd_on, ticks};
use nav_grid::Cell;
use std::process::Command;

const THREADS: &str = "NAV_SYNC_THREADS";

/// FNV-1a: Fowler, Noll and Vo.
fn hash(bytes: &[u8], hash: u64) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(hash, mix)
}

/// Returns a hash of all packets about a crowd that chases on a map with doors.
fn digest() -> u64 {
    let app = app_with_sync();
    let mut crowd = crowd_on(5, |scene| scene.stage_on_threads(app));
    let world = &mut crowd.stage.world;
    let world = std::mem::replace(world, nav_tests::TestWorld::open(1, 1));
    let mut watched = Watched::around(world, Cell::new(48, 48));
    let mut digest = 0xcbf2_9ce4_8422_2325;
    for _ in 0..ticks() {
        std::mem::swap(&mut crowd.stage.world, &mut watched.world);
        crowd.frame();
        std::mem::swap(&mut crowd.stage.world, &mut watched.world);
        let watcher = watched.watcher;
        let mut watcher = watched.world.get_mut::<nav_sync::Watcher>(watcher);
        for packet in watcher.drain() {
            digest = hash(&packet.to_postcard().unwrap(), digest);
        }
    }
    assert!(watched.counts().updates > 500);
    digest
}

/// Prints the digest; does nothing unless the test below asks.
#[test]
fn print_digest() {
    let Ok(threads) = std::env::var(THREADS) else {
        return;
    };
    let threads = threads.parse().unwrap();
    let pool = TaskPoolBuilder::new().num_threads(threads);
    let pool = ComputeTaskPool::get_or_init(|| pool.build());
    assert_eq!(pool.thread_num(), threads);
    println!("digest {:016x}", digest());
}

#[test]
fn any_number_of_threads() {
    let of = |threads: u8| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "network::sync::threads::print_digest",
                "--nocapture",
            ])
            .env(THREADS, threads.to_string())
            .output()
            .unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        let digest = output.split("digest ").nth(1).expect("a digest").get(..16);
        digest.unwrap().to_owned()
    };
    let one = of(1);
    assert_eq!(of(2), one);
    assert_eq!(of(4), one);
}
