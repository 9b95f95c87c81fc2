//! Straightened paths.

use super::path;
use crate::{
    scenes::OCTILE,
    worlds::{any_case, any_cell, tries},
};
use nav_grid::{
    Cell, CornerRule, Grid, Limits, Metric, Path, PathQuery, Rules, Search, Terrain,
    map::text,
    methods::Dijkstra,
    path::{TurningPoint, TurningPoints},
    smoothing::Straightener,
};
use nav_judge::{covered, settled, walk};
use proptest::prelude::*;

#[test]
fn zigzags_detours_and_loops() {
    const UNIT: Rules = Rules::new(Metric::Unit, CornerRule::Strict);
    type Way = &'static [(u16, u16)];
    let grid = Grid::open(9, 9).unwrap();
    let zigzag: Way = &[(1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)];
    let cases: [(Rules, (u16, u16), Way, Way); 4] = [
        (
            OCTILE,
            (0, 0),
            zigzag,
            &[(1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)],
        ),
        (
            OCTILE,
            (0, 0),
            &[(0, 1), (1, 2), (2, 1), (2, 0)],
            &[(1, 0), (2, 0)],
        ),
        (OCTILE, (0, 0), &[(1, 0), (1, 1), (0, 1), (0, 0)], &[]),
        // Under this metric a zigzag costs as much as the straight way.
        (
            UNIT,
            (0, 1),
            &[(1, 0), (2, 1), (3, 0), (4, 1)],
            &[(1, 1), (2, 1), (3, 1), (4, 1)],
        ),
    ];
    for (rules, start, loose, expected) in cases {
        let query = PathQuery::new(start.into(), loose[loose.len() - 1].into()).with_rules(rules);
        let mut tight = path(loose);
        let cost = Straightener::new().straighten(&grid, &query, &mut tight);
        assert_eq!(tight, path(expected));
        assert_eq!(cost, Ok(tight.walk(&grid, query.start, rules).unwrap()));
    }
}

#[test]
fn broken_path() {
    let grid = text::read(b"...\n.#.\n...\n").unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 2));
    let broken = path(&[(1, 0), (1, 1), (2, 2)]);
    let mut tight = broken.clone();
    let error = Straightener::new()
        .straighten(&grid, &query, &mut tight)
        .unwrap_err();
    assert_eq!((error.index, tight), (1, broken));
}

/// A line replaces 256 waypoints, and the next one goes on.
#[test]
fn long_path() {
    let grid = Grid::open(600, 200).unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(599, 199)).with_rules(OCTILE);
    let mut found = Path::new();
    Dijkstra::new().search(&grid, &query.with_limits(Limits::UNBOUNDED), &mut found);
    let mut turns = Vec::new();
    let pulled = Straightener::new().pull(&grid, &query, &found, &mut turns);
    assert!(pulled.is_ok() && turns.len() <= 3, "{}", turns.len());
    assert_eq!(turns.last().map(|turn| turn.cell), Some(query.goal));
}

proptest! {
    #![proptest_config(tries(120, 1000))]

    #[test]
    fn legal_and_no_worse(
        (world, queries) in any_case(),
        by_way_of in any_cell(nav_grid::Size::new(70, 22)),
    ) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let terrain = Terrain::from(&grid).with_bodies(&bodies);
        let mut straightener = Straightener::new();
        for &query in &queries {
            let query = settled(query, &grid);
            for loose in [found(terrain, &query), pieced(terrain, &query, by_way_of)] {
                judge(&mut straightener, terrain, &query, &loose)?;
            }
        }
    }
}

fn found(terrain: Terrain<'_>, query: &PathQuery) -> Path {
    let mut path = Path::new();
    let everywhere = query.with_limits(Limits::UNBOUNDED);
    Dijkstra::new().search(terrain, &everywhere, &mut path);
    path
}

/// Returns a path that makes a detour.
fn pieced(terrain: Terrain<'_>, query: &PathQuery, by_way_of: Cell) -> Path {
    let grid = terrain.grid();
    let middle = Cell {
        x: by_way_of.x % grid.width(),
        y: by_way_of.y % grid.height(),
        floor: query.start.floor,
    };
    let middle = settled(
        PathQuery::new(middle, query.goal).with_rules(query.rules),
        grid,
    )
    .start;
    let first = found(
        terrain,
        &PathQuery {
            goal: middle,
            ..*query
        },
    );
    if first.end() != Some(middle) {
        return found(terrain, query);
    }
    let second = found(
        terrain,
        &PathQuery {
            start: middle,
            ..*query
        },
    );
    first.iter().chain(second.iter()).collect()
}

fn judge(
    straightener: &mut Straightener,
    terrain: Terrain<'_>,
    query: &PathQuery,
    loose: &Path,
) -> Result<(), TestCaseError> {
    let grid = terrain.grid();
    let before = loose.walk(grid, query.start, query.rules).unwrap();
    let (mut tight, mut turns) = (loose.clone(), Vec::new());
    let pulled = straightener.pull(terrain, query, loose, &mut turns);
    let cost = straightener.straighten(terrain, query, &mut tight);
    prop_assert_eq!(pulled, cost);
    let after = tight.walk(grid, query.start, query.rules).unwrap();
    let cost = cost.unwrap();
    prop_assert!(after <= cost && cost <= before, "{after}, {cost}, {before}");
    if grid.links().is_empty() {
        prop_assert_eq!(after, cost);
    }
    // Steps that were legal among the bodies must still be.
    if let Ok(before) = walk(terrain, query, loose) {
        let after = walk(terrain, query, &tight);
        prop_assert!(after.is_ok(), "{after:?}");
        prop_assert!(after.unwrap() <= before);
    }
    prop_assert_eq!(
        tight.end().unwrap_or(query.start),
        loose.end().unwrap_or(query.start)
    );
    // A line may run along a link that costs less than the step between the same two cells.
    let after = links(grid, query, &tight);
    let mut others = after.iter();
    let stays = |link| others.any(|other| other == link);
    let before = links(grid, query, loose);
    prop_assert!(before.iter().all(stays), "{before:?}, {after:?}");
    if let Some((loose, tight)) = pieces(loose, &turns).zip(pieces(&tight, &turns)) {
        for (loose, tight) in loose.iter().zip(&tight) {
            prop_assert!(dearest(grid, query, tight) <= dearest(grid, query, loose));
        }
    }
    // A second pass is never worse.
    let again = straightener.straighten(terrain, query, &mut tight);
    prop_assert!(again.unwrap() <= cost);
    Ok(())
}

/// Returns the jumps of a path.
fn links(grid: &Grid, query: &PathQuery, path: &Path) -> Vec<Cell> {
    let mut turns = TurningPoints::new();
    turns.compact(grid, query.start, query.rules, path);
    let jumps = turns.iter().filter(|turn| turn.by_link);
    jumps.map(|turn| turn.cell).collect()
}

/// Returns the waypoints up to each turn, or `None` if the path visits a cell twice.
fn pieces(path: &Path, turns: &[TurningPoint]) -> Option<Vec<Vec<Cell>>> {
    let mut cells: Vec<Cell> = path.iter().collect();
    cells.sort_unstable();
    if cells.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let mut waypoints = path.iter();
    let piece = |turn: &TurningPoint| {
        let mut piece = Vec::new();
        for cell in waypoints.by_ref() {
            piece.push(cell);
            if cell == turn.cell {
                break;
            }
        }
        piece
    };
    Some(turns.iter().map(piece).collect())
}

fn dearest(grid: &Grid, query: &PathQuery, piece: &[Cell]) -> u8 {
    let covered = piece
        .iter()
        .flat_map(|&cell| covered(cell, query.rules.footprint));
    covered.map(|cell| grid.cost(cell)).max().unwrap_or(0)
}
