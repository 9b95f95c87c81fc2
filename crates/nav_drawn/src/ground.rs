//! The ground of a scene: its shape, its layers, and the spots of targets.

use super::draw::Draw;
use nav_grid::{Area, Cell, Direction, Directions, Grid, Link, Size};
use std::ops::RangeInclusive;

/// The shape of the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Open,
    Clutter,
    Rooms,
}

/// A layer of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    Plain,
    /// Step costs in patches.
    Patches,
    /// Step costs everywhere.
    Costs,
    /// One cell of cost 2 beside a target.
    Dear,
    /// One-way masks.
    Exits,
    /// Links on one floor, there and back or one way.
    Links,
    /// Two floors with stairs both ways.
    Storeys,
}

/// The spot of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Anywhere,
    Wall,
    /// A hole in a wall, one cell deep.
    Niche,
    /// The end of a corridor of one cell.
    DeadEnd,
}

/// The kind of the ground of a scene, which limits the tunings that suit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundKind {
    pub shape: Shape,
    pub layer: Layer,
    /// The spot of the first target.
    pub spot: Spot,
}

impl GroundKind {
    /// Draws a kind of ground, and its walls.
    pub fn draw(draw: &mut Draw) -> (Self, Canvas) {
        let shape = draw.weighted(&[(3, Shape::Open), (4, Shape::Clutter), (4, Shape::Rooms)]);
        let layer = draw.weighted(&[
            (8, Layer::Plain),
            (2, Layer::Patches),
            (2, Layer::Costs),
            (2, Layer::Dear),
            (2, Layer::Exits),
            (2, Layer::Links),
            (2, Layer::Storeys),
        ]);
        let canvas = Canvas::new(draw, shape, 1 + u8::from(layer == Layer::Storeys));
        let spot = draw.weighted(&[
            (6, Spot::Anywhere),
            (3, Spot::Wall),
            (1, Spot::Niche),
            (1, Spot::DeadEnd),
        ]);
        let kind = Self { shape, layer, spot };
        (kind, canvas)
    }

    /// Returns whether the ground has no walls but those of the map, and nothing else either.
    pub fn is_open(self) -> bool {
        self.shape == Shape::Open
            && self.layer == Layer::Plain
            && matches!(self.spot, Spot::Anywhere | Spot::Wall)
    }
}

/// The directions without the diagonal ones.
pub const NESW: [Direction; 4] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
];

/// Walkable cells under construction.
pub struct Canvas {
    /// Columns and rows.
    pub size: Size,
    open: Vec<bool>,
}

impl Canvas {
    /// Makes walls of a shape on some floors of 24 to 64 cells a side.
    pub fn new(draw: &mut Draw, shape: Shape, floors: u8) -> Self {
        Self::with_sides(draw, shape, floors, 24..=64)
    }

    /// Makes walls of a shape on some floors, with sides of a range of cells.
    pub fn with_sides(
        draw: &mut Draw,
        shape: Shape,
        floors: u8,
        sides: RangeInclusive<u16>,
    ) -> Self {
        let (&first, &last) = (sides.start(), sides.end());
        let (width, height) = (draw.number(first, last), draw.number(first, last));
        let size = Size::new(width, height).with_floors(floors);
        let mut open = Vec::new();
        for _ in 0..floors {
            let kind = match shape {
                Shape::Open => mapgen::Kind::Open,
                Shape::Clutter => mapgen::Kind::Clutter {
                    percent: draw.number(10, 25) as u8,
                },
                Shape::Rooms => mapgen::Kind::Rooms,
            };
            let floor = mapgen::generate(kind, size.width, size.height, draw.seed())
                .expect("a map of this size");
            open.extend(
                lowest_floor(size)
                    .cells()
                    .map(|cell| floor.is_walkable(cell)),
            );
        }
        Self { size, open }
    }

    pub fn is_open(&self, cell: Cell) -> bool {
        self.size.contains(cell) && self.open[self.size.index(cell)]
    }

    fn is_wall(&self, cell: Cell, way: Direction) -> bool {
        cell.step(way).is_none_or(|beside| !self.is_open(beside))
    }

    fn set(&mut self, cell: Cell, open: bool) {
        if self.size.contains(cell) {
            self.open[self.size.index(cell)] = open;
        }
    }

    /// Draws a cell of the ground.
    pub fn anywhere(&self, draw: &mut Draw) -> Cell {
        loop {
            let cell = draw.cell(self.size);
            if self.is_open(cell) {
                return cell;
            }
        }
    }

    /// Draws a place for a target, and builds a niche or corridor for it if need be.
    pub fn spot(&mut self, draw: &mut Draw, spot: Spot) -> Cell {
        match spot {
            Spot::Anywhere => self.anywhere(draw),
            Spot::Wall => {
                for _ in 0..200 {
                    let cell = self.anywhere(draw);
                    let mut ways = Direction::ALL.into_iter();
                    if ways.any(|way| self.is_wall(cell, way)) {
                        return cell;
                    }
                }
                // Open ground within the map: the border is its only wall.
                Cell::new(0, self.size.height / 2)
            }
            Spot::Niche => self.corridor(draw, 0),
            Spot::DeadEnd => {
                let length = draw.number(2, 5);
                self.corridor(draw, length)
            }
        }
    }

    /// Builds a corridor of `length` cells with walls around it, and returns its closed end.
    fn corridor(&mut self, draw: &mut Draw, length: u16) -> Cell {
        let mut cell = self.anywhere(draw);
        // Room for the corridor and the ground before it.
        let margin = length + 3;
        cell.x = cell.x.clamp(margin, self.size.width - 1 - margin);
        cell.y = cell.y.clamp(margin, self.size.height - 1 - margin);
        let way = draw.one_of(&NESW);
        let mut along = vec![cell];
        for _ in 0..length + 2 {
            let last = along[along.len() - 1];
            along.push(last.step(way).expect("within the margin"));
        }
        let (inside, mouth) = along.split_at(usize::from(length) + 1);
        for &cell in inside {
            for beside in Direction::ALL.into_iter().filter_map(|way| cell.step(way)) {
                self.set(beside, false);
            }
        }
        for &cell in inside.iter().chain(mouth) {
            self.set(cell, true);
        }
        cell
    }

    pub fn to_grid(&self) -> Grid {
        Grid::build(self.size, |cell| self.open[self.size.index(cell)]).expect("sides of a scene")
    }

    /// Returns cells between two walls that are opposite to each other.
    pub fn doors(&self) -> Vec<Cell> {
        let grid = self.to_grid();
        let doors = grid.walkable_cells().filter(|&cell| {
            let [n, e, s, w] = NESW.map(|way| self.is_wall(cell, way));
            (n && s && !e && !w) || (e && w && !n && !s)
        });
        doors.collect()
    }
}

/// Returns the cells of the lowest floor.
fn lowest_floor(size: Size) -> Area {
    Area::new(Cell::default(), Cell::new(size.width - 1, size.height - 1))
}

/// Puts a layer on a grid.
pub fn lay(draw: &mut Draw, canvas: &Canvas, layer: Layer, targets: &[Cell], grid: &mut Grid) {
    let size = canvas.size;
    match layer {
        Layer::Plain => {}
        Layer::Patches => {
            for _ in 0..draw.number(3, 20) {
                let patch = draw.area(size, 9);
                let cost = draw.number(2, 9) as u8;
                grid.set_cost(patch, cost).expect("an area of the map");
            }
        }
        Layer::Costs => {
            for cell in lowest_floor(size).cells() {
                let cost = draw.number(1, 5) as u8;
                grid.set_cost(cell, cost).expect("a cell of the map");
            }
        }
        Layer::Dear => {
            let target = draw.one_of(targets);
            let near = draw.near(target, 6);
            let dear = Cell {
                x: near.x.min(size.width - 1),
                y: near.y.min(size.height - 1),
                ..near
            };
            grid.set_cost(dear, 2).expect("a cell of the map");
        }
        Layer::Exits => {
            for _ in 0..draw.number(3, 15) {
                let patch = draw.area(size, 5);
                let mut exits = Directions::ALL;
                for _ in 0..draw.number(1, 4) {
                    exits = Directions(exits.0 & !Directions::from(draw.one_of(&Direction::ALL)).0);
                }
                grid.set_exits(patch, exits).expect("an area of the map");
            }
        }
        Layer::Links => {
            for _ in 0..draw.number(1, 5) {
                let (from, to) = (canvas.anywhere(draw), canvas.anywhere(draw));
                link(draw, grid, from, to, 60);
            }
        }
        Layer::Storeys => {
            for _ in 0..draw.number(1, 4) {
                // Stairs connect equal cells of both floors, as in houses.
                let from = canvas.anywhere(draw);
                let above = from.on_floor(1 - from.floor);
                let to = if canvas.is_open(above) {
                    above
                } else {
                    canvas.anywhere(draw)
                };
                link(draw, grid, from, to, 100);
            }
        }
    }
}

/// Puts a link between two cells, and one back with a probability of `back` in a hundred.
pub fn link(draw: &mut Draw, grid: &mut Grid, from: Cell, to: Cell, back: u32) {
    if from == to {
        return;
    }
    let link = Link::new(from, to).with_cost(draw.number(1, 4));
    grid.set_link(link).expect("cells of the map");
    if draw.percent(back) {
        grid.set_link(link.reversed()).expect("cells of the map");
    }
}
