//! A counting allocator, for tests of heap use.
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

/// The system allocator, with calls counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter;

/// Allocations of all threads, reallocations included.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Bytes that this thread allocated and did not free. Negative if it frees for others.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// Greatest `HELD` since the last measurement began.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

impl Meter {
    fn count(bytes: isize) {
        // A thread that is ending has no counters any more. Its last calls are not counted.
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
// SAFETY: every block comes from `System` and goes back to it with the caller's layout and pointer,
// so the guarantees of `System` hold here. Counting does not allocate, because neither the atomic
// nor the thread's cells need room or have a destructor. It does not unwind: the sums are far below
// overflow.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        // SAFETY: the caller guarantees a layout of non-zero size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        // SAFETY: the caller guarantees a layout of non-zero size.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::count(-(layout.size() as isize));
        // SAFETY: the caller's block is from this allocator, so from `System`, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old block may stay until the new one is filled.
        Self::take(size);
        Self::count(-(layout.size() as isize));
        // SAFETY: the caller's block is from this allocator, so from `System`, with this layout.
        // The caller guarantees that the new size is not zero and not too large.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Returns the number of allocations of all threads while `work` ran, reallocations included.
///
/// # Panics
///
/// If [`Meter`] is not the global allocator.
pub fn allocations_during(work: impl FnOnce()) -> usize {
    check_installed();
    let before = TAKEN.load(Ordering::Relaxed);
    work();
    TAKEN.load(Ordering::Relaxed) - before
}

/// Returns the result of `work`, and the most bytes that this thread held while it ran, beyond what
/// it held before.
///
/// # Panics
///
/// If [`Meter`] is not the global allocator.
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
