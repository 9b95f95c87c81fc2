//! Explains in words what an agent does.

use crate::{
    overview::number,
    said::{AgentSays, triple},
    searches::ReportedSearches,
};
use bevy_ecs::{prelude::*, system::SystemState};
use nav::{CellPosition, Chasing, NavDiagnostics, UpcomingPath, explain};
use nav_sim::{report::Way, sim::Shown};

/// Steps listed of the path ahead. A guess: more than a screen.
const STEPS: u16 = 64;

/// Returns what is known about an agent; `None` for a missing one.
pub(crate) fn inspect(
    world: &mut World,
    upcoming: &mut SystemState<UpcomingPath<'static, 'static>>,
    agent: Entity,
) -> Option<AgentSays> {
    let place = world.get::<CellPosition>(agent)?.cell;
    let chases = world.get::<Chasing>(agent).map(|chasing| chasing.0);
    let said = explain(world, agent);
    let doing = if world.get::<Shown>(agent).is_some() {
        "lives in another process".to_owned()
    } else {
        said.doing()
    };
    let ahead = match upcoming.get(world) {
        Ok(upcoming) if chases.is_some() => upcoming
            .cells(agent, STEPS)
            .map(|point| triple(point.cell))
            .collect(),
        _ => Vec::new(),
    };
    let ticks = world.resource::<NavDiagnostics>().ticks;
    Some(AgentSays {
        id: number(agent).into(),
        at: triple(place),
        doing,
        notes: said.notes,
        chases: chases.map(number),
        way: world.get(agent).and_then(Way::of).map(Way::name),
        search: world.resource::<ReportedSearches>().last(agent, ticks),
        ahead,
    })
}
