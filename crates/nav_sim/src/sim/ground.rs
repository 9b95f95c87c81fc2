//! The map with the bodies that stay, and the regions around them.

use nav_grid::{Area, Cell, Direction, Grid, Rules, index::Regions};
use std::collections::BTreeSet;

/// Whether a body blocks a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Taken {
    /// Nothing that lasts.
    No,
    /// A waiting body, which would make room.
    Waits,
    /// A body within reach of its target, or an idle one.
    Stays,
}

/// The map with the bodies that stay.
pub(super) struct Ground<'a> {
    grid: &'a Grid,
    /// By cell.
    taken: Vec<Taken>,
    /// Regions by the rules requested so far.
    regions: Vec<(Rules, Regions)>,
    /// Free ground by the rules and bodies requested so far.
    free: Vec<FreeGround>,
}

/// The parts of the map in which bodies of some rules can move, around bodies that count as
/// `closed` or more.
struct FreeGround {
    rules: Rules,
    closed: Taken,
    /// The part of each cell, or 0 where it is not known yet.
    labels: Vec<u32>,
    count: u32,
    /// Scratch memory: cells of the part being labelled.
    cells: Vec<Cell>,
}

impl<'a> Ground<'a> {
    /// Creates it without bodies. O(cells).
    pub(super) fn new(grid: &'a Grid) -> Self {
        Self {
            grid,
            taken: vec![Taken::No; grid.size().cells() as usize],
            regions: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(super) const fn grid(&self) -> &'a Grid {
        self.grid
    }

    fn index(&self, cell: Cell) -> usize {
        self.grid.size().index(cell)
    }

    /// Adds a body.
    pub(super) fn occupy(&mut self, area: Area, taken: Taken) {
        for cell in area.cells() {
            if self.grid.contains(cell) {
                let index = self.index(cell);
                self.taken[index] = self.taken[index].max(taken);
            }
        }
    }

    /// Returns the regions of the map for bodies of some rules, ignoring bodies.
    pub(super) fn regions(&mut self, rules: Rules) -> &Regions {
        let known = self.regions.iter().position(|(of, _)| *of == rules);
        let index = known.unwrap_or_else(|| {
            let regions = Regions::of(self.grid, rules);
            self.regions.push((rules, regions));
            self.regions.len() - 1
        });
        &self.regions[index].1
    }

    /// Returns for each cell whether a chaser there can get to one of the places in its region,
    /// around bodies that count as `closed` or more.
    ///
    /// Steps and links of one direction count as both. O(cells of the map) for all calls with the
    /// same rules, and O(1) for each cell and place.
    pub(super) fn who_finds_a_place(
        &mut self,
        places: &[Cell],
        (rules, closed): (Rules, Taken),
        from: impl Iterator<Item = Cell>,
    ) -> Vec<bool> {
        let known = self
            .free
            .iter()
            .position(|free| (free.rules, free.closed) == (rules, closed));
        let mut free = match known {
            Some(known) => self.free.swap_remove(known),
            None => FreeGround {
                rules,
                closed,
                labels: vec![0; self.taken.len()],
                count: 0,
                cells: Vec::new(),
            },
        };
        let labels: BTreeSet<u32> = (places.iter())
            .filter_map(|&at| free.label(self, at))
            .collect();
        let grid = self.grid;
        let mut found = Vec::new();
        for at in from {
            // A body that waits closes its own cell, so the cells one step away count too.
            let steps = grid.steps(at, rules).into_iter();
            let mut near = std::iter::once(at)
                .chain(steps.filter_map(|way| at.step(way)))
                .chain(grid.links_from(at).iter().map(|link| link.to));
            found.push(near.any(|at| {
                let label = free.label(self, at);
                label.is_some_and(|label| labels.contains(&label))
            }));
        }
        self.free.push(free);
        found
    }

    /// Returns whether a body fits at a place, and no other body there counts as `closed` or more.
    fn is_free(&self, at: Cell, rules: Rules, closed: Taken) -> bool {
        let mut cells = rules.footprint.area(at).cells();
        self.grid.for_rules(rules).fits(at, rules.footprint)
            && cells.all(|cell| self.taken[self.index(cell)] < closed)
    }
}

impl FreeGround {
    /// Returns the part of a cell; `None` where a body blocks.
    fn label(&mut self, ground: &Ground, at: Cell) -> Option<u32> {
        if !ground.is_free(at, self.rules, self.closed) {
            return None;
        }
        let index = ground.index(at);
        if self.labels[index] == 0 {
            self.look(ground, at);
        }
        Some(self.labels[index])
    }

    /// Labels a cell and all cells that lead there or that it leads to, breadth first.
    fn look(&mut self, ground: &Ground, at: Cell) {
        let Self { rules, closed, .. } = *self;
        let grid = ground.grid;
        self.count += 1;
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.push(at);
        self.labels[ground.index(at)] = self.count;
        let mut next = 0;
        while let Some(&cell) = cells.get(next) {
            next += 1;
            let steps = Direction::ALL.into_iter().filter_map(|way| {
                let other = cell.step(way).filter(|&other| grid.contains(other))?;
                Some((other, true))
            });
            let links_from = grid.links_from(cell).iter().map(|link| link.to);
            let links_to = grid.links_to(cell).iter().map(|link| link.from);
            let links = links_from.chain(links_to).map(|other| (other, false));
            for (other, is_step) in steps.chain(links) {
                let label = &mut self.labels[ground.index(other)];
                // Most are labelled. Only for the others, checks whether a step leads there.
                if *label != 0 || !ground.is_free(other, rules, closed) {
                    continue;
                }
                if !is_step
                    || grid.allows_step(cell, other, rules)
                    || grid.allows_step(other, cell, rules)
                {
                    *label = self.count;
                    cells.push(other);
                }
            }
        }
        self.cells = cells;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nav_grid::map::text;
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    const SIZE: (u16, u16) = (12, 9);

    fn draw(random: &mut Xoshiro256PlusPlus) -> Cell {
        Cell::new(
            random.random_range(0..SIZE.0),
            random.random_range(0..SIZE.1),
        )
    }

    /// Returns whether a chaser gets to one of the places, cell by cell.
    fn gets_to(
        ground: &Ground,
        places: &[Cell],
        (rules, closed): (Rules, Taken),
        at: Cell,
    ) -> bool {
        let mut cells = vec![at];
        let mut next = 0;
        while let Some(&cell) = cells.get(next) {
            next += 1;
            if places.contains(&cell) && ground.is_free(cell, rules, closed) {
                return true;
            }
            let others = Direction::ALL.into_iter().filter_map(|way| cell.step(way));
            for to in others {
                let leads = ground.grid.allows_step(cell, to, rules);
                if leads && ground.is_free(to, rules, closed) && !cells.contains(&to) {
                    cells.push(to);
                }
            }
        }
        false
    }

    #[test]
    fn places_equal_flooding() {
        for seed in 0..300 {
            let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut rows = vec![vec![b'.'; SIZE.0.into()]; SIZE.1.into()];
            for _ in 0..25 {
                let wall = draw(random);
                rows[usize::from(wall.y)][usize::from(wall.x)] = b'#';
            }
            let grid = text::read(rows.join(&b'\n').as_slice()).unwrap();
            let mut ground = Ground::new(&grid);
            for taken in [Taken::Waits, Taken::Stays] {
                for _ in 0..20 {
                    let at = draw(random);
                    ground.occupy(Area::new(at, at), taken);
                }
            }
            for closed in [Taken::Waits, Taken::Stays, Taken::Waits] {
                let walkable = |at: &Cell| grid.is_walkable(*at);
                let places: Vec<Cell> = (0..3).map(|_| draw(random)).filter(walkable).collect();
                let from: Vec<Cell> = (0..20).map(|_| draw(random)).filter(walkable).collect();
                let of = (Rules::default(), closed);
                let found = ground.who_finds_a_place(&places, of, from.iter().copied());
                for (&at, found) in from.iter().zip(found) {
                    let expected = gets_to(&ground, &places, of, at);
                    assert_eq!(
                        found, expected,
                        "seed {seed}: from {at} to {places:?}, {closed:?}"
                    );
                }
            }
        }
    }
}
