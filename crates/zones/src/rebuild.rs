//! Changes the layout of a running world: zones are split, merged and moved.

use crate::{
    OpenWorld, ZonesError,
    clock::require_clock,
    control::{Ask, CHECKER, ControlLine},
};
use nav_zones::{
    Announcement, Cut, Versioned, WorldEvent, ZoneId, ZoneLayout, keeper::Keeper, layout_now,
};
use std::time::Duration;

/// How far ahead the tick is at which a layout takes effect. A guess: enough for all zones to learn
/// of it.
const AHEAD: Duration = Duration::from_millis(500);

/// Splits a zone, and returns the number of the new one. A process without a zone takes it.
///
/// # Errors
///
/// [`ZonesError`].
pub fn split(world: &mut OpenWorld, zone: u16, cut: Cut) -> Result<u16, ZonesError> {
    let mut new = ZoneId(0);
    rebuild(world, |layout| {
        let (layout, lower) = layout.split(ZoneId(zone), cut)?;
        new = lower;
        Ok(layout)
    })?;
    Ok(new.0)
}

/// Merges a zone into another one. Its process can [move away](move_away) afterwards.
///
/// # Errors
///
/// [`ZonesError`].
pub fn merge(world: &mut OpenWorld, zone: u16, into: u16) -> Result<(), ZonesError> {
    rebuild(
        world,
        |layout| Ok(layout.merge(ZoneId(zone), ZoneId(into))?),
    )
}

/// Asks the process of a zone to give it back, so that another one takes it.
///
/// # Errors
///
/// [`ZonesError::NoZone`], and others if the broker does not answer.
pub fn move_away(world: &mut OpenWorld, zone: u16) -> Result<(), ZonesError> {
    world.require_zone(zone)?;
    // The line waits at its end until the request is on its way.
    ControlLine::open(&world.connection, CHECKER)?.ask(ZoneId(zone), Ask::GiveBack)
}

fn rebuild(
    world: &mut OpenWorld,
    cut: impl FnOnce(&ZoneLayout) -> Result<ZoneLayout, ZonesError>,
) -> Result<(), ZonesError> {
    require_clock(&world.connection)?;
    let OpenWorld { keeper, plan, .. } = world;
    let layout = cut(&layout_now(keeper, &plan.layout)?)?;
    let in_world = plan.time() + AHEAD;
    let tick = in_world.as_nanos() / plan.tick().as_nanos().max(1);
    let announcement = Announcement {
        tick: tick as u64,
        event: WorldEvent::Layout(layout),
    };
    let bytes = announcement.to_bytes().map_err(ZonesError::Damaged)?;
    keeper.announce(&bytes)?;
    Ok(())
}
