//! A warm search takes no memory from the heap.

use nav_grid::{BoundedAStar, Cell, Fallback, Grid, Limits, Path, Query, Search};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call is handed to the system as it came"
)]
// SAFETY: forwards to `System` unchanged and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_during(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// One test only: the counter is global and tests of one file share a process.
#[test]
fn a_warm_search_allocates_nothing() {
    let grid = Grid::from_fn(200, 200, |cell| (cell.x * 7 + cell.y * 13) % 5 != 0).unwrap();
    let cells: Vec<Cell> = grid.walkable_cells().step_by(61).collect();
    let mut astar = BoundedAStar::new();
    let mut path = Path::new();
    let mut sweep = |limits: Limits| {
        let mut answered = 0;
        for &start in cells.iter().step_by(7) {
            for &goal in cells.iter().step_by(5) {
                let query = Query::new(start, goal)
                    .with_limits(limits)
                    .with_fallback(Fallback::ClosestReached);
                let outcome = astar.search(&grid, &query, &mut path);
                answered += usize::from(outcome.status.has_path());
            }
        }
        assert!(answered > 0);
    };
    for limits in [Limits::default(), Limits::window(20), Limits::UNBOUNDED] {
        let cold = allocations_during(|| sweep(limits));
        let warm = allocations_during(|| sweep(limits));
        assert_eq!(warm, 0, "{limits:?}; the cold pass took {cold}");
        assert!(
            cold > 0 || limits != Limits::default(),
            "the counter counts"
        );
    }
}
