//! A client that is warm takes no memory from the heap.

use nav_client::{Client, Settings};
use nav_protocol::{AgentKind, Appear, Correct, Packet, PathAhead, Start, Up, Update, Vanish};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

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
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const TICKS: u32 = 2_000;
const AGENTS: u64 = 40;

/// What is sent in a tick: somebody comes, somebody goes, and some turn or stand.
fn packet(tick: u32) -> Packet {
    let mut updates = Vec::new();
    if tick == 1 {
        updates.push(Update::Start(Start {
            tick_micros: 50_000,
            cell_size: 1.0,
            up: Up::Y,
        }));
    }
    let id = u64::from(tick) % AGENTS;
    let at = [(tick % 7) as f32, 0.0, 0.0];
    updates.push(match tick % 5 {
        0 => Update::Vanish(Vanish { id }),
        1 => Update::Correct(Correct {
            id,
            tick,
            at,
            speed: 4.0,
            ..Correct::default()
        }),
        2 => Update::Appear(Appear {
            id,
            kind: AgentKind::Chaser,
            at,
        }),
        _ => Update::Path(PathAhead {
            id,
            tick,
            speed: 4.0,
            chases: Some((id + 1) % AGENTS),
            reach: 1.0,
            nav_path: (0..20).map(|n| [n as f32, 0.0, (n % 2) as f32]).collect(),
            arrivals: (0..20).map(|n| n * 5).collect(),
            jumps: Vec::new(),
        }),
    });
    Packet::new(tick, tick, updates)
}

/// One test alone in its process, so that nobody else allocates meanwhile.
#[test]
fn a_warm_client_takes_no_memory() {
    let packets: Vec<Packet> = (1..=TICKS).map(packet).collect();
    let mut client = Client::new(Settings::default());
    let mut warm = 0;
    for packet in &packets {
        if packet.tick == TICKS / 2 {
            warm = ALLOCATIONS.load(Ordering::Relaxed);
        }
        let now = Duration::from_millis(50) * packet.tick;
        client.receive(packet, now);
        for frame in 0..3 {
            client.advance(now + Duration::from_millis(16) * frame);
        }
        assert_eq!(client.request(now), None);
    }
    assert!(warm > 0 && client.agents().count() > 4);
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed), warm);
}
