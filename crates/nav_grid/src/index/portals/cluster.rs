//! A cluster of the map as machine words, one a row.

use crate::{
    cell::{Cell, Direction},
    map::{Area, Bitboard, Grid, Size},
    rules::{CornerRule, Footprint, Rules},
};

/// Columns and rows of a cluster.
pub(crate) const SIDE: u16 = 32;

/// Rows of a cluster with a zero row above and below: bit `x` of word `y + 1` is for the cell in
/// column `x` and row `y` of the cluster.
pub(crate) type ClusterRows = [u32; SIDE as usize + 2];

pub(crate) const NO_ROWS: ClusterRows = [0; SIDE as usize + 2];

/// A cell of a cluster: `y * SIDE + x`.
pub(crate) type Spot = u16;

/// How clusters tile a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    pub(crate) size: Size,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl Tiling {
    pub(crate) fn new(size: Size) -> Self {
        Self {
            size,
            columns: u32::from(size.width.div_ceil(SIDE)),
            rows: u32::from(size.height.div_ceil(SIDE)),
        }
    }

    pub(crate) fn clusters(self) -> usize {
        self.columns as usize * self.rows as usize * usize::from(self.size.floors)
    }

    /// The cluster that a cell of the map lies in.
    #[inline]
    pub(crate) fn cluster(self, cell: Cell) -> u32 {
        (u32::from(cell.floor) * self.rows + u32::from(cell.y / SIDE)) * self.columns
            + u32::from(cell.x / SIDE)
    }

    /// Where in its cluster a cell lies.
    #[inline]
    pub(crate) const fn spot(cell: Cell) -> Spot {
        cell.y % SIDE * SIDE + cell.x % SIDE
    }

    /// The upper left cell of a cluster.
    pub(crate) fn corner(self, cluster: u32) -> Cell {
        let row = cluster / self.columns;
        Cell {
            x: (cluster % self.columns) as u16 * SIDE,
            y: (row % self.rows) as u16 * SIDE,
            floor: (row / self.rows) as u8,
        }
    }

    #[inline]
    pub(crate) fn cell(self, cluster: u32, spot: Spot) -> Cell {
        let corner = self.corner(cluster);
        Cell {
            x: corner.x + spot % SIDE,
            y: corner.y + spot / SIDE,
            ..corner
        }
    }

    /// The cluster so many columns and rows away on the same floor.
    pub(crate) fn beside(self, cluster: u32, dx: i32, dy: i32) -> Option<u32> {
        let column = (cluster % self.columns).checked_add_signed(dx)?;
        let rows = cluster / self.columns;
        let row = (rows % self.rows).checked_add_signed(dy)?;
        if column >= self.columns || row >= self.rows {
            return None;
        }
        Some((rows - rows % self.rows + row) * self.columns + column)
    }
}

/// The rows of the cluster whose upper left cell is `corner`.
pub(crate) fn load(board: &Bitboard, size: Size, corner: Cell) -> ClusterRows {
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

/// Spots that a wave looks out for.
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

    /// Whether a front comes to one of them.
    #[inline]
    pub(crate) fn are_in(&self, front: &ClusterRows, rows: std::ops::Range<usize>) -> bool {
        let pairs = front[rows.clone()].iter().zip(&self.0[rows]);
        pairs.fold(0, |hit, (front, targets)| hit | front & targets) != 0
    }
}

/// For each direction, the spots of a cluster that may be left that way.
pub(crate) type ClusterExits = [ClusterRows; 8];

/// Reads the exits of a cluster, if some spot of it has any.
pub(crate) fn exits(grid: &Grid, corner: Cell, footprint: Footprint) -> Option<Box<ClusterExits>> {
    if !grid.has_exits() {
        return None;
    }
    let size = grid.size();
    let far = Cell {
        x: corner.x + SIDE - 1,
        y: corner.y + SIDE - 1,
        ..corner
    };
    let area = Area::new(corner, far).clipped(size);
    let covered = area.grown(0, u16::from(footprint.side()) - 1).clipped(size);
    if !grid.has_exits_in(covered) {
        return None;
    }
    let mut planes = Box::new([NO_ROWS; 8]);
    for cell in area.cells() {
        let exits = grid.exits_of_body(cell, footprint);
        let (row, column) = (usize::from(cell.y - corner.y) + 1, cell.x - corner.x);
        for direction in exits {
            planes[direction as usize][row] |= 1 << column;
        }
    }
    Some(planes)
}

/// What waves of a cluster spread over.
#[derive(Clone, Debug)]
pub(crate) struct ClusterGround {
    pub(crate) free: ClusterRows,
    pub(crate) exits: Option<Box<ClusterExits>>,
    pub(crate) strict: bool,
}

impl ClusterGround {
    pub(crate) fn load(board: &Bitboard, grid: &Grid, rules: Rules, corner: Cell) -> Self {
        Self {
            free: load(board, grid.size(), corner),
            exits: exits(grid, corner, rules.footprint),
            strict: rules.corners == CornerRule::Strict,
        }
    }

    /// Whether a step from a free spot leads to a free spot of the cluster, by the rules.
    pub(crate) fn allows(&self, from: Spot, direction: Direction) -> Option<Spot> {
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
        let exits = self.exits.as_deref();
        exits
            .is_none_or(|planes| is_in(&planes[direction as usize], from))
            .then_some(to)
    }
}
