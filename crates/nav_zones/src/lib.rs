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
//! # How zones run
//!
//! Each zone goes on in real time with the last state received from the others, and outlives its
//! process. A [`keeper::Keeper`] stores a ledger, which says where every agent lives, and
//! snapshots. When a process ends, another one continues from those: see [`KeptState`] and
//! [`KeeperTask`]. [`audit`] compares the ledger with the zones' [`Statement`]s. Events reach all
//! zones, see [`Announce`]: edits of maps, and other [layouts](ZoneLayout::split), which cut a
//! running world in another way.
//!
//! # What games do
//!
//! - Spawn the same maps in the same order in every zone.
//! - Spawn an agent in the zone of its cell, with an explicit [`AgentId`](nav::AgentId): ids that
//!   zones assign themselves would collide.
//! - Move targets in systems before [`ZoneSystems::Share`], and only those of the own zone: all but
//!   [`Mirror`](nav::extend::Mirror)s.
//! - Name a target in another zone by its id: see [`ChaseAgent`].
//! - Edit maps by [`Announce`], which does so in all zones before the same tick.
//!
//! # Limitations
//!
//! - No body makes room across a border. Rings of large bodies may be filled in another order than
//!   in one process, with one place in twenty less. A body far from its target waits if its path
//!   leads over a body that stays across the border.
//! - A body that the game moves onto a lent cell shares it with the borrower.
//! - Fields, searches and their budget are those of each zone. A digest after a tick is therefore
//!   not that of one process.
//!
//! # Example
//!
//! Two zones of one process. The chaser crosses the border between them.
//!
//! ```
//! use bevy_app::{App, TaskPoolPlugin};
//! use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
//! use nav::{AgentId, prelude::*};
//! use nav_zones::{Agents, ChaseAgent, KeeperTask, KeptState, local};
//! use nav_zones::{ZoneId, ZoneLayout, ZonePlugin};
//! use nav_zones::keeper::{Keeper, LocalKeeper, LocalStore};
//! use std::time::Duration;
//!
//! const TICK: Duration = Duration::from_millis(50);
//! const LEASE: Duration = Duration::from_secs(3);
//!
//! let grid = Grid::open(128, 64)?;
//! let layout = ZoneLayout::new(grid.size(), 2, 1)?;
//! let store = LocalStore::default();
//! let mut zones = Vec::new();
//! for (zone, bus) in layout.zones().zip(local(layout.len())) {
//!     let mut keeper = LocalKeeper::new(store.clone(), LEASE);
//!     let lease = keeper.take(zone, "example")?;
//!     let state = KeptState::read(&mut keeper, &lease)?;
//!     let (link, task) = KeeperTask::new(keeper, lease, state.progress(), LEASE, Duration::ZERO);
//!     let mut app = App::new();
//!     app.add_plugins((TaskPoolPlugin::default(), TimePlugin, NavPlugin::default()))
//!         .add_plugins(ZonePlugin::new(layout.clone(), TICK, bus, link))
//!         .insert_resource(Time::<Fixed>::from_duration(TICK))
//!         .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
//!     let map = app.world_mut().spawn(NavMap::new(grid.clone())).id();
//!     // Those of the zone, unless an earlier process wrote them.
//!     if zone == ZoneId(0) {
//!         let place = (OnMap(map), CellPosition::new(50, 9));
//!         app.world_mut().spawn((Chaser::default(), AgentId(2), ChaseAgent(AgentId(1)), place));
//!     } else {
//!         app.world_mut().spawn((AgentId(1), OnMap(map), CellPosition::new(80, 9)));
//!     }
//!     state.restore(app.world_mut())?;
//!     zones.push((app, task));
//! }
//! for tick in 1..=400 {
//!     for (app, task) in &mut zones {
//!         app.update();
//!         // A program runs it in a thread.
//!         task.step(TICK * tick);
//!     }
//! }
//! let living = |app: &App| app.world().resource::<Agents>().living(app.world()).len();
//! assert_eq!([living(&zones[0].0), living(&zones[1].0)], [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

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
pub use carried_agents::AgentEpoch;
pub use closing::close;
pub use components::{ChaseAgent, Epoch, Late, LivesIn};
pub use layout::{Cut, LayoutError, ZoneId, ZoneLayout};
pub use ledger::{
    Announce, Announcement, Audit, Extent, KeeperLink, KeeperStatus, KeeperTask, KeptState,
    LayoutFollower, Progress, Received, Restored, Statement, Verdict, WorldEvent, audit, last_tick,
    layout_now,
};
pub use plugin::{ZonePlugin, ZoneSystems};
pub use seal::{Format, Unread, Versioned};
pub use zone::{Zone, ZoneCounts};
pub use zone_error::ZoneError;
