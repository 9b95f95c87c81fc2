//! Finding the portals between two clusters.

use super::{
    boards::GroundBoards,
    cluster::{SIDE, Spot, Tiling, is_in, load},
    portal::NONE,
};
use crate::{
    cell::{Cell, Direction},
    map::{Bitboard, Grid},
    rules::{CornerRule, Cost, IntegerCosts, Rules},
};

/// The greatest number of cells that a portal stands for, which makes three portals for an open
/// border: more portals make better paths and slower searches.
const RUN_MAX: u32 = 11;

/// How much dearer a crossing may be than the one beside it that a portal stands for, too. On
/// patches of costs up to 64 the worst path of 1,440 was 1.3 times the best one, where without a
/// bound it was 1.7 times; 2 makes a quarter more portals on patches of costs up to 8, and paths no
/// better.
const DEARER_MAX: u32 = 8;

/// A way from one cluster to another: two spots and the cost of the step or link between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClusterCrossing {
    /// The spot in the cluster that owns it.
    pub(super) here: Spot,
    /// The spot in the other cluster.
    pub(super) there: Spot,
    pub(super) other: u32,
    /// The step costs of the ground that is entered, out of the owner and into it. For a link the
    /// two bytes of its cost.
    pub(super) weights: [u8; 2],
    pub(super) ways: CrossingWays,
}

/// The directions in which a crossing may be walked: a set of the bits below.
pub(super) type CrossingWays = u8;

/// Out of the owner.
pub(super) const OUT: CrossingWays = 1;
/// Into the owner.
pub(super) const INTO: CrossingWays = 2;
/// By a link.
pub(super) const LINK: CrossingWays = 4;

/// By a diagonal step.
pub(super) const SLANT: CrossingWays = 8;

impl ClusterCrossing {
    /// The cost of passing through in units of the step costs, out of the owner or into it, or
    /// [`NONE`].
    pub(super) fn cost(&self, out: bool, step_costs: IntegerCosts) -> u32 {
        if self.ways & if out { OUT } else { INTO } == 0 {
            return NONE;
        }
        if self.ways & LINK != 0 {
            return step_costs.straight as u32 * u32::from(u16::from_le_bytes(self.weights));
        }
        let step = step_costs.step(self.ways & SLANT != 0);
        step_costs.onto(step, self.weights[usize::from(!out)].into())
    }
}

/// The ways of a crossing that is no link.
fn ways(out: bool, into: bool) -> CrossingWays {
    (if out { OUT } else { 0 }) | (if into { INTO } else { 0 })
}

/// Finds the crossings that a cluster owns.
///
/// These are the crossings to the clusters on the right, below, on the lower right and on the lower
/// left, and the links that leave the cluster; in this order, each border from its upper left end.
pub(super) struct CrossingFinder<'a> {
    pub(super) tiling: Tiling,
    pub(super) grid: &'a Grid,
    pub(super) boards: &'a GroundBoards,
    pub(super) rules: Rules,
    pub(super) step_costs: IntegerCosts,
}

/// A border between two clusters.
struct ClusterBorder {
    /// The first cell of the owner along the border.
    here: Cell,
    /// From the owner to the other cluster: east or south.
    across: Direction,
    /// From one cell to the next one of the border.
    along: Direction,
    length: u32,
    other: u32,
}

impl ClusterBorder {
    /// The cells on both sides.
    fn pair(&self, index: u32) -> (Cell, Cell) {
        let (along, across) = (self.along.delta(), self.across.delta());
        let by = index as u16;
        let here = self.here.moved(along.0 as u16 * by, along.1 as u16 * by);
        (here, here.moved(across.0 as u16, across.1 as u16))
    }
}

impl CrossingFinder<'_> {
    /// Returns the number of borders with exits or step costs, which take longer.
    pub(super) fn find(&self, cluster: u32, into: &mut Vec<ClusterCrossing>) -> u32 {
        into.clear();
        let mut borders = 0;
        // Under the strict rule two straight steps replace every diagonal one, unless exits forbid
        // or step costs make them dear.
        let diagonals = self.step_costs.diagonal > 0;
        let cut = self.rules.corners == CornerRule::Cut;
        for across in [Direction::East, Direction::South] {
            if let Some(border) = self.border(cluster, across) {
                let mixed = self.is_mixed(&border);
                borders += u32::from(mixed);
                self.straight(&border, mixed, into);
                if diagonals && (cut || mixed) {
                    self.diagonal(&border, into);
                }
            }
        }
        if diagonals && (cut || self.boards.are_mixed()) {
            let corner = self.tiling.corner(cluster);
            let right = corner.moved(SIDE - 1, SIDE - 1);
            let left = corner.moved(0, SIDE - 1);
            let steps = [(right, Direction::SouthEast), (left, Direction::SouthWest)];
            for (here, direction) in steps {
                let (dx, dy) = direction.delta();
                if let Some(other) = self.tiling.beside(cluster, dx, dy) {
                    self.step(here, direction, other, into);
                }
            }
        }
        self.links(cluster, into);
        borders
    }

    fn border(&self, cluster: u32, across: Direction) -> Option<ClusterBorder> {
        let (corner, size) = (self.tiling.corner(cluster), self.tiling.size);
        let (dx, dy) = across.delta();
        let (along, cells) = match across {
            Direction::East => (Direction::South, size.height - corner.y),
            _ => (Direction::East, size.width - corner.x),
        };
        Some(ClusterBorder {
            here: corner.moved(dx as u16 * (SIDE - 1), dy as u16 * (SIDE - 1)),
            across,
            along,
            length: SIDE.min(cells).into(),
            other: self.tiling.beside(cluster, dx, dy)?,
        })
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.tiling.size.contains(cell) && self.boards.free.get(cell.x, cell.y, cell.floor)
    }

    /// The cell that a step leads to, if both cells are free and the step is legal. By the board,
    /// which is faster than [`Grid::steps`] for large bodies.
    fn step_from(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let to = cell.step(direction).filter(|&to| self.is_free(to))?;
        let Rules {
            footprint, corners, ..
        } = self.rules;
        let legal = self.is_free(cell)
            && (!direction.is_diagonal()
                || self.step_costs.diagonal > 0
                    && (corners == CornerRule::Cut
                        || self.is_free(Cell { x: to.x, ..cell })
                            && self.is_free(Cell { y: to.y, ..cell })))
            && (!self.grid.has_exits()
                || self.grid.exits_of_body(cell, footprint).contains(direction));
        legal.then_some(to)
    }

    /// Whether the walker may take a step from a cell.
    fn allows(&self, from: Cell, direction: Direction) -> bool {
        self.step_from(from, direction).is_some()
    }

    /// The costs of both cells of a border at an index.
    fn ground_of(&self, border: &ClusterBorder, index: u32) -> u32 {
        let (here, there) = border.pair(index);
        self.ground(here) + self.ground(there)
    }

    /// The cost of the ground at a cell.
    fn ground(&self, cell: Cell) -> Cost {
        self.grid.cost_of_body(cell, self.rules.footprint)
    }

    /// Whether a place along a border has exits or step costs.
    fn is_mixed(&self, border: &ClusterBorder) -> bool {
        let (here, there) = border.pair(0);
        let boards = self.boards;
        let differs =
            |first| line(&boards.free, first, border) != line(boards.plain(), first, border);
        boards.are_mixed() && (differs(here) || differs(there))
    }

    /// Portals across one border.
    fn straight(&self, border: &ClusterBorder, mixed: bool, into: &mut Vec<ClusterCrossing>) {
        if !mixed {
            self.plain(border, into);
            return;
        }
        let &ClusterBorder { across, along, .. } = border;
        // The cells that may be left across the border, into the owner, and in both clusters along
        // the border to the next cell and back, if that crossing is about as dear.
        let (mut out, mut back, mut joined) = (0_u32, 0_u32, u32::MAX);
        for index in 0..border.length {
            let (here, there) = border.pair(index);
            out |= u32::from(self.allows(here, across)) << index;
            back |= u32::from(self.allows(there, across.opposite())) << index;
            if index + 1 < border.length {
                let next = border.pair(index + 1);
                let dear = [index, index + 1].map(|index| self.ground_of(border, index));
                let joins = self.allows(here, along)
                    && self.allows(there, along)
                    && self.allows(next.0, along.opposite())
                    && self.allows(next.1, along.opposite())
                    && dear[0].max(dear[1]) <= DEARER_MAX * dear[0].min(dear[1]);
                joined &= !(u32::from(!joins) << index);
            }
        }
        let ways = |index: u32| ways(out >> index & 1 == 1, back >> index & 1 == 1);
        let mut index = 0;
        while index < border.length {
            // A run of cells with the same ways, between which the walker can move on both sides.
            let (first, run) = (index, ways(index));
            index += 1;
            if run == 0 {
                continue;
            }
            while index < border.length && ways(index) == run && joined >> (index - 1) & 1 == 1 {
                index += 1;
            }
            // Pieces of nearly equal length, each with its middle cell, or the cheapest one of
            // several costs.
            let (length, pieces) = (index - first, (index - first).div_ceil(RUN_MAX));
            for piece in 0..pieces {
                let middle = first + (2 * piece + 1) * length / (2 * pieces);
                let cells = first + piece * length / pieces..first + (piece + 1) * length / pieces;
                let cheapest = cells
                    .min_by_key(|&index| (self.ground_of(border, index), index.abs_diff(middle)));
                let at = cheapest.unwrap_or(middle);
                into.push(self.crossing(border.pair(at), border.other, run));
            }
        }
    }

    /// Portals across a border without exits and step costs. Each stands for all cells that are
    /// joined on both sides.
    fn plain(&self, border: &ClusterBorder, into: &mut Vec<ClusterCrossing>) {
        let sides = self.strips(border);
        let open = sides[0][0] & sides[1][0];
        let on_both = |first: u32, window: u32| {
            let [here, there] = sides.map(|side| joined(side, first, window));
            here & there
        };
        let mut left = open;
        while left != 0 {
            let first = left.trailing_zeros();
            // Pieces of nearly equal length.
            let all = on_both(first, u32::MAX << first) & left;
            let length = u32::BITS - all.leading_zeros() - first;
            let piece = length.div_ceil(length.div_ceil(RUN_MAX));
            let window = (u32::MAX >> (u32::BITS - piece)) << first;
            let cells = on_both(first, window) & left;
            left &= !cells;
            let span = u32::BITS - cells.leading_zeros() - first;
            let middle = first + span / 2;
            let cells = (first..first + span).filter(|&index| cells >> index & 1 == 1);
            let nearest = cells.min_by_key(|&index| index.abs_diff(middle));
            let at = nearest.unwrap_or(first);
            into.push(self.crossing(border.pair(at), border.other, OUT | INTO));
        }
    }

    /// The free cells of the first rows on both sides of a border, from the border inwards.
    fn strips(&self, border: &ClusterBorder) -> [Strip; 2] {
        let (here, there) = border.pair(0);
        [(here, border.across.opposite()), (there, border.across)].map(|(first, inwards)| {
            let mut next = Some(first);
            std::array::from_fn(|_| {
                let row = next.filter(|&row| self.tiling.size.contains(row));
                next = row.and_then(|row| row.step(inwards));
                row.map_or(0, |row| line(&self.boards.free, row, border))
            })
        })
    }

    /// Diagonal steps across a border that no straight step replaces.
    fn diagonal(&self, border: &ClusterBorder, into: &mut Vec<ClusterCrossing>) {
        // The diagonal back along the border comes before the diagonal onward.
        let [back, on] = match border.across {
            Direction::East => [Direction::NorthEast, Direction::SouthEast],
            _ => [Direction::SouthWest, Direction::SouthEast],
        };
        for index in 0..border.length {
            let (here, _) = border.pair(index);
            if index > 0 {
                self.step(here, back, border.other, into);
            }
            if index + 1 < border.length {
                self.step(here, on, border.other, into);
            }
        }
    }

    /// Whether a diagonal step is legal, and no two straight steps lead there over ground at most
    /// twice as dear as both ends: on rough ground a smaller factor makes as many portals of
    /// diagonal steps as of straight ones, and paths hardly better.
    fn needs_diagonal(&self, from: Cell, direction: Direction) -> bool {
        let Some(to) = self.step_from(from, direction) else {
            return false;
        };
        let [one, two] = [7, 1].map(|by| Direction::ALL[(direction as usize + by) % 8]);
        ![(one, two), (two, one)].into_iter().any(|(first, second)| {
            self.step_from(from, first).is_some_and(|beside| {
                self.allows(beside, second)
                    && self.ground(beside) <= 2 * self.ground(from).max(self.ground(to))
            })
        })
    }

    /// A portal of one diagonal step, where it is needed.
    fn step(&self, here: Cell, direction: Direction, other: u32, into: &mut Vec<ClusterCrossing>) {
        let size = self.tiling.size;
        let there = here.step(direction).filter(|&there| size.contains(there));
        let Some(there) = there.filter(|_| size.contains(here)) else {
            return;
        };
        let into_owner = self.needs_diagonal(there, direction.opposite());
        let ways = ways(self.needs_diagonal(here, direction), into_owner);
        if ways != 0 {
            into.push(self.crossing((here, there), other, ways | SLANT));
        }
    }

    /// The links that leave a cluster, including links inside it.
    fn links(&self, cluster: u32, into: &mut Vec<ClusterCrossing>) {
        let all = self.grid.links();
        if all.is_empty() {
            return;
        }
        let corner = self.tiling.corner(cluster);
        let free = load(&self.boards.free, self.tiling.size, corner);
        for dy in 0..SIDE.min(self.tiling.size.height - corner.y) {
            // In reading order, the links of a row of the cluster follow on each other.
            let (from, to) = (corner.moved(0, dy), corner.moved(SIDE, dy));
            let first = all.partition_point(|link| link.from < from);
            for link in all[first..].iter().take_while(|link| link.from < to) {
                if is_in(&free, Tiling::spot(link.from)) && self.is_free(link.to) {
                    into.push(ClusterCrossing {
                        here: Tiling::spot(link.from),
                        there: Tiling::spot(link.to),
                        other: self.tiling.cluster(link.to),
                        weights: link.cost.to_le_bytes(),
                        ways: OUT | LINK,
                    });
                }
            }
        }
    }

    /// A crossing by a step.
    fn crossing(
        &self,
        (here, there): (Cell, Cell),
        other: u32,
        ways: CrossingWays,
    ) -> ClusterCrossing {
        ClusterCrossing {
            here: Tiling::spot(here),
            there: Tiling::spot(there),
            other,
            weights: [there, here].map(|cell| self.ground(cell) as u8),
            ways,
        }
    }
}

/// Rows on each side of a border, a bit a cell.
type Strip = [u32; STRIP];

/// Rows beside a border by which the crossings of a portal are joined.
///
/// Measured on 1024×1024 cells with 20 % walls: portals of cells side by side alone take 2.9 bytes
/// a cell in place of 1.4 and twice the time; paths are 0.5 % shorter.
const STRIP: usize = 3;

/// The cells of the first row that are joined to one of them by straight steps within a strip and a
/// window.
fn joined(strip: Strip, first: u32, window: u32) -> u32 {
    let free = strip.map(|row| row & window);
    let mut reached = Strip::default();
    reached[0] = free[0] & 1 << first;
    loop {
        let before = reached;
        for row in 0..STRIP {
            let mut beside = reached[row] << 1 | reached[row] >> 1 | reached[row];
            for other in [row.wrapping_sub(1), row + 1] {
                beside |= reached.get(other).copied().unwrap_or(0);
            }
            reached[row] |= beside & free[row];
        }
        if reached == before {
            return reached[0];
        }
    }
}

/// The places of a board along a side of a border.
fn line(board: &Bitboard, first: Cell, border: &ClusterBorder) -> u32 {
    let Cell { x, y, floor } = first;
    let along_row = border.along == Direction::East;
    let count = if along_row { 1 } else { border.length as usize };
    let words = board.words_from(x.into(), y, floor, count);
    let line = words.enumerate().fold(0, |line, (index, word)| {
        line | if along_row { word } else { (word & 1) << index }
    });
    line as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads rows of a strip, from the border inwards: `.` is free.
    fn strip(rows: [&str; STRIP]) -> Strip {
        rows.map(|row| {
            let cells = row.bytes().enumerate();
            cells.fold(0, |bits, (at, cell)| bits | u32::from(cell == b'.') << at)
        })
    }

    #[test]
    fn joined_around_walls() {
        for (rows, first, last, expected) in [
            // Side by side, around a wall, around a thick one, and not around a wall as deep as the
            // strip.
            (["....", "####", "####"], 0, 3, 0b1111),
            ([".#..", "....", "####"], 0, 3, 0b1101),
            ([".#..", ".#..", "...."], 0, 3, 0b1101),
            ([".#..", ".#..", ".#.."], 0, 3, 0b0001),
            // Diagonal steps join nothing.
            ([".#..", "#...", "...."], 0, 3, 0b0001),
            // A way that leaves the window does not count.
            ([".#.#.", ".#.#.", ".#..."], 2, 3, 0b0100),
            ([".#.#.", ".#.#.", ".#..."], 2, 4, 0b1_0100),
        ] {
            let window = u32::MAX >> (31 - last) & u32::MAX << first;
            assert_eq!(joined(strip(rows), first, window), expected, "{rows:?}");
        }
    }
}
