//! Players that run round a pillar.

use crate::scene::{TICK_RATE, TestWorld};
use nav::{Chaser, MoveTimer, Period};
use nav_grid::Cell;

/// A pillar of 5×5 cells on open ground.
pub const PILLAR: [&str; 9] = [
    ".........", //
    ".........",
    "..#####..",
    "..#####..",
    "..#####..",
    "..#####..",
    "..#####..",
    ".........",
    ".........",
];

/// Returns the cells around the pillar, in order.
pub fn round() -> Vec<Cell> {
    let side = |from: u16| from..from + 6;
    let round = side(1)
        .map(|x| (x, 1))
        .chain(side(1).map(|y| (7, y)))
        .chain(side(2).rev().map(|x| (x, 7)))
        .chain(side(2).rev().map(|y| (1, y)));
    round.map(Cell::from).collect()
}

/// Moves a player round a pillar, away from a chaser, four cells a second for a minute. Returns the
/// ticks in which the chaser was beside it, and its searches.
fn run_round(step: Period) -> (u64, usize) {
    let mut world = TestWorld::new(&PILLAR);
    let round = round();
    let mut at = 12;
    let player = world.target(round[at]);
    let npc = world.chaser_with(Chaser::default(), round[0], player);
    world.get_mut::<MoveTimer>(npc).chasing = step;
    let (count, mut beside) = (round.len(), 0);
    for tick in 0..60 * TICK_RATE {
        if tick % 5 == 0 {
            let near = |place: usize| round[place % count].manhattan(world.cell(npc));
            let (on, back) = (near(at + 3), near(at + count - 3));
            at = if on >= back { at + 1 } else { at + count - 1 } % count;
            world.put(player, round[at]);
        }
        world.tick(1);
        beside += u64::from(world.is_beside(npc, player));
    }
    (beside, world.searches(npc).len())
}

#[test]
fn faster_chaser_catches() {
    let (beside, searches) = run_round(Period::from_millis(150));
    assert!(beside > 600, "beside in {beside} of 1200 ticks");
    assert!(searches <= 120, "{searches} searches in a minute");
}

#[test]
fn slower_chaser_never_catches() {
    let (beside, searches) = run_round(Period::from_millis(350));
    assert_eq!(beside, 0);
    assert!(searches <= 120, "{searches} searches in a minute");
}
