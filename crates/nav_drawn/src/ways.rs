//! All ways on a map, for judging which cells chasers could reach.

use nav::Chaser;
use nav_grid::{Area, Cell, Footprint, Grid, Rules, Size};
use nav_testing::oracle::{self, Goal};
use std::collections::{BTreeMap, VecDeque};

/// Moves between cells that have numbers.
struct Moves {
    /// Those of one cell after another: the number of the other cell, and their cost.
    all: Vec<(u32, u64)>,
    /// The first of the moves of each cell, and behind the last cell the number of all.
    firsts: Vec<usize>,
}

impl Moves {
    /// Sorts moves between `cells` cells, each given as the numbers of two cells and its cost, by
    /// the first of these.
    fn by_first(cells: usize, moves: impl Iterator<Item = (u32, u32, u64)> + Clone) -> Self {
        // By counting: a sort that compares takes twice as long as listing the moves.
        let mut firsts = vec![0; cells + 1];
        for (cell, ..) in moves.clone() {
            firsts[cell as usize + 1] += 1;
        }
        for number in 1..firsts.len() {
            firsts[number] += firsts[number - 1];
        }
        let mut next = firsts.clone();
        let mut all = vec![(0, 0); firsts[cells]];
        for (cell, other, cost) in moves {
            let place = &mut next[cell as usize];
            all[*place] = (other, cost);
            *place += 1;
        }
        Self { all, firsts }
    }

    /// Returns the moves of a cell: the number of the other cell, and their cost.
    fn of(&self, cell: usize) -> impl Iterator<Item = (usize, u64)> {
        let moves = &self.all[self.firsts[cell]..self.firsts[cell + 1]];
        moves.iter().map(|&(other, cost)| (other as usize, cost))
    }
}

/// All moves of a map.
pub(super) struct Ways {
    pub(super) cells: Vec<Cell>,
    /// The number of each cell of the map in `cells`.
    numbers: Vec<Option<u32>>,
    size: Size,
    /// The moves to each cell, from the cells where they begin.
    back: Moves,
    /// The moves from each cell, to the cells that they lead to.
    ahead: Moves,
    rules: Rules,
}

impl Ways {
    /// Lists the moves of chasers with some rules.
    pub(super) fn of(grid: &Grid, rules: Rules) -> Self {
        let mut cells: Vec<Cell> = grid.walkable_cells().collect();
        cells.retain(|&at| grid.for_rules(rules).fits(at, rules.footprint));
        let size = grid.size();
        let mut numbers = vec![None; size.cells() as usize];
        for (number, &cell) in (0..).zip(&cells) {
            numbers[size.index(cell)] = Some(number);
        }
        let mut moves = Vec::new();
        for (from, &cell) in (0..).zip(&cells) {
            for to in oracle::moves(grid, rules, cell) {
                if let Some(number) = numbers[size.index(to)] {
                    let cost = grid.move_cost(cell, to, rules).unwrap_or(1);
                    moves.push((from, number, cost.into()));
                }
            }
        }
        let back = moves.iter().map(|&(from, to, cost)| (to, from, cost));
        Self {
            back: Moves::by_first(cells.len(), back),
            ahead: Moves::by_first(cells.len(), moves.iter().copied()),
            cells,
            numbers,
            size,
            rules,
        }
    }

    /// Returns the number of a cell, if chasers with the rules may be there.
    pub(super) fn number(&self, cell: Cell) -> Option<usize> {
        let number = self.numbers[self.size.index(cell)];
        number.map(|number| number as usize)
    }

    /// Returns the number of moves from every cell to the nearest of some ends, by cells that
    /// `lets_pass` admits.
    pub(super) fn to(
        &self,
        ends: impl IntoIterator<Item = Cell>,
        lets_pass: impl Fn(Cell) -> bool,
    ) -> Vec<Option<u64>> {
        let mut moves = vec![None; self.cells.len()];
        let mut queue: VecDeque<(usize, u64)> = VecDeque::new();
        for end in ends {
            if let Some(number) = self.number(end) {
                moves[number] = Some(0);
                queue.push_back((number, 0));
            }
        }
        while let Some((at, before)) = queue.pop_front() {
            if !lets_pass(self.cells[at]) {
                continue;
            }
            for (from, _) in self.back.of(at) {
                if moves[from].is_none() {
                    moves[from] = Some(before + 1);
                    queue.push_back((from, before + 1));
                }
            }
        }
        moves
    }

    /// Returns which cells a chaser gets to from a cell, by cells that `lets_pass` admits besides
    /// the first one.
    pub(super) fn from(&self, start: Cell, lets_pass: impl Fn(Cell) -> bool) -> Vec<bool> {
        let mut is_reached = vec![false; self.cells.len()];
        let mut queue: Vec<usize> = self.number(start).into_iter().collect();
        while let Some(at) = queue.pop() {
            if is_reached[at] {
                continue;
            }
            is_reached[at] = true;
            if self.cells[at] == start || lets_pass(self.cells[at]) {
                queue.extend(self.ahead.of(at).map(|(to, _)| to));
            }
        }
        is_reached
    }

    /// Returns the cost of the way from every cell to an end.
    pub(super) fn costs_to(&self, end: Cell) -> Vec<Option<u64>> {
        let mut costs = vec![None; self.cells.len()];
        let ends: Vec<usize> = self.number(end).into_iter().collect();
        let mut queue = BTreeMap::from([(0, ends)]);
        while let Some((cost, cells)) = queue.pop_first() {
            for at in cells {
                if costs[at].is_some() {
                    continue;
                }
                costs[at] = Some(cost);
                for (from, more) in self.back.of(at) {
                    if costs[from].is_none() {
                        queue.entry(cost + more).or_default().push(from);
                    }
                }
            }
        }
        costs
    }

    /// Returns the cells from which a target at a place is within reach.
    pub(super) fn places(&self, grid: &Grid, place: Cell) -> impl Iterator<Item = Cell> {
        let footprint = self.rules.footprint;
        let near = Area::from(place).grown(footprint.side().into(), 1);
        near.clipped(self.size)
            .cells()
            .filter(move |&at| self.number(at).is_some() && is_in_reach(grid, footprint, at, place))
    }

    /// Returns whether a chaser at a cell covers a place.
    pub(super) fn covers(&self, at: Cell, place: Cell) -> bool {
        self.rules.footprint.area(at).contains(place)
    }
}

/// Returns whether a chaser of a footprint is beside a target of one cell.
pub(super) fn is_in_reach(grid: &Grid, footprint: Footprint, at: Cell, place: Cell) -> bool {
    // Asked of every chaser in every tick, and mostly answered by this.
    if at.floor != place.floor || at.chebyshev(place) > footprint.side().into() {
        return false;
    }
    let goal = Goal {
        cell: place,
        body: Footprint::ONE,
        is_entered: false,
    };
    let mut chaser = Chaser::default();
    chaser.rules.footprint = footprint;
    !footprint.area(at).contains(place) && oracle::is_within_reach(grid, &chaser, at, goal)
}
