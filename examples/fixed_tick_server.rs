//! A headless loop at 20 ticks a second that neither drifts nor burns a core. Each tick has its
//! time, counted from the first one, and the loop sleeps until then. A tick that took too long is
//! followed by the next at once. After a stall of more than a second the lost ticks are left out.
//!
//! The example ends after two seconds; a server runs until it is stopped.

use bevy_app::{App, TaskPoolPlugin};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use nav::prelude::*;
use std::{
    thread,
    time::{Duration, Instant},
};

const TICK: Duration = Duration::from_millis(50);
const TICKS: u32 = 40;
/// The delay after which lost ticks are left out.
const STALL: Duration = Duration::from_secs(1);

/// The times of ticks.
struct Pace {
    next: Instant,
}

impl Pace {
    #[expect(
        clippy::disallowed_methods,
        reason = "the loop runs in real time; what a tick computes does not see it"
    )]
    fn now() -> Instant {
        Instant::now()
    }

    fn new() -> Self {
        Self { next: Self::now() }
    }

    /// Sleeps until the next tick is due. Returns the delay of the last one.
    fn wait(&mut self) -> Duration {
        self.next += TICK;
        let now = Self::now();
        if let Some(early) = self.next.checked_duration_since(now) {
            thread::sleep(early);
            return Duration::ZERO;
        }
        let late = now.duration_since(self.next);
        if late > STALL {
            self.next = now;
        }
        late
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        // One tick an update, whatever the clock shows: equal inputs give equal runs.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // Bevy's first update has no time to measure yet.
    app.update();
    let world = app.world_mut();
    let map = world.spawn(NavMap::new(Grid::open(64, 64)?)).id();
    let player = world.spawn((CellPosition::new(40, 40), OnMap(map))).id();
    for n in 0..200 {
        let place = (CellPosition::new(n % 20, n / 20), OnMap(map));
        world.spawn((Chaser::default(), place, Chasing(player)));
    }

    let mut pace = Pace::new();
    let began = pace.next;
    let mut latest = Duration::ZERO;
    for _ in 0..TICKS {
        app.update();
        latest = latest.max(pace.wait());
    }
    let took = pace.next.duration_since(began);
    let ticks = app.world().resource::<NavDiagnostics>().ticks;
    println!("{TICKS} ticks in {took:?}, {latest:?} late at most; the plugin ran {ticks} times");
    Ok(())
}
