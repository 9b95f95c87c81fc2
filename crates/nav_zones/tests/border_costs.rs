//! What a body at a border costs against an inner one: bytes and time a tick, which are printed.

use bevy_app::{App, TaskPoolPlugin};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use nav::{AgentId, Body, prelude::*};
use nav_zones::{Bus, BusError, LocalBus, ZoneId, ZoneLayout, ZonePlugin, local};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread::spawn,
    time::{Duration, Instant},
};

const BODIES: u32 = 1000;
const TICKS: u32 = 200;

/// Counts the bytes that are sent.
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

/// Two zones, of which the first one has bodies that stand from a column on: bytes a tick, and the time of one.
fn run(bodies: u32, first_column: u16) -> (u64, Duration) {
    let layout = ZoneLayout::new(Grid::open(512, 128).expect("a size").size(), 2, 1);
    let layout = layout.expect("four tiles each");
    let bytes = Arc::new(AtomicU64::new(0));
    #[expect(
        clippy::disallowed_methods,
        reason = "what is measured is the time that it takes"
    )]
    let start = Instant::now();
    let zones = layout.zones().zip(local(2)).map(|(zone, bus)| {
        let (layout, bus) = (layout.clone(), Counting(bus, bytes.clone()));
        spawn(move || {
            let mut app = App::new();
            app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
                .add_plugins(ZonePlugin::new(zone, layout, bus))
                .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
            let grid = Grid::open(512, 128).expect("a size");
            let map = app.world_mut().spawn(NavMap::new(grid)).id();
            if zone == ZoneId(0) {
                for n in 0..bodies {
                    let cell = Cell::new(first_column + (n % 10) as u16, (n / 10) as u16);
                    let place = (OnMap(map), CellPosition::at(cell));
                    app.world_mut()
                        .spawn((AgentId(n + 1), Body::default(), place));
                }
            }
            for _ in 0..TICKS {
                app.update();
            }
        })
    });
    let zones: Vec<_> = zones.collect();
    for zone in zones {
        zone.join().expect("no zone panics");
    }
    let ticks = u64::from(TICKS);
    (bytes.load(Relaxed) / ticks, start.elapsed() / TICKS)
}

#[test]
fn a_body_at_a_border_is_some_bytes_a_tick_and_an_inner_one_none() {
    let none = run(0, 0);
    let inner = run(BODIES, 20);
    let border = run(BODIES, 240);
    println!(
        "nobody: {none:?} a tick; {BODIES} inner bodies: {inner:?}, at the border: {border:?}"
    );
    assert_eq!(inner.0, none.0);
    let each = (border.0 - none.0) as f64 / f64::from(BODIES);
    println!("{each} bytes a body and tick");
    assert!((8.0..=16.0).contains(&each), "{each}");
}
