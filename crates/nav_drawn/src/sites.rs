//! Grounds for crowds: corridors, spirals, doors, stairs, and rooms joined by links only.

use super::{draw::Draw, ground::Layer, tuning::name, world::Scene};
use nav_grid::{Area, Cell, Direction, Directions, Grid, Link, Size};

/// A ground for crowds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// Open ground.
    Court,
    /// Two rooms with a corridor of one to three cells between them.
    Corridor,
    /// One long lane of one to three cells.
    Spiral,
    /// Two rooms with one to three doors between them.
    Doors,
    /// Nine rooms with doors.
    Rooms,
    /// Two rooms with one to four links side by side, most of them both ways.
    Links,
    /// Two or three storeys with one to four stairs side by side.
    Stairs,
}

impl Site {
    /// Draws one of all sites.
    pub fn draw(draw: &mut Draw) -> Self {
        draw.one_of(&[
            Self::Court,
            Self::Corridor,
            Self::Spiral,
            Self::Doors,
            Self::Rooms,
            Self::Links,
            Self::Stairs,
        ])
    }

    /// Makes a scene without agents on such ground.
    pub fn scene(self, draw: &mut Draw, seed: u64) -> Scene {
        let side = draw.number(7, 14);
        let wide = draw.number(1, 3);
        let grid = match self {
            Self::Court => Grid::open(2 * side, 2 * side),
            Self::Corridor => {
                let (long, top) = (draw.number(4, 20), draw.number(0, side - wide));
                Grid::from_fn(2 * side + long, side, |cell| {
                    let is_lane = (top..top + wide).contains(&cell.y);
                    is_lane || !(side..side + long).contains(&cell.x)
                })
            }
            Self::Spiral => Ok(spiral(wide)),
            Self::Doors => {
                let doors: Vec<u16> = (0..wide).map(|_| draw.number(0, side - 1)).collect();
                Grid::from_fn(2 * side + 1, side, |cell| {
                    cell.x != side || doors.contains(&cell.y)
                })
            }
            Self::Rooms => {
                let doors = [draw.number(0, 5), draw.number(0, 5), draw.number(0, 5)];
                Grid::from_fn(20, 20, |cell| {
                    let (column, row) = (cell.x % 7, cell.y % 7);
                    let across = column == 6 && row == doors[usize::from(cell.y / 7)];
                    let down = row == 6 && column == doors[usize::from(cell.x / 7)];
                    column < 6 && row < 6 || across || down
                })
            }
            Self::Links => Grid::from_fn(2 * side + 1, side, |cell| cell.x != side),
            Self::Stairs => {
                let floors = draw.number(2, 3) as u8;
                Grid::build(Size::new(side, side).with_floors(floors), |_| true)
            }
        };
        let mut scene = Scene::on(seed, grid.expect("sides of a scene"));
        self.link(draw, &mut scene.grid, side);
        scene.features.push(("site", name(self)));
        if draw.percent(10) {
            scene.features.push(("layer", name(Layer::Costs)));
            let cells: Vec<Cell> = scene.grid.walkable_cells().collect();
            for cell in cells {
                let cost = draw.number(1, 4) as u8;
                scene.grid.set_cost(cell, cost).expect("a cell of the map");
            }
        }
        scene
    }

    /// Puts links on the ground; those of a storey lie side by side.
    fn link(self, draw: &mut Draw, grid: &mut Grid, side: u16) {
        let count = draw.number(1, 4);
        let (x, y) = (draw.number(0, side - 1), draw.number(0, side - 4));
        let (to_x, to_y) = (draw.number(0, side - 1), draw.number(0, side - 4));
        let back = if draw.percent(70) { 100 } else { 50 };
        let floors = grid.floors();
        let mut links = Vec::new();
        for from in (0..count).map(|n| Cell::new(x, y + n)) {
            match self {
                Self::Links => {
                    let to = Cell::new(side + 1 + to_x, to_y + from.y - y);
                    links.push(Link::new(from, to));
                }
                Self::Stairs => links.extend(
                    (1..floors)
                        .map(|floor| Link::new(from.on_floor(floor - 1), from.on_floor(floor))),
                ),
                _ => {}
            }
        }
        for free in links {
            let link = free.with_cost(draw.number(1, 3));
            grid.set_link(link).expect("cells of the map");
            if draw.percent(back) {
                grid.set_link(link.reversed()).expect("cells of the map");
            }
        }
    }
}

/// Makes a lane that winds inward, `wide` cells wide, with walls of one cell.
fn spiral(wide: u16) -> Grid {
    const TURNS: u16 = 6;
    let (pitch, side) = (wide + 1, TURNS * (wide + 1) - 1);
    let mut grid = Grid::blocked(side, side).expect("sides of a scene");
    let (mut first, mut last) = (0, TURNS - 1);
    let mut corners = vec![(0, 0)];
    while first <= last {
        corners.extend([(last, first), (last, last), (first, last)]);
        first += 1;
        corners.extend([(first - 1, first), (first, first)]);
        last = last.saturating_sub(1);
    }
    for (&(x, y), &(to_x, to_y)) in corners.iter().zip(&corners[1..]) {
        let area = Area::new(
            Cell::new(x.min(to_x) * pitch, y.min(to_y) * pitch),
            Cell::new(
                x.max(to_x) * pitch + wide - 1,
                y.max(to_y) * pitch + wide - 1,
            ),
        );
        grid.set_walkable(area, true).expect("an area of the map");
    }
    grid
}

/// Removes some exits of the cells around a cell.
pub fn narrow_exits(draw: &mut Draw, grid: &mut Grid, around: Cell) {
    for way in Direction::ALL {
        if let Some(cell) = around.step(way)
            && grid.is_walkable(cell)
            && draw.percent(50)
        {
            let (one, other) = (draw.one_of(&Direction::ALL), draw.one_of(&Direction::ALL));
            let closed = Directions::from(one).0 | Directions::from(other).0;
            let exits = Directions(Directions::ALL.0 & !closed);
            grid.set_exits(cell, exits).expect("a cell of the map");
        }
    }
}
