//! A world at a broker, opened; and the list of worlds.

use crate::{BrokerArgs, Plan, ZonesError};
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
    /// Opens a world that exists.
    ///
    /// # Errors
    ///
    /// [`ZonesError::NoWorld`], and others if the broker does not answer.
    pub fn open(broker: &BrokerArgs, world: &str) -> Result<Self, ZonesError> {
        let no_world = || ZonesError::NoWorld(world.to_owned());
        let connection = connect(broker, world, LEASE)?;
        if !connection.has_world()? {
            return Err(no_world());
        }
        let mut keeper = NatsKeeper::new(&connection)?;
        let plan = Plan::of(&mut keeper)?.ok_or_else(no_world)?;
        let mut opened = Self {
            connection,
            keeper,
            plan,
        };
        // The length of a lease is the world's, and the connection has to know it.
        if opened.plan.lease != LEASE {
            opened.connection = connect(broker, world, opened.plan.lease)?;
            opened.keeper = NatsKeeper::new(&opened.connection)?;
        }
        Ok(opened)
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
    Ok(ListedWorld {
        has_ended: keeper.named(ENDED)?.is_some(),
        held: holders.iter().map(|holder| holder.zone).collect(),
        name,
    })
}

/// Name of the entry at the broker that marks the end of a world.
pub(crate) const ENDED: &str = "ended";

/// Deletes all that a broker has of a world.
///
/// # Errors
///
/// [`ZonesError::NoWorld`]; [`ZonesError::Held`] if a process runs it, unless that is forced: to find out takes
/// the time of a lease.
pub fn delete_world(broker: &BrokerArgs, name: &str, is_forced: bool) -> Result<(), ZonesError> {
    let connection = connect(broker, name, LEASE)?;
    if !connection.has_world()? {
        return Err(ZonesError::NoWorld(name.to_owned()));
    }
    let mut keeper = NatsKeeper::new(&connection)?;
    let has_ended = keeper.named(ENDED)?.is_some();
    if !is_forced && !has_ended {
        let before = keeper.holders()?;
        if !before.is_empty() {
            let lease = Plan::of(&mut keeper)?.map_or(LEASE, |plan| plan.lease);
            thread::sleep(Duration::from_millis(lease));
        }
        let now = keeper.holders()?;
        let alive = now.iter().filter(|holder| !before.contains(holder));
        let alive = alive.count();
        if alive > 0 {
            return Err(ZonesError::Held(alive));
        }
    }
    connection.delete_world()?;
    Ok(())
}
