//! The ground around a cell.

use nav::testing::oracle;
use nav_grid::{Cell, Grid, Rules};
use std::collections::{BTreeMap, VecDeque};

/// The ground around a cell as far as so many steps or links, those nearest first.
pub fn around(grid: &Grid, center: Cell, steps_max: u32) -> Vec<Cell> {
    let mut far = BTreeMap::from([(center, 0)]);
    let mut queue = VecDeque::from([center]);
    let mut cells = Vec::new();
    while let Some(from) = queue.pop_front() {
        let steps = far[&from];
        cells.push(from);
        if steps < steps_max {
            for to in oracle::moves(grid, Rules::default(), from) {
                far.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    steps + 1
                });
            }
        }
    }
    cells
}
