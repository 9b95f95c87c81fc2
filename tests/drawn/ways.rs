//! All ways on a map, for judging which cells chasers could reach.

use nav::Chaser;
use nav_grid::{Cell, Footprint, Grid, Rules};
use nav_testing::oracle::{self, Goal};
use std::collections::{BTreeMap, VecDeque};

/// All moves of a map, reversed.
pub(super) struct Ways {
    pub(super) cells: Vec<Cell>,
    pub(super) numbers: BTreeMap<Cell, usize>,
    /// The cells with a move to each cell, and its cost.
    back: Vec<Vec<(usize, u64)>>,
    rules: Rules,
}

impl Ways {
    /// Lists the moves of chasers with some rules.
    pub(super) fn of(grid: &Grid, rules: Rules) -> Self {
        let fits = |&at: &Cell| grid.for_rules(rules).fits(at, rules.footprint);
        let cells: Vec<Cell> = grid.walkable_cells().filter(fits).collect();
        let numbers: BTreeMap<Cell, usize> = cells
            .iter()
            .enumerate()
            .map(|(nth, &cell)| (cell, nth))
            .collect();
        let mut back = vec![Vec::new(); cells.len()];
        for (nth, &from) in cells.iter().enumerate() {
            for to in oracle::moves(grid, rules, from) {
                if let Some(&number) = numbers.get(&to) {
                    let cost = grid.move_cost(from, to, rules).unwrap_or(1);
                    back[number].push((nth, cost.into()));
                }
            }
        }
        Self {
            cells,
            numbers,
            back,
            rules,
        }
    }

    /// Returns the number of moves from every cell to the nearest of some ends, by cells that `lets_pass` admits.
    pub(super) fn to(
        &self,
        ends: impl IntoIterator<Item = Cell>,
        lets_pass: impl Fn(Cell) -> bool,
    ) -> Vec<Option<u64>> {
        let mut moves = vec![None; self.cells.len()];
        let mut queue: VecDeque<(usize, u64)> = VecDeque::new();
        for end in ends {
            moves[self.numbers[&end]] = Some(0);
            queue.push_back((self.numbers[&end], 0));
        }
        while let Some((at, before)) = queue.pop_front() {
            if !lets_pass(self.cells[at]) {
                continue;
            }
            for &(from, _) in &self.back[at] {
                if moves[from].is_none() {
                    moves[from] = Some(before + 1);
                    queue.push_back((from, before + 1));
                }
            }
        }
        moves
    }

    /// Returns the cost of the way from every cell to an end.
    pub(super) fn costs_to(&self, end: Cell) -> Vec<Option<u64>> {
        let mut costs = vec![None; self.cells.len()];
        let mut queue = BTreeMap::from([(0, vec![self.numbers[&end]])]);
        while let Some((cost, cells)) = queue.pop_first() {
            for at in cells {
                if costs[at].is_some() {
                    continue;
                }
                costs[at] = Some(cost);
                for &(from, more) in &self.back[at] {
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
        let is_in_reach = move |&at: &Cell| is_in_reach(grid, self.rules.footprint, at, place);
        self.cells.iter().copied().filter(is_in_reach)
    }

    /// Returns whether a chaser at a cell covers a place.
    pub(super) fn covers(&self, at: Cell, place: Cell) -> bool {
        self.rules.footprint.area(at).contains(place)
    }
}

/// Returns whether a chaser of a footprint is beside a target of one cell.
pub(super) fn is_in_reach(grid: &Grid, footprint: Footprint, at: Cell, place: Cell) -> bool {
    let goal = Goal {
        cell: place,
        body: Footprint::ONE,
        is_entered: false,
    };
    let mut chaser = Chaser::default();
    chaser.rules.footprint = footprint;
    !footprint.area(at).contains(place) && oracle::is_within_reach(grid, &chaser, at, goal)
}
