//! The keeper at a broker passes the scenarios of every keeper.

use crate::{World, keeper};
use nav_zones::nats::NatsKeeper;

fn open() -> Option<impl Fn() -> NatsKeeper> {
    let world = World::start()?;
    Some(move || world.keeper())
}

keeper::scenarios!(open);
