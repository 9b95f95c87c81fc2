//! Why an agent does what it does, in words.

use super::{
    overview::number,
    said::{AgentSays, triple},
    searches::ReportedSearches,
};
use bevy_ecs::{prelude::*, system::SystemState};
use nav::{
    CellPosition, ChaseState, Chaser, Chasing, Guidance, NavDiagnostics, NavTimer, PathCursor,
    PointsAhead,
};

/// Steps of the way ahead that are listed.
const STEPS: u16 = 64;

/// What there is to say of an agent; nothing of one that is gone.
pub(super) fn inspect(
    world: &mut World,
    points: &mut SystemState<PointsAhead<'static, 'static>>,
    agent: Entity,
) -> Option<AgentSays> {
    let place = world.get::<CellPosition>(agent)?.cell;
    let chases = world.get::<Chasing>(agent).map(|chasing| chasing.0);
    let doing = match (world.get::<PathCursor>(agent), world.get::<Chaser>(agent)) {
        (Some(cursor), Some(chaser)) => {
            let stands = world.get::<NavTimer>(agent).is_some_and(NavTimer::stands);
            doing(cursor, chaser, stands)
        }
        _ => "is no chaser".to_owned(),
    };
    let ahead = match points.get(world) {
        Ok(points) if chases.is_some() => points
            .ahead(agent, STEPS)
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
        way: world.get::<PathCursor>(agent).and_then(way),
        search: world.resource::<ReportedSearches>().last(agent, ticks),
        ahead,
    })
}

/// What a chaser follows.
fn way(cursor: &PathCursor) -> Option<&'static str> {
    Some(match (cursor.state(), cursor.guidance()) {
        (_, Some(Guidance::SharedField)) => "shared field",
        (_, Some(Guidance::FarField)) => "far field",
        (_, Some(Guidance::Detour)) => "detour",
        (_, Some(_)) => "own path",
        (ChaseState::Queued, None) => "straight way",
        (_, None) => return None,
    })
}

fn doing(cursor: &PathCursor, chaser: &Chaser, stands: bool) -> String {
    let waits = if stands {
        ", and took no step last"
    } else {
        ""
    };
    match (cursor.state(), cursor.guidance()) {
        (ChaseState::Reached, _) => {
            let steps = chaser.stop_distance;
            format!("is within reach of its target: no more than {steps} steps away")
        }
        (_, Some(Guidance::SharedField)) => {
            format!("follows the field around its target, which it shares with others{waits}")
        }
        (_, Some(Guidance::FarField)) => {
            format!("follows the far field of its target over the portals of the map{waits}")
        }
        (_, Some(Guidance::Detour)) => format!("goes round bodies that stand in its way{waits}"),
        (_, Some(_)) => {
            let steps = cursor.path().len();
            format!("follows a path of its own, {steps} steps more{waits}")
        }
        (ChaseState::Queued, None) => {
            "waits for the budget to have room for its search, and goes straight meanwhile"
                .to_owned()
        }
        (_, None) => {
            "has nothing to follow: the last search led nowhere, or none was made yet".to_owned()
        }
    }
}
