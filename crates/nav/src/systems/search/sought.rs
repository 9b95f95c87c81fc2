//! The objects of searches in slices: a goal, one of several, a place near a goal, or all cells in
//! reach.

use crate::{
    CellPosition, PathRequest, Reach, Spot,
    systems::{guidance::reach::arm, storage::targets::TargetSnapshot},
};
use bevy_ecs::entity::Entity;
use nav_grid::{
    Cell, Footprint, Grid, Method, Outcome, PathQuery, Rules, Status, Terrain,
    fields::{FieldLimits, FieldOutcome, FieldStatus},
    methods::{NearestGoal, SightGoal},
    query::{Progress, QueryEnd},
};

/// The object of a search in slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Sought {
    /// The goal of its query.
    #[default]
    Goal,
    /// The nearest of the goal of its query and some others.
    AnyOf,
    /// The nearest place from which the goal of its query is near enough.
    Spot(Spot),
    /// All cells within some limits of the start of its query.
    Reach(FieldLimits),
}

impl Sought {
    /// The object of the search for a path request.
    pub(super) const fn by(request: &PathRequest) -> Self {
        match request.spot {
            Some(spot) => Self::Spot(spot),
            None if request.others.is_empty() => Self::Goal,
            None => Self::AnyOf,
        }
    }
}

/// Begins the search for a place near a goal, and returns the work done so far. `goals` is scratch
/// memory.
pub(super) fn begin_spot(
    nearest: &mut NearestGoal,
    (terrain, query): (Terrain<'_>, &PathQuery),
    spot: Spot,
    goals: &mut Vec<Cell>,
) -> u32 {
    goals.clear();
    if spot.reach == Reach::Sight {
        let goal = SightGoal {
            target: query.goal,
            distance: spot.distance,
        };
        nearest.begin_sight(terrain, query, goal);
        return 0;
    }
    list_by_steps(
        terrain.grid(),
        query.goal,
        query.rules,
        spot.distance,
        goals,
    );
    nearest.begin(terrain, query, goals);
    goals.len() as u32
}

/// Lists the places from which at most some number of legal steps lead to a goal, nearer ones
/// first; the goal alone if there are none.
fn list_by_steps(grid: &Grid, goal: Cell, rules: Rules, steps: u16, places: &mut Vec<Cell>) {
    let target = TargetSnapshot {
        position: CellPosition::at(goal),
        map: Entity::PLACEHOLDER,
        body: Footprint::ONE,
        is_entered: false,
    };
    let own = grid.for_rules(rules);
    target.for_each_within(grid, arm(rules), steps, |place, _| {
        if own.fits(place, rules.footprint) {
            places.push(place);
        }
    });
    if places.is_empty() {
        // Whether it is a wall or off the map.
        places.push(goal);
    }
}

/// The progress of a field of cells in reach, as that of a search. Cells up to a limit are all that
/// was asked for.
pub(super) fn progress_of(field: Progress<FieldOutcome>) -> Progress {
    match field {
        Progress::Done(field) => {
            let status = match field.status {
                FieldStatus::Invalid(fault) => Status::Invalid(QueryEnd::Start, fault),
                _ => Status::Found,
            };
            Progress::Done(Outcome::new(Method::Dijkstra, status).with_counters(field.counters))
        }
        Progress::Suspended => Progress::Suspended,
        Progress::Stale => Progress::Stale,
        Progress::Idle => Progress::Idle,
    }
}
