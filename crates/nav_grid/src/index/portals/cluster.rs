//! A cluster of the map as machine words, one a row.

use super::{boards::GroundBoards, wave::WaveDirection};
use crate::{
    bits::transposed_bytes,
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

/// The number of spots of a cluster.
pub(crate) const SPOTS: usize = SIDE as usize * SIDE as usize;

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

/// The exits and the step costs of a cluster that has some, by spot.
#[derive(Clone, Debug)]
pub(super) struct MixedGround {
    /// The directions in which all cells of a body may be left, a bit each.
    pub(super) exits: [u8; SPOTS],
    /// The greatest step cost that a body covers.
    pub(super) costs: [u8; SPOTS],
}

impl MixedGround {
    fn read(grid: &Grid, corner: Cell, footprint: Footprint) -> Box<Self> {
        let mut ground = Box::new(Self {
            exits: [u8::MAX; SPOTS],
            costs: [1; SPOTS],
        });
        let side = usize::from(footprint.side());
        let area = Area::from(corner).grown(0, SIDE - 1 + side as u16 - 1);
        let last = area.clipped(grid.size()).last();
        let columns = usize::from(corner.x)..=usize::from(last.x);
        for (row, y) in (corner.y..=last.y).enumerate() {
            let [exits, costs] = [&grid.exits, &grid.costs].map(|layer| {
                let row = layer.row(y, corner.floor, grid.size());
                row.get(columns.clone()).unwrap_or(&[])
            });
            for (spot, byte) in covering(row, exits, side) {
                ground.exits[spot] &= byte;
            }
            for (spot, byte) in covering(row, costs, side) {
                ground.costs[spot] = byte.max(ground.costs[spot]);
            }
        }
        ground
    }
}

/// The spots of bodies of a side that cover cells of a row, with the byte of the cell.
fn covering(row: usize, bytes: &[u8], side: usize) -> impl Iterator<Item = (usize, u8)> {
    let sides = usize::from(SIDE);
    let rows = (row + 1).saturating_sub(side)..(row + 1).min(sides);
    let spots = rows.flat_map(move |row| (0..sides).map(move |column| (row * sides, column)));
    spots.flat_map(move |(first, column)| {
        let covered = bytes.iter().skip(column).take(side);
        covered.map(move |&byte| (first + column, byte))
    })
}

/// The ground that waves of a cluster spread over.
#[derive(Clone, Debug)]
pub(crate) struct ClusterGround {
    pub(super) free: ClusterRows,
    /// `None` without exits and step costs.
    pub(super) mixed: Option<Box<MixedGround>>,
    pub(super) strict: bool,
}

impl ClusterGround {
    pub(super) fn load(boards: &GroundBoards, grid: &Grid, rules: Rules, corner: Cell) -> Self {
        let free = load(&boards.free, grid.size(), corner);
        let mixed = boards.are_mixed() && load(boards.plain(), grid.size(), corner) != free;
        Self {
            free,
            mixed: mixed.then(|| MixedGround::read(grid, corner, rules.footprint)),
            strict: rules.corners == CornerRule::Strict,
        }
    }

    /// Whether cells have exits or step costs. Elsewhere each way is as long as the way back.
    #[inline]
    pub(crate) const fn is_mixed(&self) -> bool {
        self.mixed.is_some()
    }

    /// For each spot the directions in which a legal step leaves it, or for waves backward enters
    /// it.
    pub(super) fn steps(&self, diagonals: bool, way: WaveDirection) -> [u8; SPOTS] {
        let free = &self.free;
        let mut exits = [[u32::MAX; SIDE as usize + 2]; 8];
        if let Some(mixed) = &self.mixed {
            for (block, bytes) in mixed.exits.as_chunks::<8>().0.iter().enumerate() {
                let (row, by) = place(block);
                for (plane, byte) in exits.iter_mut().zip(transposed(*bytes)) {
                    plane[row] &= u32::from(byte) << by | !(0xff << by);
                }
            }
        }
        let mut planes = [NO_ROWS; 8];
        for (direction, plane) in Direction::ALL.into_iter().zip(&mut planes) {
            if direction.is_diagonal() && !diagonals {
                continue;
            }
            let (dx, dy) = direction.delta();
            for row in 1..=usize::from(SIDE) {
                let to = row.wrapping_add_signed(dy as isize);
                let mut leaving = free[row] & shifted(free[to], -dx);
                if direction.is_diagonal() && self.strict {
                    leaving &= shifted(free[row], -dx) & free[to];
                }
                leaving &= exits[direction as usize][row];
                match way {
                    WaveDirection::Forward => plane[row] = leaving,
                    WaveDirection::Backward => plane[to] = shifted(leaving, dx),
                }
            }
        }
        let mut steps = [0; SPOTS];
        for (block, steps) in steps.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let (row, by) = place(block);
            let bytes = std::array::from_fn(|way| (planes[way][row] >> by) as u8);
            *steps = transposed(bytes);
        }
        steps
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
        let mut mixed = self.mixed.iter();
        let open = mixed.all(|mixed| mixed.exits[usize::from(from)] >> direction as u8 & 1 == 1);
        open.then_some(to)
    }
}

/// The row of eight spots in a row, and the bit of the first one.
const fn place(block: usize) -> (usize, usize) {
    (block / 4 + 1, block % 4 * 8)
}

/// A byte for each of eight spots, from a byte for each direction, or the other way around.
fn transposed(bytes: [u8; 8]) -> [u8; 8] {
    transposed_bytes(u64::from_le_bytes(bytes)).to_le_bytes()
}

/// A row moved some columns to the right.
const fn shifted(row: u32, columns: i32) -> u32 {
    if columns >= 0 {
        row << columns
    } else {
        row >> -columns
    }
}
