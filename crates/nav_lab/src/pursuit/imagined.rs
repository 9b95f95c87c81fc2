//! Imagined pursuers, which know at every step where their target is. Real chasers are measured
//! against them.

use nav_grid::{Cell, Grid, Rules};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns whether a cell is the target's, or one step from it.
pub fn is_beside(grid: &Grid, at: Cell, target: Cell) -> bool {
    at == target || grid.allows_step(at, target, Rules::default())
}

/// Returns how many pursuers are beside a target.
pub(super) fn beside(grid: &Grid, pursuers: &[Cell], target: Cell) -> usize {
    (pursuers.iter())
        .filter(|&&at| is_beside(grid, at, target))
        .count()
}

/// Returns the cells one step away.
fn steps(grid: &Grid, from: Cell) -> impl Iterator<Item = Cell> {
    let ways = grid.steps(from, Rules::default()).into_iter();
    ways.filter_map(move |way| from.step(way))
}

/// Returns the cells one step before a target.
pub fn ring(grid: &Grid, target: Cell) -> Vec<Cell> {
    steps(grid, target)
        .filter(|&cell| is_beside(grid, cell, target))
        .collect()
}

/// Greatest distance in steps that a search spreads, far above the distances that occur: pursuers
/// start four to eight cells from the target and stay near it.
const FAR_MAX: u32 = 80;

/// Returns the number of steps to the nearest of the cells `from`, for all cells around them. Stops
/// when all cells `wanted` have a distance. Does not enter closed cells.
fn spread(
    grid: &Grid,
    from: &[Cell],
    closed: impl Fn(Cell) -> bool,
    wanted: &[Cell],
) -> BTreeMap<Cell, u32> {
    let mut missing: BTreeSet<Cell> = wanted.iter().copied().collect();
    let mut far: BTreeMap<Cell, u32> = from.iter().map(|&cell| (cell, 0)).collect();
    let mut queue: VecDeque<Cell> = from.iter().copied().collect();
    while let Some(cell) = queue.pop_front() {
        missing.remove(&cell);
        let next = far[&cell] + 1;
        if missing.is_empty() || next > FAR_MAX {
            break;
        }
        for to in steps(grid, cell) {
            if !closed(to) && !far.contains_key(&to) {
                far.insert(to, next);
                queue.push_back(to);
            }
        }
    }
    far
}

/// Returns the distance of a cell, the greatest number if none is known.
fn far(distances: &BTreeMap<Cell, u32>, at: Cell) -> u32 {
    distances.get(&at).copied().unwrap_or(u32::MAX)
}

/// Ghosts that each take a shortest path to the target's current cell.
#[derive(Clone, Debug)]
pub struct Ghosts(pub Vec<Cell>);

impl Ghosts {
    /// Moves each ghost by a step, except those beside the target.
    pub fn step(&mut self, grid: &Grid, target: Cell) {
        let far = spread(grid, &[target], |_| false, &self.0);
        for at in &mut self.0 {
            if is_beside(grid, *at, target) {
                continue;
            }
            let onward = steps(grid, *at).filter(|cell| far.contains_key(cell));
            let next = onward.min_by_key(|cell| (far[cell], cell.manhattan(target), *cell));
            if let Some(next) = next.filter(|&next| next != target) {
                *at = next;
            }
        }
    }

    /// Returns the number of ghosts beside a target.
    pub fn beside(&self, grid: &Grid, target: Cell) -> usize {
        beside(grid, &self.0, target)
    }
}

/// Solid bodies that know where the target is and was, and which cells around it are free.
#[derive(Clone, Debug)]
pub struct Pack {
    pub(super) places: Vec<Cell>,
    /// The cell of the target at the previous step.
    seen: Cell,
}

impl Pack {
    /// Creates a pack that chases a target.
    pub const fn new(places: Vec<Cell>, target: Cell) -> Self {
        Self {
            places,
            seen: target,
        }
    }

    /// Moves each body by a step.
    ///
    /// Bodies around a target that moved one step take the same step, the front first, so the ring
    /// stays as full as it was. Of the others, those nearest to a free cell of the ring go there,
    /// around the bodies beside the target. The rest comes as near as possible.
    pub fn step(&mut self, grid: &Grid, target: Cell) {
        let mut taken: BTreeSet<Cell> = self.places.iter().copied().collect();
        let mut done = vec![false; self.places.len()];
        if let Some(way) = self.seen.direction_to(target) {
            let (dx, dy) = way.delta();
            let mut order: Vec<usize> = (0..self.places.len()).collect();
            order.sort_by_key(|&n| {
                let ahead = i32::from(self.places[n].x) * dx + i32::from(self.places[n].y) * dy;
                (-ahead, n)
            });
            for n in order {
                let at = self.places[n];
                let goes_with = at.chebyshev(self.seen) <= 1;
                let to = at.step(way).filter(|&to| {
                    let legal = grid.allows_step(at, to, Rules::default());
                    goes_with && legal && to != target && !taken.contains(&to)
                });
                if let Some(to) = to {
                    taken.remove(&at);
                    taken.insert(to);
                    self.places[n] = to;
                    done[n] = true;
                }
            }
        }
        self.seen = target;
        let resting: BTreeSet<Cell> = (self.places.iter().copied())
            .filter(|&at| at != target && is_beside(grid, at, target))
            .collect();
        let free: Vec<Cell> = ring(grid, target)
            .into_iter()
            .filter(|cell| !resting.contains(cell))
            .collect();
        let closed = |cell: Cell| cell == target || resting.contains(&cell);
        let under_way: Vec<Cell> = (self.places.iter().copied())
            .filter(|&at| !closed(at))
            .collect();
        let around = spread(grid, &free, closed, &under_way);
        let straight = spread(grid, &[target], |_| false, &self.places);
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.retain(|&n| !done[n] && !resting.contains(&self.places[n]));
        // A body on the target's new cell leaves first.
        order.sort_by_key(|&n| {
            let at = self.places[n];
            (at != target, far(&around, at), far(&straight, at), n)
        });
        for (turn, n) in order.into_iter().enumerate() {
            let at = self.places[n];
            let goes_round = turn < free.len() && (at == target || around.contains_key(&at));
            let map = if goes_round { &around } else { &straight };
            let own = if at == target { u32::MAX } else { far(map, at) };
            let onward = steps(grid, at)
                .filter(|&cell| far(map, cell) < own && cell != target && !taken.contains(&cell));
            let next = onward.min_by_key(|&cell| (far(map, cell), cell.manhattan(target), cell));
            if let Some(next) = next {
                taken.remove(&at);
                taken.insert(next);
                self.places[n] = next;
            }
        }
    }

    /// Returns the number of bodies beside a target.
    pub fn beside(&self, grid: &Grid, target: Cell) -> usize {
        beside(grid, &self.places, target)
    }
}
