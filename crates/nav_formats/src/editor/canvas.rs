//! Layers of a map, which add up to a grid.

use crate::{cell_layer::CellLayer, error::Problem};
use nav_grid::{Cell, Grid, Size};

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
        let index = usize::from(cell.y) * usize::from(self.size.width) + usize::from(cell.x);
        self.begin(cell.floor, role)[index] = value;
    }

    /// Returns the grid. Ground and walls add up: a wall, or a cost of 0, is a wall whatever the
    /// ground.
    pub(crate) fn into_grid(self) -> Result<Grid, Problem> {
        let refused = |error: &dyn std::fmt::Display| Problem::Value(error.to_string());
        let width = usize::from(self.size.width);
        let byte = |role: Role, cell: Cell| {
            let bytes = self.bytes.get(usize::from(cell.floor))?;
            let index = usize::from(cell.y) * width + usize::from(cell.x);
            bytes[role.index()].get(index).copied()
        };
        let is_walkable = |cell| {
            byte(Role::Walkable, cell) != Some(0)
                && byte(Role::Blocked, cell).unwrap_or(0) == 0
                && byte(Role::Cost, cell) != Some(0)
        };
        let mut grid = Grid::build(self.size, is_walkable).map_err(|error| refused(&error))?;
        for (floor, bytes) in (0..).zip(&self.bytes) {
            for (index, &cost) in bytes[Role::Cost.index()].iter().enumerate() {
                let cell = Cell::new((index % width) as u16, (index / width) as u16);
                let cell = cell.on_floor(floor);
                if cost > 1 && grid.is_walkable(cell) {
                    grid.set_cost(cell, cost).map_err(|error| refused(&error))?;
                }
            }
        }
        let area = width * usize::from(self.size.height);
        for layer in CellLayer::ALL {
            let role = Role::Numbers(layer);
            if self
                .bytes
                .iter()
                .all(|bytes| bytes[role.index()].is_empty())
            {
                continue;
            }
            let mut numbers = Vec::with_capacity(area * self.bytes.len());
            for (floors, bytes) in (1..).zip(&self.bytes) {
                numbers.extend(&bytes[role.index()]);
                numbers.resize(floors * area, role.unpainted());
            }
            (layer.set(&mut grid, numbers)).map_err(|error| refused(&error))?;
        }
        Ok(grid)
    }
}
