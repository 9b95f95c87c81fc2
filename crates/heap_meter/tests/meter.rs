//! The meter counts allocations, in all and by thread.

use heap_meter::{Meter, allocations_during, peak_during};
use std::hint::black_box;

#[global_allocator]
static METER: Meter = Meter;

#[test]
fn peak_held_at_once() {
    let (kept, peak) = peak_during(|| {
        drop(black_box(vec![1_u8; 1 << 20]));
        drop(black_box(vec![0_u8; 1 << 20]));
        black_box(vec![1_u8; 1 << 10])
    });
    assert_eq!(kept.len(), 1 << 10);
    assert!((1 << 20..1 << 21).contains(&peak), "{peak}");
}

#[test]
fn peak_by_thread() {
    let ((), peak) = peak_during(|| {
        let other = std::thread::spawn(|| drop(black_box(vec![1_u8; 1 << 24])));
        other.join().expect("it only allocates");
    });
    assert!(peak < 1 << 20, "{peak}");
}

#[test]
fn allocations_one_by_one() {
    let count = allocations_during(|| {
        for size in 1..=100 {
            drop(black_box(Vec::<u8>::with_capacity(size)));
        }
    });
    // Other tests run beside this one.
    assert!(count >= 100, "{count}");
}
