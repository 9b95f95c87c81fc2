//! Flights in drawn worlds: no more villagers are caught than oracles that see the whole map in
//! each step.

use super::scene::{STEP_TICKS, TICK_RATE, on_with_behaviours};
use nav::{CellPosition, Chaser, Chasing, MoveTimer, OnMap, Period};
use nav_behaviour::Flee;
use nav_grid::{Cell, Grid, Rules};
use nav_judge::by_tier;
use nav_testing::oracle;
use std::collections::VecDeque;

/// Ticks of a step of the wolf, a fifth slower than a villager.
const WOLF_TICKS: u64 = STEP_TICKS + 1;

/// Seconds of a hunt.
const SECONDS: u64 = 30;

/// The steps from a cell to all others; `u32::MAX` where no way leads.
struct Steps {
    width: usize,
    of: Vec<u32>,
}

impl Steps {
    fn new(grid: &Grid, from: Cell) -> Self {
        let size = grid.size();
        let mut steps = Self {
            width: size.width.into(),
            of: vec![u32::MAX; usize::from(size.width) * usize::from(size.height)],
        };
        let mut queue = VecDeque::from([from]);
        *steps.at(from) = 0;
        while let Some(cell) = queue.pop_front() {
            let next = *steps.at(cell) + 1;
            for to in around(grid, cell) {
                if *steps.at(to) == u32::MAX {
                    *steps.at(to) = next;
                    queue.push_back(to);
                }
            }
        }
        steps
    }

    fn at(&mut self, cell: Cell) -> &mut u32 {
        &mut self.of[usize::from(cell.y) * self.width + usize::from(cell.x)]
    }
}

fn around(grid: &Grid, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
    oracle::steps(grid, Rules::default(), cell)
}

/// The cell that an oracle steps onto from another one: each step costs five, and each step further
/// from the wolf is worth six, over the whole map. It steps onto no cell beside the wolf while
/// others are left.
fn flees_to(grid: &Grid, villager: Cell, wolf: Cell) -> Cell {
    let mut away = Steps::new(grid, wolf);
    let mut best = Vec::new();
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    for first in around(grid, villager).chain([villager]) {
        let mut walked = Steps::new(grid, first);
        let mut worth = i64::MIN;
        for &cell in &cells {
            let (walk, away) = (*walked.at(cell), *away.at(cell));
            if walk != u32::MAX && away != u32::MAX {
                worth = worth.max(6 * i64::from(away) - 5 * i64::from(walk));
            }
        }
        best.push((first.chebyshev(wolf) > 1, worth, first));
    }
    let mut first = best[0];
    for one in best {
        if (one.0, one.1) > (first.0, first.1) {
            first = one;
        }
    }
    first.2
}

/// The cell that the wolf steps onto.
fn hunts_to(grid: &Grid, villager: Cell, wolf: Cell) -> Cell {
    let mut steps = Steps::new(grid, villager);
    let nearest = around(grid, wolf).min_by_key(|&cell| *steps.at(cell));
    nearest.unwrap_or(wolf)
}

/// Whether an oracle is caught.
fn oracle_is_caught(grid: &Grid, mut villager: Cell, mut wolf: Cell) -> bool {
    for tick in 1..SECONDS * TICK_RATE {
        if tick.is_multiple_of(STEP_TICKS) {
            villager = flees_to(grid, villager, wolf);
        }
        if tick.is_multiple_of(WOLF_TICKS) && villager != wolf {
            wolf = hunts_to(grid, villager, wolf);
        }
        if villager.chebyshev(wolf) <= 1 {
            return true;
        }
    }
    false
}

/// Whether a villager with [`Flee`] is caught.
fn is_caught(grid: &Grid, villager: Cell, wolf: Cell) -> bool {
    let mut world = on_with_behaviours(grid.clone());
    let (map, chaser) = (OnMap(world.map), Chaser::default());
    let [fast, slow] = [STEP_TICKS, WOLF_TICKS].map(|ticks| {
        let millis = 1000 * ticks / TICK_RATE;
        MoveTimer::default().with_chasing(Period::from_millis(millis as u32))
    });
    let npc = (chaser, fast, map, CellPosition::at(villager));
    let npc = world.world().spawn(npc).id();
    let wolf = (chaser, slow, map, CellPosition::at(wolf), Chasing(npc));
    let wolf = world.world().spawn(wolf).id();
    let flee = Flee::from_danger(wolf).with_distance(30);
    world.insert(
        npc,
        flee.for_period(Period::from_millis(1000 * SECONDS as u32)),
    );
    (0..SECONDS * TICK_RATE).any(|_| {
        world.tick(1);
        world.cell(npc).chebyshev(world.cell(wolf)) <= 1
    })
}

#[test]
fn nobody_is_caught_that_could_get_away() {
    use mapgen::Kind::{Caves, Maze, Mixed, Rooms};

    let (mut ours, mut oracles, mut hunts) = (0, 0, 0);
    for seed in 0..by_tier(240, 2400) {
        let kind = [Caves, Maze, Mixed, Rooms][seed as usize % 4];
        let grid = mapgen::generate(kind, 36, 30, seed).unwrap();
        let ground: Vec<Cell> = grid.walkable_cells().collect();
        let place = |number: u64| ground[(seed * 7919 + number * 104_729) as usize % ground.len()];
        let villager = place(1);
        let mut steps = Steps::new(&grid, villager);
        // A head start of four to eleven steps.
        let wolf = (2..200)
            .map(place)
            .find(|&cell| (4..12).contains(steps.at(cell)));
        let Some(wolf) = wolf else {
            continue;
        };
        hunts += 1;
        ours += u32::from(is_caught(&grid, villager, wolf));
        oracles += u32::from(oracle_is_caught(&grid, villager, wolf));
    }
    println!("{ours} of {hunts} villagers are caught, {oracles} oracles");
    assert!(
        ours * 100 <= oracles * 100 + 2 * hunts,
        "{ours} of {hunts}, {oracles} oracles"
    );
}
