//! The places of a target: where a chaser's body is within reach of it.

use crate::systems::{
    reach::{Approach, covering, overlaps, touches},
    storage::targets::TargetSnapshot,
};
use bevy_platform::collections::HashSet;
use nav_grid::{Area, Cell, Direction, Grid};

/// Lists the places of a target for chasers that come as near as an approach says, in no more than
/// so many columns and rows around it: those beside it in reading order, then those from which it
/// takes two steps to where it is, and so on. Bodies do not count.
pub(super) fn list_places(
    grid: &Grid,
    approach: Approach,
    target: &TargetSnapshot,
    radius: u16,
    places: &mut Vec<Cell>,
) {
    let Approach {
        rules,
        stop_distance,
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
    if stop_distance <= 1 {
        return;
    }
    let mut known: HashSet<Cell> = places.iter().copied().collect();
    let mut wave: Vec<Cell> = covering(grid, rules.footprint, cell).collect();
    known.extend(wave.iter().copied());
    for _ in 0..stop_distance {
        let mut next = Vec::new();
        for &to in &wave {
            for way in Direction::ALL {
                let Some(from) = to.step(way) else { continue };
                if from.chebyshev(cell) <= radius
                    && grid.fits(from, rules.footprint)
                    && grid.allows_step(from, to, rules)
                    && (known.insert(from) || places.contains(&from))
                    && !next.contains(&from)
                {
                    next.push(from);
                    if !overlaps(rules, from, target) && !places.contains(&from) {
                        places.push(from);
                    }
                }
            }
        }
        wave = next;
    }
}
