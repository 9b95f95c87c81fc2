//! Draws the cells in which targets and chasers start.

use super::{cell_set::CellSet, error::SimError};
use crate::{
    Scenario,
    scenario::{Bodies, Spawn, limits},
};
use nav_grid::{Area, Cell, CornerRule, Footprint, Grid, Metric, Rules, index::Regions};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// The cells in which agents start.
pub(super) struct Places {
    pub(super) targets: Vec<Cell>,
    pub(super) chasers: Vec<Cell>,
}

/// Returns the target of a chaser. Chasers of one target are spawned in a row, as servers spawn
/// groups, and so are adjacent in memory.
pub(super) const fn target_of(chaser: usize, scenario: &Scenario) -> usize {
    let (targets, chasers) = (scenario.targets as u64, scenario.chasers as u64);
    (chaser as u64 * targets / chasers) as usize
}

/// Draws the start cells, all in the largest region that chasers can walk, because games do not
/// start players in sealed rooms. Targets start where the scenario says, if it does.
///
/// Chasers with bodies get different cells. If all cells in the requested distance are taken, they
/// start farther from the target.
pub(super) fn places(scenario: &Scenario, grid: &Grid) -> Result<Places, SimError> {
    // Straight steps connect whatever strict corners connect.
    let rules =
        Rules::new(Metric::FourWay, CornerRule::Strict).with_classes(scenario.chaser.classes);
    let ground: Vec<CellSet> = (scenario.sizes.iter())
        .map(|&side| largest_region(grid, rules.with_footprint(footprint(side))))
        .collect();
    let walkable = largest_region(grid, rules);
    if walkable.count() == 0 || ground.iter().any(|cells| cells.count() == 0) {
        return Err(SimError::NoFloor);
    }
    let mut given = scenario.target_cells.iter().chain(&scenario.idle);
    if let Some(&cell) = given.find(|&&cell| !grid.is_walkable(cell)) {
        return Err(SimError::NoGround { cell });
    }
    let mut draw = Draw {
        random: Xoshiro256PlusPlus::seed_from_u64(scenario.seed),
    };
    let mut given = scenario.target_cells.iter().copied();
    let targets: Vec<Cell> = (0..scenario.targets)
        .map(|_| given.next().unwrap_or_else(|| draw.anywhere(&walkable)))
        .collect();
    let chasers = match scenario.bodies {
        Bodies::None => shared(scenario, &mut draw, &ground, &targets)?,
        Bodies::Soft | Bodies::Solid => apart(scenario, &mut draw, ground, &targets)?,
    };
    Ok(Places { targets, chasers })
}

/// Returns the footprint of a chaser.
pub(super) fn footprint_of(chaser: usize, scenario: &Scenario) -> Footprint {
    footprint(scenario.sizes[chaser % scenario.sizes.len()])
}

/// All sizes of a checked scenario are valid.
fn footprint(side: u8) -> Footprint {
    Footprint::new(side).unwrap_or_default()
}

/// Draws a cell for every chaser. Several may start in one. `ground` is by size.
fn shared(
    scenario: &Scenario,
    draw: &mut Draw,
    ground: &[CellSet],
    targets: &[Cell],
) -> Result<Vec<Cell>, SimError> {
    let chasers = (0..scenario.chasers as usize).map(|n| {
        let region = &ground[n % ground.len()];
        match scenario.spawn {
            Spawn::Anywhere => Ok(draw.anywhere(region)),
            Spawn::Within { first, last } => {
                let found = draw.within(region, Area::new(first, last));
                found.ok_or(SimError::NoRoomWithin { first, last })
            }
            Spawn::Near { min, max } => {
                let target = targets[target_of(n, scenario)];
                draw.near(region, target, min, max)
                    .ok_or(SimError::NoRoomNear { target, min, max })
            }
        }
    });
    chasers.collect()
}

/// Draws a different cell for every chaser. `free` is by size.
fn apart(
    scenario: &Scenario,
    draw: &mut Draw,
    mut free: Vec<CellSet>,
    targets: &[Cell],
) -> Result<Vec<Cell>, SimError> {
    let cells = free.iter().map(CellSet::count).max().unwrap_or_default();
    let full = SimError::Full {
        chasers: scenario.chasers,
        cells,
    };
    if u64::from(scenario.chasers) > cells {
        return Err(full);
    }
    for &cell in &scenario.idle {
        take(&mut free, &scenario.sizes, Footprint::ONE.area(cell));
    }
    let region = free.clone();
    // Greatest start distance of the chasers of each target. It only grows, because a full ring
    // stays full.
    let mut reaches = match scenario.spawn {
        Spawn::Near { max, .. } => vec![max; targets.len()],
        Spawn::Anywhere | Spawn::Within { .. } => Vec::new(),
    };
    let chasers = (0..scenario.chasers as usize).map(|n| {
        let size = n % free.len();
        let cell = match scenario.spawn {
            Spawn::Anywhere => draw.anywhere_free(&region[size], &free[size]).ok_or(full)?,
            Spawn::Within { first, last } => draw
                .within(&free[size], Area::new(first, last))
                .ok_or(SimError::NoRoomWithin { first, last })?,
            Spawn::Near { min, .. } => {
                let target = target_of(n, scenario);
                let reach = &mut reaches[target];
                loop {
                    if let Some(cell) = draw.near(&free[size], targets[target], min, *reach) {
                        break cell;
                    }
                    if *reach >= limits::CELLS_MAX {
                        return Err(full);
                    }
                    *reach = (*reach + *reach / 2 + 1).min(limits::CELLS_MAX);
                }
            }
        };
        let taken = footprint_of(n, scenario).area(cell);
        take(&mut free, &scenario.sizes, taken);
        Ok(cell)
    });
    chasers.collect()
}

/// Removes a body from the ground of each size: all places from which another body would cover its
/// cells.
fn take(free: &mut [CellSet], sizes: &[u8], taken: Area) {
    for (cells, &side) in free.iter_mut().zip(sizes) {
        let first = taken.first();
        let before = u16::from(side) - 1;
        let corner = Cell {
            x: first.x.saturating_sub(before),
            y: first.y.saturating_sub(before),
            ..first
        };
        for cell in Area::new(corner, taken.last()).cells() {
            cells.remove(cell);
        }
    }
}

/// Returns the largest region of places for bodies of some rules; the first in reading order among
/// equals.
fn largest_region(grid: &Grid, rules: Rules) -> CellSet {
    let regions = Regions::of(grid, rules);
    let largest = regions.largest();
    // Most maps are one region, and looking up millions of labels takes a while.
    let is_one = regions.count() == 1 && rules.footprint == Footprint::ONE;
    let ground = grid.for_rules(rules);
    let cells = ground
        .walkable_cells()
        .filter(|&cell| is_one || largest.is_some() && regions.label(cell) == largest);
    CellSet::new(grid.size(), cells)
}

/// Random cells.
struct Draw {
    random: Xoshiro256PlusPlus,
}

/// Random cells to try before all free ones are listed. If one cell in ten is free, all of them
/// miss once in 800 times.
const TRIES: u32 = 64;

impl Draw {
    /// Draws a cell of a region that is not empty.
    fn anywhere(&mut self, region: &CellSet) -> Cell {
        let number = self.random.random_range(0..region.count().max(1));
        region.nth(number).unwrap_or_default()
    }

    /// Draws a free cell of a region, if there is one.
    fn anywhere_free(&mut self, region: &CellSet, free: &CellSet) -> Option<Cell> {
        for _ in 0..TRIES {
            let cell = self.anywhere(region);
            if free.contains(cell) {
                return Some(cell);
            }
        }
        let pick = self.random.random_range(0..free.count().max(1));
        free.nth(pick)
    }

    /// Draws a cell of `free` in an area.
    fn within(&mut self, free: &CellSet, area: Area) -> Option<Cell> {
        let (first, last) = (area.first(), area.last());
        for _ in 0..TRIES {
            let cell = Cell {
                x: self.random.random_range(first.x..=last.x),
                y: self.random.random_range(first.y..=last.y),
                ..first
            };
            if free.contains(cell) {
                return Some(cell);
            }
        }
        let cells: Vec<Cell> = area.cells().filter(|&cell| free.contains(cell)).collect();
        let pick = self.random.random_range(0..cells.len().max(1));
        cells.get(pick).copied()
    }

    /// Draws a cell of `free` from `min` to `max` columns or rows away from `centre`.
    fn near(&mut self, free: &CellSet, centre: Cell, min: u16, max: u16) -> Option<Cell> {
        let (reach, side) = (i32::from(max), u32::from(max) * 2 + 1);
        for _ in 0..TRIES {
            let [x, y] = [centre.x, centre.y].map(|from| {
                let along = self.random.random_range(0..side) as i32 - reach;
                u16::try_from(i32::from(from) + along)
            });
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
    fn bodies_start_apart() {
        let grid = mapgen::generate(mapgen::Kind::Rooms, 64, 64, 3).unwrap();
        all_apart(&scenario(500, Spawn::Anywhere), &grid);
        all_apart(&scenario(500, Spawn::Near { min: 5, max: 20 }), &grid);
    }

    #[test]
    fn sizes_and_idle_bodies_apart() {
        let grid = mapgen::generate(mapgen::Kind::Clutter { percent: 5 }, 64, 64, 3).unwrap();
        let idle: Vec<Cell> = grid.walkable_cells().step_by(40).collect();
        let corners = (Cell::new(5, 5), Cell::new(50, 40));
        for spawn in [
            Spawn::Anywhere,
            Spawn::Near { min: 2, max: 9 },
            Spawn::Within {
                first: corners.0,
                last: corners.1,
            },
        ] {
            let scenario = Scenario {
                sizes: vec![3, 1, 2],
                idle: idle.clone(),
                ..scenario(90, spawn)
            };
            let places = places(&scenario, &grid).unwrap();
            let mut taken: BTreeSet<Cell> = idle.iter().copied().collect();
            for (n, &cell) in places.chasers.iter().enumerate() {
                for cell in footprint_of(n, &scenario).area(cell).cells() {
                    assert!(grid.is_walkable(cell), "{cell} {spawn:?}");
                    assert!(taken.insert(cell), "{cell} is taken twice: {spawn:?}");
                }
            }
            assert_eq!(taken.len(), idle.len() + 30 * (9 + 1 + 4));
        }
    }

    #[test]
    fn given_places_of_targets() {
        let grid = Grid::open(20, 20).unwrap();
        let cell = Cell::new(7, 3);
        let mut scenario = Scenario {
            target_cells: vec![cell],
            ..scenario(4, Spawn::Near { min: 1, max: 5 })
        };
        assert_eq!(places(&scenario, &grid).unwrap().targets[0], cell);
        scenario.idle = vec![Cell::new(20, 3)];
        let error = places(&scenario, &grid).err();
        let cell = Cell::new(20, 3);
        assert_eq!(error, Some(SimError::NoGround { cell }));
    }

    #[test]
    fn full_ring_is_widened() {
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
    fn full_map() {
        let grid = Grid::open(20, 20).unwrap();
        all_apart(&scenario(400, Spawn::Anywhere), &grid);
        let error = places(&scenario(401, Spawn::Anywhere), &grid).err();
        let full = SimError::Full {
            chasers: 401,
            cells: 400,
        };
        assert_eq!(error, Some(full));
        // No chaser starts on the cell of its own target.
        let near = places(&scenario(400, Spawn::Near { min: 9, max: 9 }), &grid);
        assert!(near.is_err());
    }
}
