//! Explains in words what an agent does.

use super::{
    overview::number,
    said::{AgentSays, triple},
    searches::ReportedSearches,
};
use crate::{report::Way, sim::Shown};
use bevy_ecs::{prelude::*, system::SystemState};
use nav::{
    CellPosition, ChaseState, Chaser, Chasing, Crowding, NavDiagnostics, PathCursor, UpcomingPath,
};

/// Steps listed of the path ahead. A guess: more than a screen.
const STEPS: u16 = 64;

/// Returns what is known about an agent; `None` for a missing one.
pub(super) fn inspect(
    world: &mut World,
    upcoming: &mut SystemState<UpcomingPath<'static, 'static>>,
    agent: Entity,
) -> Option<AgentSays> {
    let place = world.get::<CellPosition>(agent)?.cell;
    let chases = world.get::<Chasing>(agent).map(|chasing| chasing.0);
    let doing = match (world.get::<PathCursor>(agent), world.get::<Chaser>(agent)) {
        (Some(cursor), Some(chaser)) => {
            let stands = world.get::<Crowding>(agent).is_some_and(|of| of.stands);
            doing(cursor, chaser, stands)
        }
        _ if world.get::<Shown>(agent).is_some() => "lives in another process".to_owned(),
        _ => "is no chaser".to_owned(),
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
        chases: chases.map(number),
        way: world.get(agent).and_then(Way::of).map(Way::name),
        search: world.resource::<ReportedSearches>().last(agent, ticks),
        ahead,
    })
}

fn doing(cursor: &PathCursor, chaser: &Chaser, stands: bool) -> String {
    let waits = if stands {
        ", and took no step last"
    } else {
        ""
    };
    if cursor.state() == ChaseState::Reached {
        let steps = chaser.stop_distance;
        return format!("is within reach of its target: no more than {steps} steps away");
    }
    match Way::of(cursor) {
        Some(Way::SharedField) => {
            format!("follows the field around its target, which it shares with others{waits}")
        }
        Some(Way::FarField) => {
            format!("follows the far field of its target over the portals of the map{waits}")
        }
        Some(Way::Detour) => format!("goes round bodies that stand in its way{waits}"),
        Some(Way::OwnPath) => {
            let steps = cursor.path().len();
            format!("follows a path of its own, {steps} steps more{waits}")
        }
        Some(Way::Straight) => {
            "waits for the budget to have room for its search, and goes straight meanwhile"
                .to_owned()
        }
        None => {
            "has nothing to follow: the last search led nowhere, or none was made yet".to_owned()
        }
    }
}
