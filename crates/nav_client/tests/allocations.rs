//! A warm client allocates no memory.

use heap_meter::{Meter, allocations_during};
use nav_client::{Client, Settings};
use nav_protocol::{AgentKind, Appear, Correct, Packet, PathAhead, Start, Up, Update, Vanish};
use std::time::Duration;

#[global_allocator]
static METER: Meter = Meter;

const TICKS: u32 = 2_000;
const AGENTS: u64 = 40;

/// Makes the packet of a tick: one agent appears, one vanishes, and some turn or stand.
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
            links: Vec::new(),
        }),
    });
    Packet::new(tick, tick, updates)
}

/// One test alone in its process, so that no other allocates meanwhile.
#[test]
fn warm_client() {
    let packets: Vec<Packet> = (1..=TICKS).map(packet).collect();
    let mut client = Client::new(Settings::default());
    let mut take = |packets: &[Packet]| {
        for packet in packets {
            let now = Duration::from_millis(50) * packet.tick;
            client.receive(packet, now);
            for frame in 0..3 {
                client.advance(now + Duration::from_millis(16) * frame);
            }
            assert_eq!(client.request(now), None);
        }
    };
    let (first, rest) = packets.split_at(packets.len() / 2);
    let cold = allocations_during(|| take(first));
    let warm = allocations_during(|| take(rest));
    assert!(cold > 0 && client.agents().count() > 4);
    assert_eq!(warm, 0);
}
