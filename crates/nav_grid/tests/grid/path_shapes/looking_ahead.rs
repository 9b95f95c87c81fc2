//! The farthest waypoint that can be reached in a straight line.

use super::path;
use crate::worlds::{any_case, tries};
use nav_grid::{
    Cell, Grid, Limits, Link, Metric, Path, PathQuery, Search, Terrain, map::text,
    methods::Dijkstra, path::TurningPoints, smoothing::LineOfSight,
};
use nav_judge::{covered, settled};
use proptest::prelude::*;

#[test]
fn not_past_link() {
    let mut grid = Grid::open(9, 1).unwrap();
    let (door, room) = (Cell::new(2, 0), Cell::new(5, 0));
    grid.set_link(Link::new(door, room)).unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(6, 0));
    let through = path(&[(1, 0), (2, 0), (5, 0), (6, 0)]);
    let ahead = through.look_ahead(&grid, &query, 20).unwrap();
    assert_eq!((ahead.index, ahead.cell), (1, door));
}

#[test]
fn empty_or_broken() {
    let grid = text::read(b".#.\n").unwrap();
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    assert_eq!(Path::new().look_ahead(&grid, &query, 9), None);
    let broken = path(&[(1, 0), (2, 0)]);
    assert_eq!(broken.look_ahead(&grid, &query, 9), None);
}

proptest! {
    #![proptest_config(tries(80, 256))]

    /// Returns the last of the waypoints that can replace all before them.
    #[test]
    fn farthest((world, queries) in any_case(), distance in 0..20_u16) {
        let (grid, bodies) = (world.grid(), world.bodies());
        let terrain = Terrain::from(&grid).with_bodies(&bodies);
        let mut found = Path::new();
        for &query in &queries {
            let query = settled(query, &grid);
            Dijkstra::new().search(terrain, &query.with_limits(Limits::UNBOUNDED), &mut found);
            let ahead = found.look_ahead(terrain, &query, distance);
            let sight = LineOfSight::new(terrain, &query);
            let mut walked = TurningPoints::new();
            walked.compact(&grid, query.start, query.rules, &found);
            let link = walked.iter().find(|turn| turn.by_link).map(|turn| turn.cell);
            let on_foot = found.iter().take_while(|&cell| Some(cell) != link);
            let mut farthest = None;
            for (index, cell) in on_foot.enumerate() {
                let near = query.start.chebyshev(cell) <= distance;
                let part: Path = found.iter().take(index + 1).collect();
                let Some(line) = sight.line(query.start, cell).filter(|_| near) else {
                    continue;
                };
                let covered = part.iter().flat_map(|cell| covered(cell, query.rules.footprint));
                let dearest = covered.map(|cell| grid.cost(cell)).max().unwrap_or(0);
                let cost = part.walk(&grid, query.start, query.rules).unwrap();
                if line.cost <= cost && line.dearest <= dearest {
                    farthest = Some((index, cell));
                }
            }
            // The other metrics do not see the full length because of which a line is refused.
            if matches!(query.rules.metric, Metric::Octile | Metric::FourWay) {
                prop_assert_eq!(ahead.map(|ahead| (ahead.index, ahead.cell)), farthest);
            }
            if let Some(ahead) = ahead {
                prop_assert!(sight.sees(query.start, ahead.cell));
                prop_assert!(query.start.chebyshev(ahead.cell) <= distance);
            }
        }
    }
}
