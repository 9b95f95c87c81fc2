//! The places of a target: where a chaser's body is within reach of it.

use crate::systems::{
    reach::{Approach, DETOUR_RADIUS, for_each_within, overlaps, sees, touches},
    storage::targets::TargetSnapshot,
};
use nav_grid::{
    Area, Cell, Directions, Grid,
    fields::{DetourField, Passage},
};

/// The place to which the least costly way leads, bodies aside, if one does that is not too long: for
/// large bodies, of whose places some are often cut off. Looks at all ground around the target: not for
/// every search.
#[cold]
pub(crate) fn nearest_place(
    grid: &Grid,
    approach: Approach,
    from: Cell,
    target: &TargetSnapshot,
) -> Option<Cell> {
    let mut places = Vec::new();
    list_places(grid, approach, target, &mut places);
    let ground = (grid, approach.rules);
    let window = (target.position.cell, DETOUR_RADIUS);
    let mut field = DetourField::new();
    field.compute(ground, window, &places, &[from], |place| {
        if overlaps(approach.rules, place, target) {
            Passage::Blocked
        } else {
            Passage::Free
        }
    });
    let mut at = from;
    while field.cost(at)? > 0 {
        let way = field.best_step(ground, at, Directions::ALL);
        at = match way {
            Some(way) => at.step(way)?,
            None => field.best_link(ground, at)?,
        };
    }
    Some(at)
}

/// Lists the places of a target for chasers that come as near as an approach says: those beside it in
/// reading order, then those further away. Bodies do not count.
pub(super) fn list_places(
    grid: &Grid,
    approach: Approach,
    target: &TargetSnapshot,
    places: &mut Vec<Cell>,
) {
    let rules = approach.rules;
    let (cell, side) = (target.position.cell, u16::from(rules.footprint.side()));
    places.clear();
    let first = Cell {
        x: cell.x.saturating_sub(side),
        y: cell.y.saturating_sub(side),
        ..cell
    };
    let last = Cell {
        x: cell.x.saturating_add(target.body.side().into()),
        y: cell.y.saturating_add(target.body.side().into()),
        ..cell
    };
    let around = Area::new(first, last).clipped(grid.size());
    places.extend(around.cells().filter(|&anchor| {
        grid.fits(anchor, rules.footprint)
            && !overlaps(rules, anchor, target)
            && touches(rules, grid, anchor, target)
    }));
    if approach.stop_distance > 1 && !target.is_entered {
        let beside = places.len();
        for_each_within(grid, rules, approach.stop_distance, target, |anchor| {
            let is_seen = || !approach.needs_sight || sees(grid, rules, anchor, target);
            if !overlaps(rules, anchor, target) && !places[..beside].contains(&anchor) && is_seen()
            {
                places.push(anchor);
            }
        });
    }
}
