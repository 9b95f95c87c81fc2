//! Slow links, which take longer than a step or hold few walkers: who is on them, and when that
//! ends.
//!
//! A chaser that takes such a [link](nav_grid::Link) is at its end at once, as after any step, and
//! [on the link](OnLink) until its next move tick. Its body holds both ends meanwhile.

mod on_link;
mod systems;
mod traffic;

pub use on_link::{LinkEntered, LinkLeft, OnLink};
pub(crate) use traffic::Traffic;

use crate::{
    NavMap,
    sets::{exclusive, on_demand},
    state::register_states,
    systems::storage::tick_events::TickEvents,
};
use bevy_app::App;
use bevy_ecs::{prelude::*, schedule::ScheduleConfigs, system::ScheduleSystem};
use nav_grid::{Cell, Footprint, Link, Rules, path::takes_link};

/// Adds the state of slow links.
pub(crate) fn add_slow_links(app: &mut App) {
    register_states! { app, OnLink: Decides, }
    app.init_resource::<Traffic>()
        .add_message::<LinkEntered>()
        .add_message::<LinkLeft>();
}

/// The system that ends the stays of agents on links.
pub(crate) fn end_stays() -> ScheduleConfigs<ScheduleSystem> {
    on_demand::<With<OnLink>, _>(systems::end_stays)
}

/// The system that begins the stays of agents that took a link in this tick.
pub(crate) fn begin_stays() -> ScheduleConfigs<ScheduleSystem> {
    exclusive(systems::begin_stays).run_if(has_entered)
}

fn has_entered(events: Res<TickEvents>) -> bool {
    !events.entered.is_empty()
}

/// The footprint by which a body on a link holds its start: none where it covers part of that from
/// the end.
pub(crate) fn held_start(footprint: Footprint, from: Cell, to: Cell) -> Option<Footprint> {
    let overlaps = footprint.area(from).meets(footprint.area(to));
    (!overlaps).then_some(footprint)
}

/// The slow link by which a walker of some rules goes from one cell to another.
///
/// `rules` are asked only on maps with slow links: those of a chaser lie elsewhere in memory.
#[inline]
pub(crate) fn slow_link(
    map: &NavMap,
    from: Cell,
    to: Cell,
    rules: impl FnOnce() -> Rules,
) -> Option<&Link> {
    if map.grid().has_slow_links() {
        slow_link_for(map, (from, to), rules())
    } else {
        None
    }
}

#[cold]
#[inline(never)]
fn slow_link_for(map: &NavMap, (from, to): (Cell, Cell), rules: Rules) -> Option<&Link> {
    let link = any_slow_link(map, from, to);
    link.filter(|_| takes_link(map.grid(), from, to, rules))
}

/// The slow link from one cell to another.
#[cold]
pub(crate) fn any_slow_link(map: &NavMap, from: Cell, to: Cell) -> Option<&Link> {
    let mut links = map.grid().links_from(from).iter();
    links.find(|link| link.is_slow() && link.to == to)
}
