//! The walks of the targets.

use crate::{
    grid::{Cell, DIRECTIONS, Map},
    random::Random,
};

/// Ticks between two steps of a target: 4 cells a second at 20 Hz. Chasers take 5, so that they
/// catch up slowly. A guess at a player beside slightly faster monsters.
const STEP_TICKS: usize = 5;

/// The most steps that a target takes in one direction. A guess: with fewer it stays where it is,
/// and nobody searches; with more it walks along a wall for the rest of the run.
const STRAIGHT: u32 = 20;

/// Returns the cells of a target that wanders from `start`, one for each tick.
pub(crate) fn wander(map: &Map, start: Cell, ticks: usize, random: &mut Random) -> Vec<Cell> {
    let mut cell = start;
    let (mut direction, mut left) = (DIRECTIONS[0], 0);
    let mut cells = Vec::with_capacity(ticks);
    for tick in 0..ticks {
        cells.push(cell);
        if tick % STEP_TICKS != STEP_TICKS - 1 {
            continue;
        }
        if left == 0 {
            (direction, left) = turn(random);
        }
        // As many tries as there are directions: a target in a dead end stands for a step.
        for _ in DIRECTIONS {
            if let Some(end) = map.step(cell, direction) {
                cell = end;
                left -= 1;
                break;
            }
            (direction, left) = turn(random);
        }
    }
    cells
}

fn turn(random: &mut Random) -> ((i16, i16), u32) {
    let direction = DIRECTIONS[random.below(DIRECTIONS.len() as u32) as usize];
    (direction, 1 + random.below(STRAIGHT))
}
