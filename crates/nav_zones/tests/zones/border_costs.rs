//! The cost of a body at a border compared with an inner one: bytes and time of a tick, which are
//! printed.

use crate::apps::{app, run_zones};
use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use nav::{AgentId, Body, extend::Mirror, prelude::*};
use nav_zones::{Bus, BusError, LocalBus, ZoneId, ZoneLayout, ZonePlugin, ZoneSystems, local};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

const BODIES: u32 = 1000;
const TICKS: u32 = 200;

/// A bus that counts the bytes sent.
struct Counting(LocalBus, Arc<AtomicU64>);

impl Bus for Counting {
    fn send(&mut self, to: ZoneId, message: Vec<u8>) -> Result<(), BusError> {
        self.1.fetch_add(message.len() as u64, Relaxed);
        self.0.send(to, message)
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, BusError> {
        self.0.receive(wait)
    }
}

/// Moves one body to and fro, so that the list of all is sent in each tick.
fn walk(mut bodies: Query<&mut CellPosition, Without<Mirror>>) {
    if let Some(mut position) = bodies.iter_mut().next() {
        position.cell.x ^= 1;
    }
}

/// Runs two zones, of which the first has bodies from a column on. Returns the bytes and the time
/// of a tick.
fn run(bodies: u32, first_column: u16) -> (u64, Duration) {
    let layout = ZoneLayout::new(Grid::open(512, 128).expect("a size").size(), 2, 1);
    let layout = layout.expect("four tiles each");
    let bytes = Arc::new(AtomicU64::new(0));
    #[expect(
        clippy::disallowed_methods,
        reason = "what is measured is the time that it takes"
    )]
    let start = Instant::now();
    let buses = local(2).into_iter();
    let buses = buses.map(|bus| Counting(bus, bytes.clone())).collect();
    let make = |zone, plugin: ZonePlugin| {
        let (mut app, map) = app(Grid::open(512, 128).expect("a size"));
        app.add_plugins(plugin)
            .add_systems(FixedUpdate, walk.before(ZoneSystems::Share));
        let here = if zone == ZoneId(0) { bodies } else { 0 };
        for n in 0..here {
            let cell = Cell::new(first_column + (n % 10) as u16, (n / 10) as u16);
            let place = (OnMap(map), CellPosition::at(cell));
            app.world_mut()
                .spawn((AgentId(n + 1), Body::default(), place));
        }
        app
    };
    run_zones(&layout, buses, TICKS, make, |_, _, _| {});
    let ticks = u64::from(TICKS);
    (bytes.load(Relaxed) / ticks, start.elapsed() / TICKS)
}

#[test]
fn bytes_of_bodies() {
    let none = run(0, 0);
    let inner = run(BODIES, 20);
    let border = run(BODIES, 240);
    println!(
        "nobody: {none:?} a tick; {BODIES} inner bodies: {inner:?}, at the border: {border:?}"
    );
    assert_eq!(inner.0, none.0);
    let each = (border.0 - none.0) as f64 / f64::from(BODIES);
    println!("{each} bytes a body and tick");
    // As the book says, within a tenth.
    let page = include_str!("../../../../docs/book/src/zones.md");
    assert!(page.contains("costs 9.8 bytes"));
    assert!((8.9..=10.7).contains(&each), "{each}");
}
