//! One world of chasers across several processes, each of which has a zone of it.
//!
//! A world is cut into rectangles along tiles of 64×64 cells, a [`ZoneLayout`]. Each zone is an app
//! with [`NavPlugin`](nav::NavPlugin) and [`ZonePlugin`]. It knows all maps and the agents that
//! stand in its rectangle. Agents of other zones appear as mirrors: the targets of its own agents,
//! and bodies near its border.
//!
//! - An agent that crosses a border is handed over after the tick. It keeps its path, its timers
//!   and what the game [carries](ZonePlugin::carry), so that the chase continues.
//! - Two solid bodies never share a cell. Each zone lends its cells to bodies that step across the
//!   border. The first such step comes two ticks later, the next one in time.
//! - A [`Bus`] transports messages. [`local`] is a bus within a process; `nats::NatsBus`, behind
//!   the feature `nats`, uses a broker.
//!
//! # Two clocks
//!
//! Zones *in step* wait for each other in every tick. Chasers without bodies then act as in a
//! single process: the merged [`WorldSum`](nav::internals::WorldSum)s of all zones equal that of one process.
//!
//! Zones that are [free running](ZonePlugin::free_running) go on in real time. They use the last
//! state received from each other, and outlive their processes. A [`keeper::Keeper`] stores a
//! ledger, which says where every agent lives, and snapshots. When a process ends, another one
//! continues from those: see [`KeptState`] and [`KeeperTask`]. [`audit`] compares the ledger with
//! the zones' [`Statement`]s. Events reach all zones, see [`Announce`]: edits of maps, and other
//! [layouts](ZoneLayout::split), which cut a running world in another way.
//!
//! # What games do
//!
//! - Spawn the same maps in the same order in every zone.
//! - Spawn an agent in the zone of its cell, with an explicit [`AgentId`](nav::AgentId): ids that
//!   zones assign themselves would collide.
//! - Move targets in systems before [`ZoneSystems::Share`], and only those of the own zone: all but
//!   [`Mirror`](nav::internals::Mirror)s.
//! - Name a target in another zone by its id: see [`ChaseAgent`].
//! - Edit maps in all zones before the same tick. Free-running zones use [`Announce`] for that.
//!
//! # Limitations
//!
//! - No body makes room across a border. Rings of large bodies may be filled in another order than
//!   in one process, with one place in twenty less. A body far from its target waits if its path
//!   leads over a body that stays across the border.
//! - A body that the game moves onto a lent cell shares it with the borrower.
//! - Two decisions are made zone by zone, and the digest may then differ from that of one process:
//!   shared fields over the whole map, which need portals, and searches beyond the windows of
//!   chasers, which take turns while regions are prepared.
//! - When one zone in step ends, all end.
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
//!             let mut map = NavMap::plain(grid);
//!             // At once: when it would prepare itself depends on the zone.
//!             map.prepare(nav::nav_grid::Rules::default());
//!             let map = app.world_mut().spawn(map).id();
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
mod backoff;
mod borders;
mod bus;
mod carried;
mod carried_agents;
mod chases;
mod closing;
mod components;
mod departure;
mod envelope;
mod exchange;
mod hand_over;
mod in_step;
pub mod keeper;
mod latest;
mod layout;
mod ledger;
#[cfg(feature = "nats")]
pub mod nats;
mod places;
mod plugin;
mod seal;
mod zone;
mod zone_error;

pub use agents::Agents;
pub use backoff::Backoff;
pub use borders::{Border, BorderPlugin, BorderStep};
pub use bus::{Bus, BusError, LocalBus, local};
pub use closing::close;
pub use components::{ChaseAgent, Epoch, Late, LivesIn};
pub use layout::{Cut, LayoutError, ZoneId, ZoneLayout};
pub use ledger::{
    Announce, Announcement, Audit, KeeperLink, KeeperStatus, KeeperTask, KeptState, LayoutFollower,
    Restored, Statement, Verdict, WorldEvent, audit, layout_now,
};
pub use plugin::{ZonePlugin, ZoneSystems, share};
pub use seal::Versioned;
pub use zone::{Zone, ZoneCounts};
pub use zone_error::ZoneError;
