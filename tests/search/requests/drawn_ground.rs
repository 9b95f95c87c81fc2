//! Drawn ground, and drawn requests on it.

use nav::requests::PathRequest;
use nav_drawn::Draw;
use nav_grid::{
    Cell, Direction, Directions, Footprint, Grid, Link, Metric, Rules, Size, rules::CornerRule,
};

/// Makes rooms with some layers on them.
pub fn ground(draw: &mut Draw, [costs, exits, links]: [bool; 3]) -> Grid {
    let (width, height) = draw.one_of(&[(30, 24), (70, 50), (130, 40)]);
    let kind = draw.one_of(&[mapgen::Kind::Rooms, mapgen::Kind::Clutter { percent: 20 }]);
    let floor = mapgen::generate(kind, width, height, draw.seed()).expect("a map of this size");
    let size = Size::new(width, height).with_floors(1 + u8::from(links));
    let grid = Grid::build(size, |cell| floor.is_walkable(cell.on_floor(0)));
    let mut grid = grid.expect("a map of this size");
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    for _ in 0..cells.len() / 8 {
        let cell = draw.one_of(&cells);
        if costs {
            let cost = 2 + draw.below(6) as u8;
            grid.set_cost(cell, cost).expect("a cell of the map");
        }
        if exits && draw.percent(30) {
            let closed = Directions::from(draw.one_of(&Direction::ALL));
            let open = Directions(!closed.0);
            grid.set_exits(cell, open).expect("a cell of the map");
        }
    }
    for _ in 0..if links { 8 } else { 0 } {
        let link = Link::new(draw.one_of(&cells), draw.one_of(&cells)).with_cost(3);
        grid.set_link(link).expect("cells of the map");
    }
    grid
}

/// Draws a request between cells of the ground, with random rules.
pub fn drawn(draw: &mut Draw, grid: &Grid) -> PathRequest {
    let cells: Vec<Cell> = grid.walkable_cells().collect();
    let rules = Rules::new(draw.one_of(&Metric::ALL), draw.one_of(&CornerRule::ALL));
    let side = draw.one_of(&[1, 1, 1, 2, 3]);
    let rules = rules.with_footprint(Footprint::new(side).expect("up to 8"));
    let from = loop {
        let cell = draw.one_of(&cells);
        if grid.fits(cell, rules.footprint) {
            break cell;
        }
    };
    PathRequest::new(from, draw.one_of(&cells)).with_rules(rules)
}
