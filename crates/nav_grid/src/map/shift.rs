//! Maps as windows of a larger world: pasting chunks, and moving the window.

use super::{
    edit::EditError,
    grid::Grid,
    layers::ByteLayer,
    link::Link,
    size::{Area, Size},
    tiles::{Change, Tile},
};
use crate::cell::Cell;
use std::sync::Arc;

/// How far a window over a larger world moves, in tiles of 64×64 cells: to the right and down.
///
/// What lay that many tiles to the right of a cell and below it lies at the cell afterwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shift {
    /// Tiles to the right; negative ones to the left.
    pub columns: i16,
    /// Tiles down; negative ones up.
    pub rows: i16,
}

impl Shift {
    /// A move by some tiles to the right and down.
    pub const fn new(columns: i16, rows: i16) -> Self {
        Self { columns, rows }
    }

    /// The same move in cells.
    pub const fn in_cells(self) -> (i32, i32) {
        let side = Tile::SIDE as i32;
        (self.columns as i32 * side, self.rows as i32 * side)
    }

    /// Where a cell lies afterwards; `None` if that has no coordinates. It may be off the map.
    pub fn moved(self, cell: Cell) -> Option<Cell> {
        let (columns, rows) = self.in_cells();
        Some(Cell {
            x: u16::try_from(i32::from(cell.x) - columns).ok()?,
            y: u16::try_from(i32::from(cell.y) - rows).ok()?,
            ..cell
        })
    }

    /// Where a cell of a map lies afterwards; `None` if it is off the map then.
    pub(crate) fn moved_on(self, cell: Cell, size: Size) -> Option<Cell> {
        self.moved(cell).filter(|&cell| size.contains(cell))
    }
}

/// Windows of a larger world.
impl Grid {
    /// Copies the cells of a smaller map, a chunk, with its upper left corner to `at`: which are
    /// walkable, step costs, exits, classes and sight, on all floors of the chunk from that of `at`
    /// on. One edit. Returns the number of cells copied.
    ///
    /// Links of the chunk are not copied: [`Grid::set_links`] adds them.
    ///
    /// # Errors
    ///
    /// [`EditError::Outside`] when part of the chunk would be off this map, which does not change
    /// then.
    ///
    /// # Complexity
    ///
    /// O(cells of the chunk): some 10 µs for 64×64 that differ in walls alone, and as much for each
    /// layer.
    pub fn paste(&mut self, at: Cell, chunk: &Self) -> Result<u32, EditError> {
        let size = self.size;
        let areas = self.areas_of(at, chunk.size)?;
        self.change(&areas, |grid| {
            for (area, floor) in areas.iter().zip(0..) {
                grid.copy_floor(*area, chunk, floor);
                grid.clearance.repair(&grid.walkable, size, *area);
                grid.edited(*area, Change::Ways);
            }
        });
        Ok(chunk.size.cells() as u32)
    }

    /// Moves the map as a window over a larger world: its cells, layers and links move by whole
    /// tiles. What leaves the window is dropped; what enters it is blocked, without costs, exits,
    /// classes and sight. Links with an end outside are dropped. Counts as an edit of the whole
    /// map.
    ///
    /// # Complexity
    ///
    /// One pass over the map, 64 cells at a time, and a byte a cell for each layer; O(n log n) in
    /// the links.
    pub fn shift(&mut self, by: Shift) {
        let size = self.size;
        let areas: Vec<Area> = size.floor_areas().collect();
        self.change(&areas, |grid| {
            grid.walkable = grid.walkable.shifted(size, by);
            let Self {
                costs,
                exits,
                classes,
                sight,
                ..
            } = grid;
            for layer in [costs, exits, classes, sight] {
                layer.shift(by, size);
            }
            let links: Vec<Link> = grid.links().to_vec();
            let moved = links.into_iter().filter_map(|link| {
                let from = by.moved_on(link.from, size)?;
                let to = by.moved_on(link.to, size)?;
                Some(Link { from, to, ..link })
            });
            Arc::make_mut(&mut grid.links).clear();
            let moved: Vec<Link> = moved.collect();
            if !moved.is_empty() {
                Arc::make_mut(&mut grid.links).extend(moved, size);
            }
            for &area in &areas {
                grid.clearance.repair(&grid.walkable, size, area);
            }
            grid.edited_everywhere();
        });
    }

    /// The areas of the floors of a chunk at a cell.
    fn areas_of(&self, at: Cell, chunk: Size) -> Result<Vec<Area>, EditError> {
        let size = self.size;
        let area = Area::from(at);
        let (Some(x), Some(y)) = (
            at.x.checked_add(chunk.width - 1),
            at.y.checked_add(chunk.height - 1),
        ) else {
            return Err(EditError::Outside { area, size });
        };
        let floors = (0..chunk.floors).map(|floor| {
            let first = Cell {
                floor: at.floor.saturating_add(floor),
                ..at
            };
            let area = Area::new(first, Cell { x, y, ..first });
            let fits = size.contains_area(area) && at.floor.checked_add(floor).is_some();
            fits.then_some(area)
                .ok_or(EditError::Outside { area, size })
        });
        floors.collect()
    }

    /// Copies a floor of a chunk to an area of its size.
    fn copy_floor(&mut self, area: Area, chunk: &Self, floor: u8) {
        let (size, first) = (self.size, area.first());
        for cell in area.cells() {
            let of = Cell::new(cell.x - first.x, cell.y - first.y).on_floor(floor);
            let is_open = chunk.walkable.get(of.x, of.y, floor);
            self.walkable.set(cell.x, cell.y, cell.floor, is_open);
        }
        let layers = [
            (&mut self.costs, &chunk.costs),
            (&mut self.exits, &chunk.exits),
            (&mut self.classes, &chunk.classes),
            (&mut self.sight, &chunk.sight),
        ];
        for (layer, from) in layers {
            if layer.is_uniform_in(area, size) && from.is_uniform() {
                continue;
            }
            for cell in area.cells() {
                let of = Cell::new(cell.x - first.x, cell.y - first.y).on_floor(floor);
                layer.set(cell, size, from.get(of, chunk.size));
            }
        }
    }
}

impl ByteLayer {
    /// Moves the bytes of all cells. Cells that enter get the initial value.
    fn shift(&mut self, by: Shift, size: Size) {
        if self.is_uniform() {
            return;
        }
        let mut moved = Self::uniform_of(self);
        let differing: Vec<(Cell, u8)> = self.deviations(size).collect();
        for (cell, byte) in differing {
            if let Some(cell) = by.moved_on(cell, size) {
                moved.set(cell, size, byte);
            }
        }
        *self = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::Directions,
        map::Sight,
        rules::{Class, ClassCosts, CornerRule, Footprint, LinkKind, LinkKinds, Metric, Rules},
    };

    /// A map with a bit of everything, not as wide as whole tiles.
    fn world() -> Grid {
        let size = Size::new(200, 150).with_floors(2);
        let mut grid = Grid::build(size, |cell| (cell.x * 7 + cell.y * 5) % 11 != 0).unwrap();
        for n in 0..90_u16 {
            let cell = Cell::new(n * 37 % 200, n * 53 % 150).on_floor((n % 2) as u8);
            grid.set_cost(cell, 2 + (n % 9) as u8).unwrap();
            grid.set_exits(cell, Directions(n as u8 | 1)).unwrap();
            grid.set_class(cell, Class::new((n % 16) as u8).unwrap())
                .unwrap();
            grid.set_sight(cell, Sight::ALL[usize::from(n) % 3])
                .unwrap();
            let to = Cell::new(n * 11 % 200, n * 29 % 150);
            let kind = LinkKind::new((n % 3) as u8).unwrap();
            let link = Link::new(cell, to).with_cost(n + 1).with_kind(kind);
            grid.set_link(link).unwrap();
        }
        grid
    }

    /// The same by a look at each cell.
    fn naive(grid: &Grid, by: Shift) -> Grid {
        let size = grid.size();
        let back = Shift::new(-by.columns, -by.rows);
        let before = |cell: Cell| back.moved_on(cell, size);
        let is_open = |cell| before(cell).is_some_and(|cell| grid.is_walkable(cell));
        let mut moved = Grid::build(size, is_open).unwrap();
        for floor in size.floor_areas() {
            for (cell, old) in floor.cells().filter_map(|cell| Some((cell, before(cell)?))) {
                let is_open = moved.is_walkable(cell);
                moved.set_cost(cell, grid.costs.get(old, size)).unwrap();
                moved.set_walkable(cell, is_open).unwrap();
                moved.set_exits(cell, grid.exits(old)).unwrap();
                moved.set_class(cell, grid.class(old)).unwrap();
                let sight = grid.sight.get(old, size);
                moved
                    .set_sight(cell, Sight::ALL[usize::from(sight)])
                    .unwrap();
            }
        }
        for link in grid.links() {
            let ends = (by.moved_on(link.from, size), by.moved_on(link.to, size));
            if let (Some(from), Some(to)) = ends {
                moved.set_link(Link { from, to, ..*link }).unwrap();
            }
        }
        moved
    }

    #[test]
    fn shifts_equal_naive_ones() {
        let rules = Rules::new(Metric::Grid, CornerRule::Strict)
            .with_footprint(Footprint::new(3).unwrap())
            .with_classes(ClassCosts::ALL.without(Class::new(3).unwrap()))
            .with_links(LinkKinds::ALL.without(LinkKind::DEFAULT));
        for (columns, rows) in [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -2),
            (2, 1),
            (-1, -1),
            (9, 0),
            (0, 0),
        ] {
            let by = Shift::new(columns, rows);
            let mut grid = world();
            grid.prepare_footprint(rules);
            let version = grid.version();
            let expected = naive(&grid, by);
            grid.shift(by);
            assert_eq!(grid, expected, "{by:?}");
            assert!(grid.version() > version);
            let links = [&grid, &expected].map(|grid| grid.for_rules(rules).links());
            assert_eq!(links[0], links[1], "{by:?}");
            for cell in expected.for_rules(rules).walkable_cells() {
                let fits = |grid: &Grid| grid.for_rules(rules).fits(cell, rules.footprint);
                assert_eq!(fits(&grid), fits(&expected), "{by:?}, {cell}");
            }
        }
    }

    #[test]
    fn pasted_chunk_is_there() {
        let chunk = world();
        let mut grid = Grid::build(Size::new(300, 300).with_floors(3), |_| true).unwrap();
        grid.set_cost(Cell::new(70, 80).on_floor(1), 9).unwrap();
        let at = Cell::new(64, 64).on_floor(1);
        let before = grid.clone();
        assert_eq!(grid.paste(at, &chunk), Ok(60_000));
        for area in grid.size().floor_areas() {
            for cell in area.cells() {
                let is_inside =
                    cell.floor > 0 && (64..264).contains(&cell.x) && (64..214).contains(&cell.y);
                let (of, from) = if is_inside {
                    let of = Cell::new(cell.x - 64, cell.y - 64).on_floor(cell.floor - 1);
                    (of, &chunk)
                } else {
                    (cell, &before)
                };
                let all = |grid: &Grid, cell| {
                    let sight = grid.sight.get(cell, grid.size);
                    let ways = (grid.cost(cell), grid.exits(cell), grid.class(cell));
                    (grid.is_walkable(cell), ways, sight)
                };
                assert_eq!(all(&grid, cell), all(from, of), "{cell}");
            }
        }
        for at in [
            Cell::new(101, 0),
            Cell::new(0, 151),
            Cell::new(0, 0).on_floor(2),
            Cell::new(65_535, 0),
        ] {
            let before = grid.clone();
            assert!(
                matches!(grid.paste(at, &chunk), Err(EditError::Outside { .. })),
                "{at}"
            );
            assert_eq!((grid.version(), &grid), (before.version(), &before));
        }
    }

    #[test]
    fn cells_move_with_the_window() {
        let by = Shift::new(1, -2);
        assert_eq!(by.moved(Cell::new(70, 3)), Some(Cell::new(6, 131)));
        assert_eq!(by.moved(Cell::new(63, 3)), None);
        assert_eq!(by.moved(Cell::new(70, 65_500)), None);
    }
}
