//! Layers of a map, which add up to a grid.

use crate::{
    cell_layer::{CellLayer, cell_at},
    error::{Problem, refuse},
};
use nav_grid::{Cell, Grid, Size};

/// Returns the size of a map by its sides. `owner` has them, with a colon, if it is not the map.
pub(crate) fn size_of(owner: &str, width: i64, height: i64) -> Result<Size, Problem> {
    for (side, found) in [("width", width), ("height", height)] {
        if !(1..=Grid::SIDE_MAX.into()).contains(&found) {
            let most = Grid::SIDE_MAX;
            refuse!(
                Value,
                "{owner}{side} {found} is out of range; expected 1 to {most}"
            );
        }
    }
    Ok(Size::new(width as u16, height as u16))
}

/// Meaning of what is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Ground: 1.
    Walkable,
    /// Walls: 1.
    Blocked,
    /// Step costs, 0 for a wall.
    Cost,
    Numbers(CellLayer),
}

/// Kinds of what is painted: ground, walls, costs, and the layers of numbers.
const ROLES: usize = 3 + CellLayer::ALL.len();

impl Role {
    const fn index(self) -> usize {
        match self {
            Self::Walkable => 0,
            Self::Blocked => 1,
            Self::Cost => 2,
            Self::Numbers(layer) => 3 + layer as usize,
        }
    }

    /// Returns what cells have that nobody painted.
    const fn unpainted(self) -> u8 {
        match self {
            Self::Walkable | Self::Blocked => 0,
            Self::Cost => 1,
            Self::Numbers(layer) => layer.unsaid(),
        }
    }
}

/// Cells of all floors, with a byte for each role that was painted.
pub(crate) struct Canvas {
    size: Size,
    /// Bytes by role, in reading order; empty for what nobody painted.
    bytes: Vec<[Vec<u8>; ROLES]>,
}

impl Canvas {
    pub(crate) fn new(size: Size) -> Self {
        let bytes = (0..size.floors).map(|_| Default::default()).collect();
        Self { size, bytes }
    }

    /// Takes memory for a role on a floor. A floor with a layer of ground is blocked where that has
    /// none.
    pub(crate) fn begin(&mut self, floor: u8, role: Role) -> &mut [u8] {
        let cells = &mut self.bytes[usize::from(floor)][role.index()];
        if cells.is_empty() {
            let area = usize::from(self.size.width) * usize::from(self.size.height);
            cells.resize(area, role.unpainted());
        }
        cells
    }

    /// Paints a cell of the map over what is there. The first one takes the memory, so that an
    /// empty or broken layer takes little.
    pub(crate) fn put(&mut self, role: Role, cell: Cell, value: u8) {
        let index = self.size.index(cell.on_floor(0));
        self.begin(cell.floor, role)[index] = value;
    }

    /// Returns the byte of a cell, if anybody painted with a role on its floor.
    fn byte(&self, role: Role, cell: Cell) -> Option<u8> {
        let bytes = self.bytes.get(usize::from(cell.floor))?;
        let index = self.size.index(cell.on_floor(0));
        bytes[role.index()].get(index).copied()
    }

    /// Returns whether a cell is ground. Ground and walls add up: a wall, or a cost of 0, is a wall
    /// whatever the ground.
    fn is_walkable(&self, cell: Cell) -> bool {
        self.byte(Role::Walkable, cell) != Some(0)
            && self.byte(Role::Blocked, cell).unwrap_or(0) == 0
            && self.byte(Role::Cost, cell) != Some(0)
    }

    /// Returns the grid.
    pub(crate) fn into_grid(self) -> Result<Grid, Problem> {
        let built = Grid::build(self.size, |cell| self.is_walkable(cell));
        let mut grid = built.map_err(Problem::refused)?;
        for (floor, bytes) in (0..).zip(&self.bytes) {
            for (index, &cost) in bytes[Role::Cost.index()].iter().enumerate() {
                let cell = cell_at(self.size.width, index).on_floor(floor);
                if cost > 1 && grid.is_walkable(cell) {
                    grid.set_cost(cell, cost).map_err(Problem::refused)?;
                }
            }
        }
        let area = usize::from(self.size.width) * usize::from(self.size.height);
        for layer in CellLayer::ALL {
            let role = Role::Numbers(layer);
            let mut floors = self.bytes.iter().map(|bytes| &bytes[role.index()]);
            if floors.clone().all(Vec::is_empty) {
                continue;
            }
            let mut numbers = Vec::with_capacity(area * floors.len());
            for painted in &mut floors {
                let behind = numbers.len() + area;
                numbers.extend(painted);
                numbers.resize(behind, role.unpainted());
            }
            layer.set(&mut grid, numbers).map_err(Problem::refused)?;
        }
        Ok(grid)
    }
}
