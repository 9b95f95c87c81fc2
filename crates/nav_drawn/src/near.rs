//! The ground around a cell.

use nav_grid::{Cell, Grid, Rules};
use nav_testing::oracle;
use std::collections::{BTreeMap, VecDeque};

/// Returns the cells within `steps_max` steps or links from a cell, nearest first, the cell itself
/// included.
pub fn around(grid: &Grid, center: Cell, steps_max: u32) -> Vec<Cell> {
    spread(center, steps_max, |from| {
        oracle::moves(grid, Rules::default(), from)
    })
}

/// Returns the same for steps and links in both directions, without the cell itself.
pub fn around_either_way(grid: &Grid, center: Cell, steps_max: u32) -> Vec<Cell> {
    let mut cells = spread(center, steps_max, |from| {
        let back = grid.links_to(from).iter().map(|link| link.from);
        oracle::moves(grid, Rules::default(), from).chain(back)
    });
    cells.remove(0);
    cells
}

/// Returns the cells that a number of moves leads to, in the order of that number.
fn spread<I: Iterator<Item = Cell>>(
    center: Cell,
    moves_max: u32,
    moves: impl Fn(Cell) -> I,
) -> Vec<Cell> {
    let mut far = BTreeMap::from([(center, 0)]);
    let mut queue = VecDeque::from([center]);
    let mut cells = Vec::new();
    while let Some(from) = queue.pop_front() {
        let steps = far[&from];
        cells.push(from);
        if steps < moves_max {
            for to in moves(from) {
                far.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    steps + 1
                });
            }
        }
    }
    cells
}

/// Returns the cells of a shortest way, the last one first, or none if there is no way.
pub fn way_to(grid: &Grid, from: Cell, goal: Cell) -> Vec<Cell> {
    let mut before = BTreeMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for to in oracle::moves(grid, Rules::default(), at) {
            before.entry(to).or_insert_with(|| {
                queue.push_back(to);
                at
            });
        }
    }
    let mut way = Vec::new();
    let mut at = goal;
    while at != from {
        let Some(&back) = before.get(&at) else {
            return Vec::new();
        };
        way.push(at);
        at = back;
    }
    way
}
