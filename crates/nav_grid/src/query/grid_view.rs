//! Views of the map for best-first searches: with all layers, or with walls only.

use super::{
    path_query::PathQuery,
    terrain::{BodyFilter, Terrain},
};
use crate::{
    cell::{Cell, Directions},
    map::{Bitboard, Grid, Link},
    rules::{BodyPolicy, Cost, Footprint},
};

/// The map as the expansion of a cell reads it.
///
/// Maps without layers, for queries that no bodies block, have a type of their own, so that they do
/// not pay for the layers.
pub(crate) trait GridView {
    /// Whether only walls and directions matter: then neighbours shared with the parent are no
    /// news.
    const UNIFORM: bool;

    /// The neighbours of a cell where the body may stand, as a move table index.
    fn surroundings(&self, cell: Cell) -> usize;

    /// The directions in which the body may leave a cell.
    fn exits(&self, cell: Cell) -> Directions;

    /// The cost of the ground for a step to a cell.
    fn cost(&self, cell: Cell) -> Cost;

    /// The links that leave a cell.
    fn links(&self, cell: Cell) -> &[Link];

    /// Whether the body may stand at the end of a link.
    fn may_stand(&self, cell: Cell) -> bool;
}

/// The walls only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UniformView<'a> {
    board: &'a Bitboard,
}

impl<'a> UniformView<'a> {
    /// The view for a query if only walls matter to it, and a board for its footprint exists.
    pub(crate) fn new(terrain: Terrain<'a>, query: &PathQuery) -> Option<Self> {
        let grid = terrain.grid;
        let bare = !grid.has_costs()
            && !grid.has_exits()
            && grid.links().is_empty()
            && (terrain.bodies.is_none() || query.rules.bodies == BodyPolicy::Ignore);
        let board = grid.board(query.rules.footprint).filter(|_| bare)?;
        Some(Self { board })
    }
}

impl GridView for UniformView<'_> {
    const UNIFORM: bool = true;

    #[inline]
    fn surroundings(&self, cell: Cell) -> usize {
        usize::from(self.board.around(cell.x, cell.y, cell.floor))
    }

    #[inline]
    fn exits(&self, _: Cell) -> Directions {
        Directions::ALL
    }

    #[inline]
    fn cost(&self, _: Cell) -> Cost {
        1
    }

    #[inline]
    fn links(&self, _: Cell) -> &[Link] {
        &[]
    }

    #[inline]
    fn may_stand(&self, cell: Cell) -> bool {
        self.board.get(cell.x, cell.y, cell.floor)
    }
}

/// All layers of the map, and bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedView<'a> {
    grid: &'a Grid,
    footprint: Footprint,
    body_filter: Option<BodyFilter<'a>>,
}

impl<'a> WeightedView<'a> {
    pub(crate) fn new(terrain: Terrain<'a>, query: &PathQuery) -> Self {
        Self {
            grid: terrain.grid,
            footprint: query.rules.footprint,
            body_filter: terrain.body_filter(query),
        }
    }
}

impl GridView for WeightedView<'_> {
    const UNIFORM: bool = false;

    fn surroundings(&self, cell: Cell) -> usize {
        match &self.body_filter {
            Some(body_filter) => body_filter.surroundings(self.grid, cell, self.footprint),
            None => self.grid.surroundings(cell, self.footprint),
        }
    }

    fn exits(&self, cell: Cell) -> Directions {
        if self.grid.has_exits() {
            self.grid.exits_of_body(cell, self.footprint)
        } else {
            Directions::ALL
        }
    }

    fn cost(&self, cell: Cell) -> Cost {
        self.grid.cost_of_body(cell, self.footprint)
    }

    fn links(&self, cell: Cell) -> &[Link] {
        self.grid.links_from(cell)
    }

    fn may_stand(&self, cell: Cell) -> bool {
        self.grid.fits(cell, self.footprint)
            && !(self.body_filter).is_some_and(|filter| filter.blocks(cell, self.footprint))
    }
}
