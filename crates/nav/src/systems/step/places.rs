//! The places of a target: where a chaser's body is within reach of it.

use crate::systems::{
    reach::{Approach, for_each_within, overlaps, touches},
    storage::targets::TargetSnapshot,
};
use nav_grid::{Area, Cell, Grid};

/// Lists the places of a target for chasers that come as near as an approach says: those beside it in
/// reading order, then those further away. Bodies do not count.
pub(super) fn list_places(
    grid: &Grid,
    approach: Approach,
    target: &TargetSnapshot,
    places: &mut Vec<Cell>,
) {
    let Approach {
        rules,
        stop_distance,
        ..
    } = approach;
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
    if stop_distance > 1 {
        let beside = places.len();
        for_each_within(grid, approach, cell, |anchor| {
            if !overlaps(rules, anchor, target) && !places[..beside].contains(&anchor) {
                places.push(anchor);
            }
        });
    }
}
