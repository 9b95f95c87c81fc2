//! The plugin.

use crate::{
    Agents, Bus, ChaseAgent, KeeperLink, Zone, ZoneCounts, ZoneId, ZoneLayout,
    agents::{forget, list},
    borders::{Borders, share_borders},
    carried::{Carried, CarriedComponent},
    chases::Chased,
    counting::CountInRounds,
    departure::Departed,
    exchange::Exchange,
    hand_over::{hand_over_by_ledger, hand_over_in_rounds, receive_news},
    lateness::mark_late,
    ledger::{
        Ledger, SnapshotPolicy, apply_events, note_death, take_snapshot, write_births_and_deaths,
    },
    share,
    ticking::begin_tick,
};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{
    component::Mutable,
    intern::Interned,
    prelude::*,
    schedule::{ScheduleLabel, SingleThreadedExecutor},
};
use nav::{
    AgentId, NavSystems,
    shared::{Border, Peers},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{sync::Mutex, time::Duration};

/// The sets of the systems of a zone.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneSystems {
    /// Begins the tick: agents come from other zones, and events of the world happen. Before [`Self::Share`].
    Begin,
    /// Shares the places of bodies near borders, and those of targets with the zones of their chasers: before
    /// [`NavSystems::All`]. Move targets and give chasers others before.
    Share,
    /// Hands agents over that are in another zone: after [`NavSystems::All`].
    HandOver,
}

/// Makes an app one zone of a world.
///
/// Add it beside [`NavPlugin`](nav::NavPlugin). The systems of the schedule run on one thread, since some wait for
/// other zones; searches are shared out to threads as ever.
pub struct ZonePlugin {
    zone: ZoneId,
    layout: ZoneLayout,
    // Taken when the plugin is built.
    bus: Mutex<Option<Box<dyn Bus>>>,
    wait: Duration,
    free: Mutex<Option<FreeRunning>>,
    schedule: Interned<dyn ScheduleLabel>,
    carried: Vec<CarriedComponent>,
}

/// How a zone runs that does not wait for others.
struct FreeRunning {
    tick: Duration,
    link: KeeperLink,
    snapshots: SnapshotPolicy,
}

impl ZonePlugin {
    /// A zone of a world that is cut in this way, which exchanges messages with the others by a bus.
    pub fn new(zone: ZoneId, layout: ZoneLayout, bus: impl Bus) -> Self {
        Self {
            zone,
            layout,
            bus: Mutex::new(Some(Box::new(bus))),
            wait: Duration::from_secs(10),
            free: Mutex::new(None),
            schedule: FixedUpdate.intern(),
            // Named after the zone took stock of those whom its chasers chase.
            carried: vec![CarriedComponent::of::<ChaseAgent>("nav_zones::ChaseAgent")],
        }
    }

    /// For how long another zone is waited for; 10 seconds unless it is set: far more than a tick takes, so that
    /// only a zone that stopped is given up. After that this zone [failed](Zone::failure).
    #[must_use]
    pub const fn waiting(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Has the zone run without waiting for others: it goes by the latest that it knows of them, and agents are handed
    /// over by the ledger, so that another process can go on with the zone where this one ends.
    ///
    /// `tick` is how long a tick takes, the same in all zones. Their clocks, which are the time of the app, count from
    /// one moment: of a process that joins later the first tick is a long one. A snapshot is taken every `snapshots`:
    /// as much movement is lost, and nothing else, when a process dies.
    #[must_use]
    pub fn free_running(self, tick: Duration, snapshots: Duration, link: KeeperLink) -> Self {
        let every = snapshots.as_nanos() / tick.as_nanos().max(1);
        let snapshots = SnapshotPolicy::every(u64::try_from(every).unwrap_or(u64::MAX));
        Self {
            free: Mutex::new(Some(FreeRunning {
                tick,
                link,
                snapshots,
            })),
            ..self
        }
    }

    /// In the schedule of the `NavPlugin`, if that is not `FixedUpdate`.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// Hands a component of the game over with agents that have it. The name stands for it in messages: it is the
    /// same in all zones, and that of no other.
    #[must_use]
    pub fn carry<C>(mut self, name: &str) -> Self
    where
        C: Component<Mutability = Mutable> + Serialize + DeserializeOwned,
    {
        self.carried.push(CarriedComponent::of::<C>(name));
        self
    }
}

impl Plugin for ZonePlugin {
    fn build(&self, app: &mut App) {
        let bus = self.bus.lock().ok().and_then(|mut bus| bus.take());
        let Some(bus) = bus else {
            return;
        };
        if let Some(own) = self.layout.area(self.zone) {
            app.insert_resource(Border::around(own));
        }
        let free = self.free.lock().ok().and_then(|mut free| free.take());
        let exchange = match &free {
            Some(_) => Exchange::latest(self.zone, &self.layout, bus),
            None => Exchange::in_step(self.zone, &self.layout, self.wait, bus),
        };
        let period = free.as_ref().map_or(0, |free| free.tick.as_nanos() as u64);
        app.insert_resource(Zone {
            id: self.zone,
            layout: self.layout.clone(),
            exchange: exchange.clone(),
            counts: ZoneCounts::default(),
            tick: 0,
            holds: true,
            period,
        })
        .insert_resource(Carried(self.carried.clone()))
        .init_resource::<Agents>()
        .init_resource::<Chased>()
        .init_resource::<Borders>()
        .add_observer(list)
        .add_observer(forget)
        .edit_schedule(self.schedule, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .configure_sets(
            self.schedule,
            (
                ZoneSystems::Begin.before(ZoneSystems::Share),
                ZoneSystems::Share.before(NavSystems::All),
                ZoneSystems::HandOver.after(NavSystems::All),
            ),
        )
        .add_systems(
            self.schedule,
            (share_borders, share).chain().in_set(ZoneSystems::Share),
        );
        match free {
            None => {
                app.insert_resource(Peers::new(CountInRounds(exchange)))
                    .add_systems(
                        self.schedule,
                        (
                            begin_tick.in_set(ZoneSystems::Begin),
                            hand_over_in_rounds.in_set(ZoneSystems::HandOver),
                        ),
                    );
            }
            Some(FreeRunning {
                link, snapshots, ..
            }) => {
                app.insert_resource(Ledger::new(link, snapshots))
                    .init_resource::<Departed>()
                    .add_observer(note_death)
                    .add_systems(
                        self.schedule,
                        (
                            (begin_tick, receive_news, apply_events)
                                .chain()
                                .in_set(ZoneSystems::Begin),
                            mark_late.in_set(ZoneSystems::Share).after(share),
                            (write_births_and_deaths, hand_over_by_ledger, take_snapshot)
                                .chain()
                                .in_set(ZoneSystems::HandOver),
                        ),
                    );
            }
        }
        // Agents that were there before.
        let mut before = app.world_mut().query_filtered::<Entity, With<AgentId>>();
        let before: Vec<Entity> = before.iter(app.world()).collect();
        for agent in before {
            let mut agent = app.world_mut().entity_mut(agent);
            if let Some(&id) = agent.get::<AgentId>() {
                agent.insert(id);
            }
        }
    }
}
