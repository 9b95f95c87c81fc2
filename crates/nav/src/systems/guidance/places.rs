//! The places of a target: where a chaser's body is within reach of it.

use super::reach::{Approach, DETOUR_RADIUS, arm, fitting, is_in_shot, overlaps, touches};
use crate::{Reach, systems::storage::targets::TargetSnapshot};
use nav_grid::{
    Cell, Direction, Grid, Method, Outcome, Path, PathQuery, Rules, Status, Terrain,
    fields::{CostField, Passage},
    query::Counters,
    rules::Cost,
};

/// Lays the least costly way from where a query starts to a place, off the cells of the target: for
/// walkers that no way onto the target leads beside it. Looks at all ground around the target: not
/// for every search. `None` if the target is further away than this sees.
#[cold]
pub(crate) fn way_beside(
    terrain: Terrain<'_>,
    query: &PathQuery,
    approach: Approach,
    target: &TargetSnapshot,
    path: &mut Path,
) -> Option<Outcome> {
    let (grid, from, center) = (terrain.grid(), query.start, target.position.cell);
    if !target.shows_places_from(from) {
        return None;
    }
    let query = PathQuery {
        goal: center,
        goal_body: target.body,
        ..*query
    };
    let is_open = |place: Cell| {
        !overlaps(approach.rules, place, target) && !terrain.is_blocked(&query, place)
    };
    let mut places = Vec::new();
    list_places(grid, approach, target, &mut places);
    places.retain(|&place| is_open(place));
    let ground = (grid, approach.rules);
    let mut field = CostField::new();
    field.compute_past(ground, (center, DETOUR_RADIUS), &places, &[from], |place| {
        if is_open(place) {
            Passage::Free
        } else {
            Passage::Blocked
        }
    });
    let mut counters = Counters::default();
    counters.expanded = field.expanded();
    path.clear();
    let (cost, status) = match walk_down(&field, ground, (from, center), path) {
        Some(cost) => (cost, Status::Found),
        None => (0, Status::Unreachable),
    };
    let outcome = Outcome::new(Method::Dijkstra, status).with_cost(cost);
    Some(outcome.with_counters(counters))
}

/// Lays the way from a cell down the costs of a field to the nearest goal. Returns its cost; `None`
/// if no way leads there.
///
/// Of ways of equal cost it goes to the right of the way toward the target, so that two that meet
/// go to different sides.
pub(crate) fn walk_down(
    field: &CostField,
    ground: (&Grid, Rules),
    (from, toward): (Cell, Cell),
    path: &mut Path,
) -> Option<Cost> {
    let dx = i32::from(toward.x) - i32::from(from.x);
    let dy = i32::from(toward.y) - i32::from(from.y);
    let ahead = Direction::from_delta(dx.signum(), dy.signum()).unwrap_or(Direction::North);
    let mut at = from;
    while field.cost(at)? > 0 {
        let way = field.best_step(ground, at, ahead);
        at = match way {
            Some(way) => at.step(way)?,
            None => field.best_link(ground, at)?,
        };
        path.append(at);
    }
    field.cost(from)
}

/// How many steps from a taken destination bodies look for the free cell that is nearest to it. A
/// guess: a crowd of a thousand fits in there.
const NEARER_STEPS: u16 = 16;

/// Lists the free places that are fewer steps from a destination than a cell, the nearest first.
/// Returns how many are equally near and the nearest.
#[cold]
pub(crate) fn list_nearer(
    (grid, rules): (&Grid, Rules),
    target: &TargetSnapshot,
    from: Cell,
    is_free: impl Fn(Cell) -> bool,
    places: &mut Vec<Cell>,
) -> usize {
    places.clear();
    let (mut wave, mut own, mut nearest) = ((0, 0), None, (0, 0));
    target.for_each_within(grid, rules, NEARER_STEPS, |place, steps| {
        if steps > wave.0 {
            wave = (steps, places.len());
        }
        if place == from {
            own = Some(wave.1);
        }
        if is_free(place) {
            if places.is_empty() || nearest.0 == steps {
                nearest = (steps, nearest.1 + 1);
            }
            places.push(place);
        }
    });
    places.truncate(own.unwrap_or(places.len()));
    nearest.1.min(places.len())
}

/// Lists the places of a target for chasers that come as near as an approach says: those beside it
/// in reading order, then those further away. Bodies do not count.
pub(crate) fn list_places(
    grid: &Grid,
    approach: Approach,
    target: &TargetSnapshot,
    places: &mut Vec<Cell>,
) {
    let rules = approach.rules;
    let (own, other) = (rules.footprint.side(), target.body.side());
    let cell = target.position.cell;
    places.clear();
    let around = fitting(grid, rules, cell, own.into(), other.into());
    places.extend(around.filter(|&anchor| {
        !overlaps(rules, anchor, target) && touches(rules, grid, anchor, target)
    }));
    if target.is_entered || !approach.reaches_further(approach.stop_distance) {
        return;
    }
    let (beside, distance) = (places.len(), approach.stop_distance);
    let stands = grid.for_rules(rules);
    let mut add = |anchor: Cell| {
        let is_new = !overlaps(rules, anchor, target) && !places[..beside].contains(&anchor);
        if is_new && stands.fits(anchor, rules.footprint) {
            places.push(anchor);
        }
    };
    match approach.reach {
        Reach::Steps => target.for_each_within(grid, arm(rules), distance, |at, _| add(at)),
        Reach::Sight => {
            let distance = distance.min(DETOUR_RADIUS);
            let before = distance + u16::from(own) - 1;
            let around = fitting(grid, rules, cell, before, distance + u16::from(other) - 1);
            around
                .filter(|&at| is_in_shot(grid, rules, at, target, distance))
                .for_each(add);
        }
    }
}
