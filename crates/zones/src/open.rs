//! A world at a broker, opened; and the list of worlds.

use crate::{BrokerArgs, Plan, ZonesError, clock::require_clock};
use nav_zones::{
    ZoneId,
    keeper::Keeper,
    layout_now,
    nats::{NatsConnection, NatsKeeper},
};
use std::{thread, time::Duration};

/// Length of a lease by default, in milliseconds.
///
/// A guess: far more than a hiccup of a machine, and short enough for players to wait.
pub const LEASE: u64 = 3_000;

/// A world at a broker.
pub struct OpenWorld {
    /// The connection.
    pub connection: NatsConnection,
    /// The world's data at the broker.
    pub keeper: NatsKeeper,
    /// Its plan.
    pub plan: Plan,
    /// Revision of the plan at the broker.
    pub(crate) revision: u64,
}

/// Connects to a broker for a world.
pub(crate) fn connect(
    broker: &BrokerArgs,
    world: &str,
    lease: u64,
) -> Result<NatsConnection, ZonesError> {
    let options = broker.options(world).lease(Duration::from_millis(lease));
    Ok(NatsConnection::open(options)?)
}

impl OpenWorld {
    /// Opens a world that exists, which may have ended.
    ///
    /// # Errors
    ///
    /// [`ZonesError::NoWorld`]; [`ZonesError::State`]; others if the broker does not answer.
    pub fn open(broker: &BrokerArgs, world: &str) -> Result<Self, ZonesError> {
        let connection = connect(broker, world, LEASE)?;
        if !connection.has_world()? {
            return Err(ZonesError::NoWorld(world.to_owned()));
        }
        let mut keeper = NatsKeeper::new(&connection)?;
        let Some((revision, plan)) = Plan::of(&mut keeper)? else {
            return Err(ZonesError::NoWorld(world.to_owned()));
        };
        let mut opened = Self {
            connection,
            keeper,
            plan,
            revision,
        };
        // The length of a lease is the world's, and the connection has to know it.
        if opened.plan.lease != LEASE {
            opened.connection = connect(broker, world, opened.plan.lease)?;
            opened.keeper = NatsKeeper::new(&opened.connection)?;
        }
        Ok(opened)
    }

    /// Begins a world: writes its map, then its plan.
    pub(crate) fn create(
        broker: &BrokerArgs,
        world: &str,
        mut plan: Plan,
        map: &[u8],
    ) -> Result<Self, ZonesError> {
        let connection = connect(broker, world, plan.lease)?;
        let mut keeper = NatsKeeper::new(&connection)?;
        if let Err(error) = require_clock(&connection) {
            // Nothing is left of an attempt.
            connection.delete_world()?;
            return Err(error);
        }
        keeper.put_named(&plan.map, map)?;
        // Nothing before counts.
        plan.continue_at(0);
        plan.keep(&mut keeper, 0)?;
        Ok(Self {
            connection,
            keeper,
            plan,
            revision: 1,
        })
    }

    /// Fails if the world has no such zone now.
    ///
    /// # Errors
    ///
    /// [`ZonesError::NoZone`].
    pub(crate) fn require_zone(&mut self, zone: u16) -> Result<(), ZonesError> {
        let layout = layout_now(&mut self.keeper, &self.plan.layout)?;
        match layout.area(ZoneId(zone)) {
            Some(_) => Ok(()),
            None => Err(ZonesError::NoZone {
                zone,
                zones: layout.zones().map(|zone| zone.0).collect(),
            }),
        }
    }
}

/// Name for connections that are for no world in particular.
const NO_WORLD: &str = "worlds";

/// A world, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedWorld {
    /// Its name.
    pub name: String,
    /// Whether it ended.
    pub has_ended: bool,
    /// Zones that a process has, or had when it died.
    pub held: Vec<ZoneId>,
}

/// Returns the worlds at a broker.
///
/// # Errors
///
/// [`ZonesError`].
pub fn worlds(broker: &BrokerArgs) -> Result<Vec<ListedWorld>, ZonesError> {
    let names = connect(broker, NO_WORLD, LEASE)?.worlds()?;
    names.into_iter().map(|name| listed(broker, name)).collect()
}

fn listed(broker: &BrokerArgs, name: String) -> Result<ListedWorld, ZonesError> {
    let connection = connect(broker, &name, LEASE)?;
    let mut keeper = NatsKeeper::new(&connection)?;
    let holders = keeper.holders()?;
    let has_ended = Plan::has_ended(&mut keeper)?;
    Ok(ListedWorld {
        has_ended,
        held: holders.iter().map(|holder| holder.zone).collect(),
        name,
    })
}

/// Returns how many zones of a world processes have, which takes the time of a lease unless there
/// is none.
pub(crate) fn held(keeper: &mut NatsKeeper, lease: u64) -> Result<usize, ZonesError> {
    let before = keeper.holders()?;
    if before.is_empty() {
        return Ok(0);
    }
    thread::sleep(Duration::from_millis(lease));
    let now = keeper.holders()?;
    // A renewal changes it.
    Ok(now.iter().filter(|holder| !before.contains(holder)).count())
}

/// Deletes all that a broker has of a world.
///
/// # Errors
///
/// [`ZonesError::NoWorld`]; unless it is forced, [`ZonesError::Held`] if a process runs it, which
/// takes the time of a lease to find out, and [`ZonesError::State`].
pub fn delete_world(broker: &BrokerArgs, name: &str, is_forced: bool) -> Result<(), ZonesError> {
    let connection = connect(broker, name, LEASE)?;
    if !connection.has_world()? {
        return Err(ZonesError::NoWorld(name.to_owned()));
    }
    let mut keeper = NatsKeeper::new(&connection)?;
    if !is_forced {
        let lease = Plan::of(&mut keeper)?.map_or(LEASE, |(_, plan)| plan.lease);
        let alive = held(&mut keeper, lease)?;
        if alive > 0 {
            return Err(ZonesError::Held(alive));
        }
    }
    connection.delete_world()?;
    Ok(())
}
