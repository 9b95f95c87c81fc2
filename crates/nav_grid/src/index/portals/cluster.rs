//! A cluster of the map as machine words, one a row.

use crate::{
    cell::{Cell, Direction},
    map::{Area, Bitboard, Grid, Size},
    rules::{CornerRule, Footprint, Rules},
};

/// Columns and rows of a cluster: the bits of the words that waves spread by, and half of a tile,
/// so that an edited tile is four whole clusters.
pub(crate) const SIDE: u16 = 32;

/// Rows of a cluster with a zero row above and below: bit `x` of word `y + 1` is for the cell in
/// column `x` and row `y` of the cluster.
pub(crate) type ClusterRows = [u32; SIDE as usize + 2];

pub(super) const NO_ROWS: ClusterRows = [0; SIDE as usize + 2];

/// A cell of a cluster: `y * SIDE + x`.
pub(crate) type Spot = u16;

/// The layout and the numbers of the clusters of a map: floor by floor, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    pub(crate) size: Size,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl Tiling {
    pub(super) fn new(size: Size) -> Self {
        Self {
            size,
            columns: u32::from(size.width.div_ceil(SIDE)),
            rows: u32::from(size.height.div_ceil(SIDE)),
        }
    }

    pub(super) fn clusters(self) -> usize {
        self.columns as usize * self.rows as usize * usize::from(self.size.floors)
    }

    /// The cluster of a cell of the map.
    #[inline]
    pub(crate) fn cluster(self, cell: Cell) -> u32 {
        (u32::from(cell.floor) * self.rows + u32::from(cell.y / SIDE)) * self.columns
            + u32::from(cell.x / SIDE)
    }

    /// The place of a cell in its cluster.
    #[inline]
    pub(crate) const fn spot(cell: Cell) -> Spot {
        cell.y % SIDE * SIDE + cell.x % SIDE
    }

    /// The upper left cell of a cluster.
    pub(crate) fn corner(self, cluster: u32) -> Cell {
        let row = cluster / self.columns;
        let (x, y) = (cluster % self.columns, row % self.rows);
        Cell::new(x as u16 * SIDE, y as u16 * SIDE).on_floor((row / self.rows) as u8)
    }

    #[inline]
    pub(crate) fn cell(self, cluster: u32, spot: Spot) -> Cell {
        self.corner(cluster).moved(spot % SIDE, spot / SIDE)
    }

    /// The cluster some columns and rows away on the same floor.
    pub(crate) fn beside(self, cluster: u32, dx: i32, dy: i32) -> Option<u32> {
        let column = (cluster % self.columns).checked_add_signed(dx)?;
        let rows = cluster / self.columns;
        let row = (rows % self.rows).checked_add_signed(dy)?;
        let inside = column < self.columns && row < self.rows;
        inside.then_some((rows - rows % self.rows + row) * self.columns + column)
    }
}

/// The rows of the cluster whose upper left cell is `corner`.
pub(super) fn load(board: &Bitboard, size: Size, corner: Cell) -> ClusterRows {
    let mut rows = NO_ROWS;
    let count = SIDE.min(size.height - corner.y);
    // A cluster's columns lie in one word, whose bits behind the map's border are zero.
    let words = board.words_from(corner.x.into(), corner.y, corner.floor, usize::from(count));
    for (row, word) in rows[1..].iter_mut().zip(words) {
        *row = word as u32;
    }
    rows
}

/// Whether the bit of a spot is set.
#[inline]
pub(crate) fn is_in(rows: &ClusterRows, spot: Spot) -> bool {
    rows[usize::from(spot / SIDE) + 1] >> (spot % SIDE) & 1 == 1
}

/// Spots of a cluster as bits, to compare with fronts of waves.
#[derive(Clone, Debug)]
pub(crate) struct SpotSet(ClusterRows);

impl SpotSet {
    pub(crate) fn new(spots: impl IntoIterator<Item = Spot>) -> Self {
        let mut rows = NO_ROWS;
        for spot in spots {
            rows[usize::from(spot / SIDE) + 1] |= 1 << (spot % SIDE);
        }
        Self(rows)
    }

    /// Whether a front holds one of them.
    #[inline]
    pub(crate) fn are_in(&self, front: &ClusterRows, rows: std::ops::Range<usize>) -> bool {
        let pairs = front[rows.clone()].iter().zip(&self.0[rows]);
        pairs.fold(0, |hit, (front, targets)| hit | front & targets) != 0
    }
}

/// For each direction, the spots of a cluster that may be left that way.
pub(crate) type ClusterExits = [ClusterRows; 8];

/// Reads the exits of a cluster, if a spot of it has any.
fn exits(grid: &Grid, corner: Cell, footprint: Footprint) -> Option<Box<ClusterExits>> {
    let area = Area::from(corner).grown(0, SIDE - 1).clipped(grid.size());
    let covered = area.grown(0, u16::from(footprint.side()) - 1);
    if !grid.has_exits() || !grid.has_exits_in(covered.clipped(grid.size())) {
        return None;
    }
    let mut planes = Box::new([NO_ROWS; 8]);
    for cell in area.cells() {
        let (row, column) = (usize::from(cell.y - corner.y) + 1, cell.x - corner.x);
        for direction in grid.exits_of_body(cell, footprint) {
            planes[direction as usize][row] |= 1 << column;
        }
    }
    Some(planes)
}

/// The ground that waves of a cluster spread over.
#[derive(Clone, Debug)]
pub(crate) struct ClusterGround {
    pub(super) free: ClusterRows,
    pub(crate) exits: Option<Box<ClusterExits>>,
    pub(super) strict: bool,
}

impl ClusterGround {
    pub(super) fn load(board: &Bitboard, grid: &Grid, rules: Rules, corner: Cell) -> Self {
        Self {
            free: load(board, grid.size(), corner),
            exits: exits(grid, corner, rules.footprint),
            strict: rules.corners == CornerRule::Strict,
        }
    }

    /// The spot of the cluster to which a legal step from a free spot leads, if it is free.
    pub(super) fn allows(&self, from: Spot, direction: Direction) -> Option<Spot> {
        let (dx, dy) = direction.delta();
        let at = |x: i32, y: i32| -> Option<Spot> {
            let inside = (0..i32::from(SIDE)).contains(&x) && (0..i32::from(SIDE)).contains(&y);
            let spot = (y * i32::from(SIDE) + x) as Spot;
            (inside && is_in(&self.free, spot)).then_some(spot)
        };
        let (x, y) = (i32::from(from % SIDE), i32::from(from / SIDE));
        let to = at(x + dx, y + dy)?;
        if self.strict && direction.is_diagonal() {
            at(x + dx, y)?;
            at(x, y + dy)?;
        }
        let mut exits = self.exits.iter();
        let open = exits.all(|planes| is_in(&planes[direction as usize], from));
        open.then_some(to)
    }
}
