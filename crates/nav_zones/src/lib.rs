//! One world of chasers across several processes, each of which has a zone of it.
//!
//! A world is cut into rectangles along tiles of 64×64 cells, a [`ZoneLayout`]. Each zone is an app of its own with
//! [`NavPlugin`](nav::NavPlugin) and [`ZonePlugin`]: it knows all maps and the agents that stand in its rectangle.
//! Of other agents it has mirrors of those that its own chase, and of bodies near its border.
//!
//! - An agent that steps across a border is handed over after the tick, with its path and timers, and with what
//!   the game [carries](ZonePlugin::carry) along: the chase goes on where it was.
//! - No two solid bodies come to stand on one cell. Each zone lends its cells to bodies of others that step across the
//!   border: such a step comes two ticks later, and the next one in time.
//! - What carries messages is a [`Bus`]; [`local`] is one within a process, `nats::NatsBus`, behind the feature `nats`, one over a broker.
//!
//! # Two clocks
//!
//! Zones *in step* wait for each other in every tick. Chasers without bodies then do in several zones what they would do
//! in one: the [`WorldSum`](nav::WorldSum)s of all zones, merged, equal that of one process.
//!
//! Zones that are [free running](ZonePlugin::free_running) go on in real time by the latest that they know of each other, and
//! outlive their processes. A [`keeper::Keeper`] keeps a ledger that says where every agent lives, and snapshots, from
//! which another process goes on when one ends: see [`KeptState`] and [`KeeperTask`]. [`audit`] compares the ledger
//! with what zones say of themselves, their [`Statement`]s. What happens to all of them is an event, see
//! [`Announce`]: edits of maps, and other [layouts](ZoneLayout::split), by which a running world is cut in another way.
//!
//! # What games do
//!
//! - Every zone spawns the same maps in the same order, and an agent in the zone of its cell, with an
//!   [`AgentId`](nav::AgentId) of its own: numbers that are handed out would be given twice.
//! - Systems that move targets run before [`ZoneSystems::Share`] and move those of their own zone only: all but
//!   [`Mirror`](nav::shared::Mirror)s.
//! - A target in another zone is named by its number: see [`ChaseAgent`].
//! - Maps are edited in all zones before the same tick, by [`Announce`] if zones are free running.
//!
//! # What is not there yet
//!
//! - Nobody is asked to make room across a border: rings of large bodies may be filled in another order than in one
//!   process, with a place in twenty less, and a body far from its target whose path leads over one that stays across the
//!   border waits for it.
//! - A body that the game moves onto a cell that was lent stands there with the one that comes.
//! - Shared fields over the whole map, which need portals, and searches beyond the windows of chasers, which take turns
//!   where regions are prepared, are decided zone by zone, so that the digest may differ from that of one process.
//! - Zones in step end with the first that ends.
//!
//! # Example
//!
//! Two zones of one process, each with a thread. The chaser crosses the border between them.
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin};
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use nav::{AgentId, prelude::*};
//! use nav_zones::{Agents, ChaseAgent, ZoneId, ZoneLayout, ZonePlugin, local};
//!
//! let grid = Grid::open(128, 64)?;
//! let layout = ZoneLayout::new(grid.size(), 2, 1)?;
//! let zones = layout.zones().zip(local(layout.len()));
//! let threads: Vec<_> = zones
//!     .map(|(zone, bus)| {
//!         let (grid, layout) = (grid.clone(), layout.clone());
//!         std::thread::spawn(move || {
//!             let mut app = App::new();
//!             app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
//!                 .add_plugins(ZonePlugin::new(zone, layout, bus))
//!                 .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//!             let map = app.world_mut().spawn(NavMap::new(grid)).id();
//!             if zone == ZoneId(0) {
//!                 let place = (OnMap(map), CellPosition::new(50, 9));
//!                 app.world_mut().spawn((Chaser::default(), AgentId(2), ChaseAgent(AgentId(1)), place));
//!             } else {
//!                 app.world_mut().spawn((AgentId(1), OnMap(map), CellPosition::new(80, 9)));
//!             }
//!             for _ in 0..600 {
//!                 app.update();
//!             }
//!             app.world().resource::<Agents>().living(app.world()).count()
//!         })
//!     })
//!     .collect();
//! let agents: Vec<usize> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
//! assert_eq!(agents, [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod borders;
mod bus;
mod carried;
mod carried_agents;
mod chases;
mod closing;
mod components;
mod counting;
mod departure;
mod envelope;
mod epoch;
mod exchange;
mod hand_over;
mod in_step;
pub mod keeper;
mod lateness;
mod latest;
mod layout;
mod ledger;
#[cfg(feature = "nats")]
pub mod nats;
mod places;
mod plugin;
mod seal;
mod sharing;
mod ticking;
mod zone;
mod zone_error;

pub use agents::Agents;
pub use bus::{Bus, BusError, LocalBus, local};
pub use closing::close;
pub use components::{ChaseAgent, LivesIn};
pub use epoch::Epoch;
pub use lateness::Late;
pub use layout::{Cut, LayoutError, ZoneId, ZoneLayout};
pub use ledger::{
    Announce, Announcement, Audit, KeeperLink, KeeperTask, KeptState, Restored, Statement,
    WorldEvent, audit, layout_now,
};
pub use plugin::{ZonePlugin, ZoneSystems};
pub use sharing::share;
pub use zone::{Zone, ZoneCounts};
pub use zone_error::ZoneError;
