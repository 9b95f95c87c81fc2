//! Plugin that makes an app one zone of a world.

use crate::{
    Agents, Bus, ChaseAgent, KeeperLink, Zone, ZoneCounts, ZoneLayout,
    agents::{forget, list},
    borders::{Border, BorderPlugin, Borders, share_borders},
    carried::{Carried, CarriedComponent},
    chases::{Chased, send_chases},
    components::mark_late,
    departure::Departed,
    exchange::Exchange,
    hand_over::{hand_over, receive_news},
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
use nav::{AgentId, NavSystems, extend::require_nav};
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
/// because handing systems of little work to others takes longer. Searches still run in parallel.
pub struct ZonePlugin {
    layout: ZoneLayout,
    tick: Duration,
    // Taken when the plugin is built.
    ends: Mutex<Option<(Box<dyn Bus>, KeeperLink)>>,
    snapshots: Duration,
    schedule: Interned<dyn ScheduleLabel>,
    carried: Vec<CarriedComponent>,
}

impl ZonePlugin {
    /// Creates the zone of a link, in a world with this layout, which exchanges messages over
    /// `bus`.
    ///
    /// `tick` is the length of a tick, the same in all zones. The clock of a zone is the time of
    /// its app, and all clocks count from the same moment: the first tick of a process that joins
    /// later is a long one.
    pub fn new(layout: ZoneLayout, tick: Duration, bus: impl Bus, link: KeeperLink) -> Self {
        Self {
            layout,
            tick,
            ends: Mutex::new(Some((Box::new(bus), link))),
            snapshots: Duration::from_secs(5),
            schedule: FixedUpdate.intern(),
            // A target named after the zone resolved those of the tick has to travel with its
            // chaser.
            carried: vec![CarriedComponent::of::<ChaseAgent>("nav_zones::ChaseAgent")],
        }
    }

    /// Sets how often a snapshot is taken; every 5 seconds by default.
    ///
    /// When a process dies, the movement since the last snapshot is lost, and nothing else. The
    /// default spends a hundredth of the time: a snapshot of 100,000 agents takes 50 ms.
    #[must_use]
    pub const fn snapshots_every(mut self, time: Duration) -> Self {
        self.snapshots = time;
        self
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

    fn add_systems(&self, app: &mut App) {
        app.edit_schedule(self.schedule, |schedule| {
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
            (
                (begin_tick, receive_news, apply_events)
                    .chain()
                    .in_set(ZoneSystems::Begin),
                (share_borders, share, mark_late)
                    .chain()
                    .in_set(ZoneSystems::Share),
                (take_snapshot, write_births_and_deaths, hand_over)
                    .chain()
                    .in_set(ZoneSystems::HandOver),
            ),
        );
    }
}

impl Plugin for ZonePlugin {
    fn build(&self, app: &mut App) {
        let ends = self.ends.lock().ok().and_then(|mut ends| ends.take());
        let Some((bus, link)) = ends else {
            return;
        };
        let (zone, period) = (link.zone, self.tick.as_nanos().max(1));
        app.add_plugins(BorderPlugin {
            schedule: self.schedule,
        });
        if let Some(own) = self.layout.area(zone) {
            app.insert_resource(Border::around(own));
        }
        let every = u64::try_from(self.snapshots.as_nanos() / period).unwrap_or(u64::MAX);
        app.insert_resource(Zone {
            id: zone,
            layout: self.layout.clone(),
            exchange: Exchange::new(zone, &self.layout, bus),
            counts: ZoneCounts::default(),
            tick: 0,
            holds: true,
            period,
        })
        .insert_resource(Carried(self.carried.clone()))
        .insert_resource(Ledger::new(link, SnapshotPolicy::every(every)))
        .init_resource::<Agents>()
        .init_resource::<Chased>()
        .init_resource::<Borders>()
        .init_resource::<Departed>()
        .add_observer(list)
        .add_observer(forget)
        .add_observer(note_death);
        self.add_systems(app);
        // The observers have not seen agents spawned before the plugin: insert their ids again.
        let mut numbered = app.world_mut().query::<(Entity, &AgentId)>();
        let all = numbered.iter(app.world());
        let before: Vec<(Entity, AgentId)> = all.map(|(agent, &id)| (agent, id)).collect();
        for (agent, id) in before {
            app.world_mut().entity_mut(agent).insert(id);
        }
    }

    fn finish(&self, app: &mut App) {
        require_nav(app.world(), "ZonePlugin");
    }
}

/// Begins a tick.
fn begin_tick(mut zone: ResMut<Zone>, time: Res<Time>, ledger: Res<Ledger>) {
    let tick = time.elapsed().as_nanos() / zone.period;
    zone.tick = u64::try_from(tick).unwrap_or(u64::MAX);
    zone.holds = ledger.link.holds();
    let (tick, term) = (zone.tick, ledger.link.term);
    zone.exchange.begin_tick(tick, term);
}

/// Sends the other zones the chases of this zone, and receives the places of the targets.
fn share(world: &mut World) {
    world.resource_scope(|world, mut zone: Mut<Zone>| {
        send_chases(world, &mut zone);
        share_places(world, &mut zone);
    });
}
