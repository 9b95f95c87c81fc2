//! The plugin.

use crate::{
    Agents, Bus, Zone, ZoneCounts, ZoneId, ZoneLayout,
    agents::{forget, list},
    borders::{Borders, share_borders},
    carried::{Carried, CarriedComponent},
    chases::Chased,
    counting::CountInRounds,
    hand_over::hand_over,
    rounds::Rounds,
    share,
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
    schedule: Interned<dyn ScheduleLabel>,
    carried: Vec<CarriedComponent>,
}

impl ZonePlugin {
    /// A zone of a world that is cut in this way, which exchanges messages with the others by a bus.
    pub fn new(zone: ZoneId, layout: ZoneLayout, bus: impl Bus) -> Self {
        Self {
            zone,
            layout,
            bus: Mutex::new(Some(Box::new(bus))),
            wait: Duration::from_secs(10),
            schedule: FixedUpdate.intern(),
            carried: Vec::new(),
        }
    }

    /// For how long another zone is waited for; 10 seconds unless it is set: far more than a tick takes, so that
    /// only a zone that stopped is given up. After that this zone [failed](Zone::failure).
    #[must_use]
    pub const fn waiting(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
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
        let rounds = Rounds::new(self.zone, self.layout.len(), self.wait, bus);
        app.insert_resource(Peers::new(CountInRounds(rounds.clone())))
            .insert_resource(Zone {
                id: self.zone,
                layout: self.layout.clone(),
                rounds,
                counts: ZoneCounts::default(),
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
            .add_systems(
                self.schedule,
                (
                    (share_borders, share)
                        .chain()
                        .in_set(ZoneSystems::Share)
                        .before(NavSystems::All),
                    hand_over
                        .in_set(ZoneSystems::HandOver)
                        .after(NavSystems::All),
                ),
            );
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
