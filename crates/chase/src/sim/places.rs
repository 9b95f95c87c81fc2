//! Draws the cells in which targets and chasers start.

use super::{cell_set::CellSet, error::SimError};
use crate::{
    Scenario,
    scenario::{Bodies, Spawn, limits},
};
use nav_grid::{Cell, CornerRule, Grid, Metric, Rules, index::Regions};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The cells in which agents start.
pub(super) struct Places {
    pub(super) targets: Vec<Cell>,
    pub(super) chasers: Vec<Cell>,
}

/// The target of a chaser. Chasers of one target are spawned one after another, as servers spawn
/// groups, and so lie side by side in memory.
pub(super) const fn target_of(chaser: usize, scenario: &Scenario) -> usize {
    let (targets, chasers) = (scenario.targets as u64, scenario.chasers as u64);
    (chaser as u64 * targets / chasers) as usize
}

/// Draws starting cells, all of them in the largest region of the map, since games do not start
/// players in sealed rooms.
///
/// Chasers with bodies get a cell each, farther away from the target where those asked for are
/// taken.
pub(super) fn places(scenario: &Scenario, grid: &Grid) -> Result<Places, SimError> {
    let region = largest_region(grid);
    if region.count() == 0 {
        return Err(SimError::NoFloor);
    }
    let mut draw = Draw {
        random: Xoshiro256PlusPlus::seed_from_u64(scenario.seed),
        region: &region,
    };
    let targets: Vec<Cell> = (0..scenario.targets).map(|_| draw.anywhere()).collect();
    let chasers = match scenario.bodies {
        Bodies::None => shared(scenario, &mut draw, &targets)?,
        Bodies::Soft | Bodies::Solid => apart(scenario, &mut draw, &targets)?,
    };
    Ok(Places { targets, chasers })
}

/// A cell for every chaser; several may start in one.
fn shared(scenario: &Scenario, draw: &mut Draw, targets: &[Cell]) -> Result<Vec<Cell>, SimError> {
    let region = draw.region;
    let chasers = (0..scenario.chasers as usize).map(|n| match scenario.spawn {
        Spawn::Anywhere => Ok(draw.anywhere()),
        Spawn::Near { min, max } => {
            let target = targets[target_of(n, scenario)];
            draw.near(region, target, min, max)
                .ok_or(SimError::NoRoomNear { target, min, max })
        }
    });
    chasers.collect()
}

/// A cell of its own for every chaser.
fn apart(scenario: &Scenario, draw: &mut Draw, targets: &[Cell]) -> Result<Vec<Cell>, SimError> {
    let full = SimError::Full {
        chasers: scenario.chasers,
        cells: draw.region.count(),
    };
    if u64::from(scenario.chasers) > draw.region.count() {
        return Err(full);
    }
    let mut free = draw.region.clone();
    // Greatest distance at which chasers of each target start. It only grows: a full ring stays full.
    let mut reaches = match scenario.spawn {
        Spawn::Near { max, .. } => vec![max; targets.len()],
        Spawn::Anywhere => Vec::new(),
    };
    let chasers = (0..scenario.chasers as usize).map(|n| {
        let cell = match scenario.spawn {
            Spawn::Anywhere => draw.anywhere_free(&free).ok_or(full)?,
            Spawn::Near { min, .. } => {
                let target = target_of(n, scenario);
                let reach = &mut reaches[target];
                loop {
                    if let Some(cell) = draw.near(&free, targets[target], min, *reach) {
                        break cell;
                    }
                    if *reach >= limits::CELLS_MAX {
                        return Err(full);
                    }
                    *reach = (*reach + *reach / 2 + 1).min(limits::CELLS_MAX);
                }
            }
        };
        free.remove(cell);
        Ok(cell)
    });
    chasers.collect()
}

/// The largest region; the first in reading order among equals.
fn largest_region(grid: &Grid) -> CellSet {
    // Straight steps connect whatever strict corners connect.
    let rules = Rules::new(Metric::FourWay, CornerRule::Strict);
    let regions = Regions::of(grid, rules);
    let largest = regions.largest();
    // Most maps are one region, and looking up millions of labels takes a while.
    let is_one = regions.count() == 1;
    let inside = |cell: &Cell| is_one || regions.label(*cell) == largest;
    CellSet::new(grid.size(), grid.walkable_cells().filter(inside))
}

/// Random cells of a region.
struct Draw<'a> {
    random: Xoshiro256PlusPlus,
    region: &'a CellSet,
}

/// Random cells to try before all free ones are listed. Where one cell in ten is free, all of them
/// miss once in 800 times.
const TRIES: u32 = 64;

impl Draw<'_> {
    /// Any cell of the region, which has one.
    fn anywhere(&mut self) -> Cell {
        let number = self.random.random_range(0..self.region.count());
        self.region.nth(number).unwrap_or_default()
    }

    /// Any cell of the region that is free, if there is one.
    fn anywhere_free(&mut self, free: &CellSet) -> Option<Cell> {
        for _ in 0..TRIES {
            let cell = self.anywhere();
            if free.contains(cell) {
                return Some(cell);
            }
        }
        let pick = self.random.random_range(0..free.count().max(1));
        free.nth(pick)
    }

    /// A cell of `free` from `min` to `max` columns or rows away from `centre`.
    fn near(&mut self, free: &CellSet, centre: Cell, min: u16, max: u16) -> Option<Cell> {
        let (reach, side) = (i32::from(max), u32::from(max) * 2 + 1);
        for _ in 0..TRIES {
            let mut along = || self.random.random_range(0..side) as i32 - reach;
            let (dx, dy) = (along(), along());
            let x = u16::try_from(i32::from(centre.x) + dx);
            let y = u16::try_from(i32::from(centre.y) + dy);
            if let (Ok(x), Ok(y)) = (x, y) {
                let cell = Cell { x, y, ..centre };
                if cell.chebyshev(centre) >= min && free.contains(cell) {
                    return Some(cell);
                }
            }
        }
        let count = free.count_in_ring(centre, min, max);
        let pick = self.random.random_range(0..count.max(1));
        free.nth_in_ring(centre, min, max, pick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn scenario(chasers: u32, spawn: Spawn) -> Scenario {
        Scenario {
            chasers,
            spawn,
            targets: 2,
            bodies: Bodies::Solid,
            ..Scenario::default()
        }
    }

    fn all_apart(scenario: &Scenario, grid: &Grid) -> Vec<Cell> {
        let cells = places(scenario, grid).unwrap().chasers;
        let different: BTreeSet<Cell> = cells.iter().copied().collect();
        assert_eq!(different.len(), scenario.chasers as usize);
        assert!(cells.iter().all(|&cell| grid.is_walkable(cell)));
        cells
    }

    #[test]
    fn chasers_with_bodies_start_on_cells_of_their_own() {
        let grid = mapgen::generate(mapgen::Kind::Rooms, 64, 64, 3).unwrap();
        all_apart(&scenario(500, Spawn::Anywhere), &grid);
        all_apart(&scenario(500, Spawn::Near { min: 5, max: 20 }), &grid);
    }

    #[test]
    fn a_full_ring_is_widened() {
        let grid = Grid::open(64, 64).unwrap();
        let narrow = scenario(400, Spawn::Near { min: 1, max: 2 });
        let places = places(&narrow, &grid).unwrap();
        let away = |n: usize| places.chasers[n].chebyshev(places.targets[target_of(n, &narrow)]);
        assert!((0..15).all(|n| away(n) <= 2), "as near as asked for first");
        let farthest = (0..400).map(away).max();
        assert!((7..=25).contains(&farthest.unwrap()), "{farthest:?}");
        all_apart(&narrow, &grid);
    }

    #[test]
    fn a_map_can_be_filled_to_the_last_cell() {
        let grid = Grid::open(20, 20).unwrap();
        all_apart(&scenario(400, Spawn::Anywhere), &grid);
        let error = places(&scenario(401, Spawn::Anywhere), &grid).err();
        let full = SimError::Full {
            chasers: 401,
            cells: 400,
        };
        assert_eq!(error, Some(full));
        // Nobody starts on the cell of its own target.
        let near = places(&scenario(400, Spawn::Near { min: 9, max: 9 }), &grid);
        assert!(near.is_err());
    }
}
