//! Plugin that makes an app one zone of a world.

use crate::{
    Agents, Bus, ChaseAgent, KeeperLink, Zone, ZoneCounts, ZoneId, ZoneLayout,
    agents::{forget, list},
    borders::{Border, BorderPlugin, Borders, share_borders},
    carried::{Carried, CarriedComponent},
    chases::{Chased, send_chases},
    components::mark_late,
    departure::Departed,
    exchange::{CountInRounds, Exchange},
    hand_over::{hand_over_by_ledger, hand_over_in_rounds, receive_news},
    keeper::Term,
    ledger::{
        Ledger, SnapshotPolicy, apply_events, note_death, take_snapshot, write_births_and_deaths,
    },
    places::share_places,
};
use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{
    component::Mutable,
    intern::Interned,
    prelude::*,
    schedule::{ScheduleLabel, SingleThreadedExecutor},
};
use bevy_time::Time;
use nav::{
    AgentId, NavSystems,
    internals::{Peers, require_nav},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{sync::Mutex, time::Duration};

/// Sets of the systems of a zone.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneSystems {
    /// Begins the tick: inserts agents that arrive from other zones, and applies events of the
    /// world.
    ///
    /// Runs before [`Self::Share`].
    Begin,
    /// Shares the bodies near borders, and the places of targets with the zones of their chasers.
    ///
    /// Runs before [`NavSystems::All`]. Move targets and retarget chasers before this set.
    Share,
    /// Hands over agents that stand in another zone.
    ///
    /// Runs after [`NavSystems::All`].
    HandOver,
}

/// Plugin that makes an app one zone of a world.
///
/// Add it beside [`NavPlugin`](nav::NavPlugin). The systems of the schedule then run on one thread,
/// because some wait for other zones. Searches still run in parallel.
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

/// Configuration of a zone that does not wait for others.
struct FreeRunning {
    tick: Duration,
    link: KeeperLink,
    snapshots: SnapshotPolicy,
}

impl ZonePlugin {
    /// Creates a zone of a world with this layout, which exchanges messages over `bus`.
    pub fn new(zone: ZoneId, layout: ZoneLayout, bus: impl Bus) -> Self {
        Self {
            zone,
            layout,
            bus: Mutex::new(Some(Box::new(bus))),
            wait: Duration::from_secs(10),
            free: Mutex::new(None),
            schedule: FixedUpdate.intern(),
            // A target named after the zone resolved those of the tick has to travel with its
            // chaser.
            carried: vec![CarriedComponent::of::<ChaseAgent>("nav_zones::ChaseAgent")],
        }
    }

    /// Sets how long to wait for another zone before this one [fails](Zone::failure); 10 seconds by
    /// default.
    ///
    /// The default is a guess, far above the length of a tick: only a zone that stopped should be
    /// given up.
    #[must_use]
    pub const fn waiting(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Runs the zone without waiting for others, on the last state received from them.
    ///
    /// Agents are handed over by the ledger, so that another process can continue the zone when
    /// this one ends.
    ///
    /// `tick` is the length of a tick, the same in all zones. The clock of a zone is the time of
    /// its app, and all clocks count from the same moment: the first tick of a process that joins
    /// later is a long one. A snapshot is taken every `snapshots`. When a process dies, the
    /// movement since the last snapshot is lost, and nothing else.
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

    /// Sets the schedule, which has to be that of the `NavPlugin`; `FixedUpdate` by default.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// Hands over a component of the game with the agents that have it.
    ///
    /// `name` stands for the component in messages. It has to be the same in all zones, and unique.
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
        app.add_plugins(BorderPlugin {
            schedule: self.schedule,
        });
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
        // The observers have not seen agents spawned before the plugin: insert their ids again.
        let mut before = app.world_mut().query_filtered::<Entity, With<AgentId>>();
        let before: Vec<Entity> = before.iter(app.world()).collect();
        for agent in before {
            let mut agent = app.world_mut().entity_mut(agent);
            if let Some(&id) = agent.get::<AgentId>() {
                agent.insert(id);
            }
        }
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "ZonePlugin");
    }
}

/// Begins a tick.
fn begin_tick(mut zone: ResMut<Zone>, time: Res<Time>, ledger: Option<Res<Ledger>>) {
    if zone.period == 0 {
        zone.tick += 1;
        zone.exchange.begin_tick(zone.tick, Term::default());
        return;
    }
    let tick = time.elapsed().as_nanos() / u128::from(zone.period);
    zone.tick = u64::try_from(tick).unwrap_or(u64::MAX);
    let link = ledger.map(|ledger| (ledger.link.term, ledger.link.holds()));
    let (term, holds) = link.unwrap_or_default();
    zone.holds = holds;
    zone.exchange.begin_tick(zone.tick, term);
}

/// Sends the other zones the chases of this zone, and receives the places of the targets.
///
/// Runs in each tick before navigation. To compare [`WorldSum`](nav::internals::WorldSum)s after a tick, call
/// it in all zones first: the sums cover what chasers see of targets in other zones.
pub fn share(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        let zone = &mut *zone;
        send_chases(world, zone);
        share_places(world, zone);
    });
}
