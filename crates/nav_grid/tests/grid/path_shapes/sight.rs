//! Lines along which a walker can go straight.

use crate::worlds::{any_case, tries};
use nav_grid::{
    Area, Cell, CornerRule, Directions, Grid, PathQuery, Terrain, rules::Cost,
    smoothing::LineOfSight,
};
use nav_judge::{Xorshift, covered, settled, stands, step};
use proptest::prelude::*;

#[test]
fn off_floor_or_map() {
    let grid = Grid::open(4, 4).unwrap();
    let inside = Cell::new(1, 1);
    let sight = LineOfSight::new(&grid, &PathQuery::new(inside, inside));
    for outside in [Cell::new(4, 1), Cell::new(1, 9), inside.on_floor(1)] {
        assert!(!sight.sees(inside, outside));
        assert!(!sight.sees(outside, inside));
        assert!(!sight.sees(outside, outside));
    }
    let stay = sight.line(inside, inside).unwrap();
    assert_eq!((stay.cost, stay.dearest), (0, 0));
}

proptest! {
    #![proptest_config(tries(200, 1000))]

    #[test]
    fn against_ruler((world, queries) in any_case(), seed: u64) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let mut random = Xorshift::new(seed);
        for &query in &queries {
            let query = settled(query, &grid);
            let terrain = Terrain::from(&grid).with_bodies(&bodies);
            let sight = LineOfSight::new(terrain, &query);
            let mut ends = vec![(query.start, query.goal), (query.goal, query.start)];
            ends.extend((0..12).map(|_| near_by(query.start, &grid, &mut random)));
            for (from, to) in ends {
                let line = sight.line(from, to);
                let ruled = ruled(terrain, &query, from, to);
                prop_assert_eq!(line.map(|line| line.cost), ruled.as_ref().map(|ruled| ruled.cost));
                prop_assert_eq!(sight.sees(from, to), ruled.is_some());
                if let (Some(line), Some(ruled)) = (line, ruled) {
                    prop_assert!(ruled.dearest.contains(&line.dearest), "{from} to {to}");
                }
            }
        }
    }

    /// Without the layers that make one-way streets, sight is symmetric.
    #[test]
    fn symmetric((world, queries) in any_case(), seed: u64) {
        let mut grid = world.grid();
        let size = grid.size();
        let corner = Cell::new(size.width - 1, size.height - 1);
        for floor in 0..size.floors {
            let all = Area::new(Cell::new(0, 0).on_floor(floor), corner);
            grid.set_exits(all, Directions::ALL).unwrap();
        }
        let mut random = Xorshift::new(seed);
        for &query in &queries {
            let query = settled(query, &grid);
            let sight = LineOfSight::new(&grid, &query);
            for _ in 0..12 {
                let (from, to) = near_by(query.start, &grid, &mut random);
                let footprint = query.rules.footprint;
                if !grid.fits(from, footprint) || !grid.fits(to, footprint) {
                    continue;
                }
                let (there, back) = (sight.line(from, to), sight.line(to, from));
                prop_assert_eq!(there.is_some(), back.is_some());
                if !grid.has_costs() {
                    prop_assert_eq!(there, back);
                }
            }
        }
    }
}

/// Draws two cells of the map not far from `cell`.
fn near_by(cell: Cell, grid: &Grid, random: &mut Xorshift) -> (Cell, Cell) {
    let mut pick = || {
        let (x, y) = (random.below(15), random.below(15));
        Cell {
            x: (u32::from(cell.x) + x)
                .saturating_sub(7)
                .min(u32::from(grid.width()) - 1) as u16,
            y: (u32::from(cell.y) + y)
                .saturating_sub(7)
                .min(u32::from(grid.height()) - 1) as u16,
            ..cell
        }
    };
    (pick(), pick())
}

/// The ruler's result for a clear line.
struct Ruled {
    cost: Cost,
    /// The bounds of the costliest ground: with and without the cells beside corners.
    dearest: std::ops::RangeInclusive<u8>,
}

/// Judges a line by the documented rules: cells are sampled between all fractions at which the line
/// meets an edge, and every walk over them is tried.
fn ruled(terrain: Terrain<'_>, query: &PathQuery, from: Cell, to: Cell) -> Option<Ruled> {
    if from.floor != to.floor || !terrain.grid().contains(from) || !terrain.grid().contains(to) {
        return None;
    }
    let on_line = sampled(from, to);
    let all_free = on_line
        .iter()
        .skip(1)
        .all(|&cell| stands(terrain, query, cell));
    if !all_free {
        return None;
    }
    let dear = |cell: &Cell| {
        let covered = covered(*cell, query.rules.footprint);
        covered.map(|cell| terrain.grid().cost(cell)).max().unwrap()
    };
    let least = on_line.iter().skip(1).map(dear).max().unwrap_or(0);
    let mut most = least;
    // The cost of the best walk to each cell of the line.
    let mut costs: Vec<Option<Cost>> = vec![Some(0)];
    for index in 1..on_line.len() {
        let step = |from, to| step(terrain, query, from, to);
        let (at, before) = (on_line[index], on_line[index - 1]);
        let mut ways = vec![Some((index - 1, step(before, at)))];
        if index > 1 {
            ways.push(Some((index - 2, step(on_line[index - 2], at))));
        }
        if before.direction_to(at)?.is_diagonal() {
            let beside = [Cell { x: at.x, ..before }, Cell { y: at.y, ..before }];
            let free = beside.map(|cell| stands(terrain, query, cell));
            if query.rules.corners == CornerRule::Strict && free != [true; 2] {
                return None;
            }
            for cell in beside {
                let around = step(before, cell).zip(step(cell, at));
                ways.push(Some((index - 1, around.map(|(one, other)| one + other))));
                most = most.max(if around.is_some() { dear(&cell) } else { 0 });
            }
        }
        let costs_here = ways.into_iter().flatten();
        let best = costs_here
            .filter_map(|(before, cost)| Some(costs[before]? + cost?))
            .min();
        costs.push(best);
    }
    Some(Ruled {
        cost: costs.last().copied().flatten()?,
        dearest: least..=most,
    })
}

/// Returns the cells through which the line passes, in order. Times are fractions of the line with
/// one denominator for all.
fn sampled(from: Cell, to: Cell) -> Vec<Cell> {
    let (dx, dy) = (
        i64::from(to.x) - i64::from(from.x),
        i64::from(to.y) - i64::from(from.y),
    );
    let (columns, rows) = (dx.abs().max(1), dy.abs().max(1));
    let whole = 2 * columns * rows;
    let mut times = vec![0, whole];
    times.extend((1..=dx.abs()).map(|edge| (2 * edge - 1) * rows));
    times.extend((1..=dy.abs()).map(|edge| (2 * edge - 1) * columns));
    times.sort_unstable();
    times.dedup();
    let between = times.windows(2).map(|pair| pair[0] + pair[1]);
    // The centre of a cell is half a cell from its edges.
    let place = |start: u16, run: i64, twice_time: i64| {
        let place = (2 * i64::from(start) + 1) * whole + run * twice_time;
        u16::try_from(place.div_euclid(2 * whole)).unwrap()
    };
    between
        .map(|twice_time| Cell {
            x: place(from.x, dx, twice_time),
            y: place(from.y, dy, twice_time),
            ..from
        })
        .collect()
}
