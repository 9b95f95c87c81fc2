//! An allocator that counts, for tests of what code takes from the heap.
//!
//! A test makes it the allocator of its process:
//!
//! ```
//! use heap_meter::{Meter, peak_during};
//!
//! #[global_allocator]
//! static METER: Meter = Meter;
//!
//! let (list, peak) = peak_during(|| vec![0_u8; 1000]);
//! assert_eq!(list.len(), 1000);
//! assert!(peak >= 1000);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, which it counts the calls of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter;

/// Blocks that all threads took, grown ones included.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Bytes that this thread took and did not give back.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// Its most since the last measurement began.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

impl Meter {
    fn count(bytes: isize) {
        // A thread that is ending has no counters any more, and nobody asks for them.
        let _ = HELD.try_with(|held| {
            held.set(held.get() + bytes);
            let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
        });
    }

    fn take(bytes: usize) {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        Self::count(bytes as isize);
    }
}

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call is handed to the system as it came"
)]
// SAFETY: every block comes from `System` and goes back to it, by the layout and the pointer of the caller, and
// what `System` promises of it is what this promises. Counting allocates nothing, since neither the atomic nor
// the thread's cells need room or have a destructor, and it does not unwind: whole numbers far below their
// greatest are added.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        // SAFETY: the caller's promise, a layout of some size, is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        // SAFETY: the caller's promise, a layout of some size, is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::count(-(layout.size() as isize));
        // SAFETY: the caller's block is of this allocator and so of `System`, and of this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old block may stay until the new one is filled.
        Self::take(size);
        Self::count(-(layout.size() as isize));
        // SAFETY: the caller's block is of this allocator and so of `System`, and of this layout; that the
        // new size is some and not too large is the caller's promise, too.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// How many blocks all threads took, grown ones included, while `work` ran.
///
/// # Panics
///
/// If [`Meter`] is not the allocator of the process.
pub fn allocations_during(work: impl FnOnce()) -> usize {
    check_installed();
    let before = TAKEN.load(Ordering::Relaxed);
    work();
    TAKEN.load(Ordering::Relaxed) - before
}

/// What `work` returns, and how many bytes more than before this thread held while it ran, at most.
///
/// # Panics
///
/// If [`Meter`] is not the allocator of the process.
pub fn peak_during<T>(work: impl FnOnce() -> T) -> (T, usize) {
    check_installed();
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    (result, (PEAK.get() - before) as usize)
}

fn check_installed() {
    let before = TAKEN.load(Ordering::Relaxed);
    drop(std::hint::black_box(Box::new(1_u8)));
    let counts = TAKEN.load(Ordering::Relaxed) > before;
    assert!(counts, "the meter is not the allocator of this process");
}
