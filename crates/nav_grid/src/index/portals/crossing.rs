//! Where walkers get from one cluster to another.

use super::cluster::{SIDE, Spot, Tiling, is_in, load};
use crate::{
    cell::{Cell, Direction},
    map::{Bitboard, Grid, Link},
    rules::{CornerRule, IntegerCosts, Rules},
};

/// Most cells that one portal stands for: more of them per border make better paths and slower
/// searches.
const RUN_MAX: u32 = 11;

/// A way from one cluster to another: two spots and what it costs to get across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClusterCrossing {
    /// In the cluster that owns it.
    pub(crate) here: Spot,
    /// In the other one.
    pub(crate) there: Spot,
    pub(crate) other: u32,
    /// In units of the step costs.
    pub(crate) cost: u32,
    pub(crate) ways: CrossingWays,
}

/// In which directions a crossing may be walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CrossingWays {
    /// Out of the owner.
    pub(crate) out: bool,
    /// Into the owner.
    pub(crate) into: bool,
    /// By a link.
    pub(crate) link: bool,
}

/// Finds the crossings that a cluster owns: those to the cluster on the right, the one below,
/// the lower right and the lower left one, and the links that leave it; in this order, each
/// border from its upper left end on.
pub(crate) struct CrossingFinder<'a> {
    pub(crate) tiling: Tiling,
    pub(crate) grid: &'a Grid,
    pub(crate) board: &'a Bitboard,
    pub(crate) rules: Rules,
    pub(crate) step_costs: IntegerCosts,
}

/// The cells on both sides of a border between two clusters.
struct ClusterBorder {
    /// The first cell of the owner along the border.
    here: Cell,
    /// The cell across from it.
    there: Cell,
    /// From the owner to the other cluster.
    across: Direction,
    /// From one cell to the next one of the border.
    along: Direction,
    length: u16,
    other: u32,
}

impl ClusterBorder {
    fn pair(&self, index: u32) -> (Cell, Cell) {
        let (dx, dy) = self.along.delta();
        let (dx, dy) = (dx as u16 * index as u16, dy as u16 * index as u16);
        let at = |cell: Cell| Cell {
            x: cell.x + dx,
            y: cell.y + dy,
            ..cell
        };
        (at(self.here), at(self.there))
    }
}

impl CrossingFinder<'_> {
    pub(crate) fn find(&self, cluster: u32, into: &mut Vec<ClusterCrossing>) {
        into.clear();
        let corner = self.tiling.corner(cluster);
        let size = self.tiling.size;
        let diagonal = self.step_costs.diagonal > 0
            && (self.grid.has_exits() || self.rules.corners == CornerRule::Cut);
        if let Some(other) = self.tiling.beside(cluster, 1, 0) {
            let here = Cell {
                x: corner.x + SIDE - 1,
                ..corner
            };
            let border = ClusterBorder {
                here,
                there: Cell {
                    x: corner.x + SIDE,
                    ..corner
                },
                across: Direction::East,
                along: Direction::South,
                length: SIDE.min(size.height - corner.y),
                other,
            };
            self.straight(&border, into);
            if diagonal {
                self.diagonal(&border, into);
            }
        }
        if let Some(other) = self.tiling.beside(cluster, 0, 1) {
            let here = Cell {
                y: corner.y + SIDE - 1,
                ..corner
            };
            let border = ClusterBorder {
                here,
                there: Cell {
                    y: corner.y + SIDE,
                    ..corner
                },
                across: Direction::South,
                along: Direction::East,
                length: SIDE.min(size.width - corner.x),
                other,
            };
            self.straight(&border, into);
            if diagonal {
                self.diagonal(&border, into);
            }
        }
        if diagonal {
            let last = Cell {
                x: corner.x + SIDE - 1,
                y: corner.y + SIDE - 1,
                ..corner
            };
            if let Some(other) = self.tiling.beside(cluster, 1, 1) {
                self.step(last, Direction::SouthEast, other, into);
            }
            if let Some(other) = self.tiling.beside(cluster, -1, 1) {
                let here = Cell {
                    x: corner.x,
                    ..last
                };
                self.step(here, Direction::SouthWest, other, into);
            }
        }
        self.links(cluster, into);
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.tiling.size.contains(cell) && self.board.get(cell.x, cell.y, cell.floor)
    }

    /// The cell that a step leads to, if both cells are free and the step is legal.
    fn step_from(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let legal = self.is_free(cell) && self.grid.steps(cell, self.rules).contains(direction);
        cell.step(direction).filter(|_| legal)
    }

    /// Portals across one border.
    fn straight(&self, border: &ClusterBorder, into: &mut Vec<ClusterCrossing>) {
        let (mut out, mut back, mut joined) = (0_u32, 0_u32, u32::MAX);
        if self.grid.has_exits() {
            let legal = |from, direction| self.step_from(from, direction).is_some();
            for index in 0..u32::from(border.length) {
                let (here, there) = border.pair(index);
                out |= u32::from(legal(here, border.across)) << index;
                back |= u32::from(legal(there, border.across.opposite())) << index;
                if index + 1 < u32::from(border.length) {
                    let (next_here, next_there) = border.pair(index + 1);
                    let (along, against) = (border.along, border.along.opposite());
                    let joins = legal(here, along)
                        && legal(there, along)
                        && legal(next_here, against)
                        && legal(next_there, against);
                    joined &= !(u32::from(!joins) << index);
                }
            }
        } else {
            out = self.line(border.here, border) & self.line(border.there, border);
            back = out;
        }
        let mut index = 0;
        while index < u32::from(border.length) {
            let ways = |index: u32| CrossingWays {
                out: out >> index & 1 == 1,
                into: back >> index & 1 == 1,
                link: false,
            };
            let first = index;
            let run = ways(first);
            index += 1;
            if !run.out && !run.into {
                continue;
            }
            while index < u32::from(border.length)
                && ways(index) == run
                && joined >> (index - 1) & 1 == 1
            {
                index += 1;
            }
            // Pieces of all but equal length, each with its middle cell.
            let (length, pieces) = (index - first, (index - first).div_ceil(RUN_MAX));
            for piece in 0..pieces {
                let middle = first + (2 * piece + 1) * length / (2 * pieces);
                let (here, there) = border.pair(middle);
                into.push(ClusterCrossing {
                    here: Tiling::spot(here),
                    there: Tiling::spot(there),
                    other: border.other,
                    cost: self.step_costs.straight as u32,
                    ways: run,
                });
            }
        }
    }

    /// The free cells along a side of a border.
    fn line(&self, first: Cell, border: &ClusterBorder) -> u32 {
        let Cell { x, y, floor } = first;
        if border.along == Direction::East {
            let row = self.board.words_from(x.into(), y, floor, 1).next();
            row.unwrap_or(0) as u32
        } else {
            let column = self
                .board
                .words_from(x.into(), y, floor, usize::from(border.length));
            let bits = column.enumerate();
            bits.fold(0, |line, (index, word)| line | ((word & 1) as u32) << index)
        }
    }

    /// Diagonal steps across a border for which no straight one stands in.
    fn diagonal(&self, border: &ClusterBorder, into: &mut Vec<ClusterCrossing>) {
        for index in 0..u32::from(border.length) {
            let (here, _) = border.pair(index);
            let turned = |by: usize| Direction::ALL[(border.across as usize + by) % 8];
            // Both diagonals, the one that leads back along the border first.
            let mut both = [turned(1), turned(7)];
            if border.along == Direction::South {
                both.reverse();
            }
            let [back, on] = both;
            if index > 0 {
                self.step(here, back, border.other, into);
            }
            if index + 1 < u32::from(border.length) {
                self.step(here, on, border.other, into);
            }
        }
    }

    /// A portal of one diagonal step, unless two straight ones do as well.
    fn step(&self, here: Cell, direction: Direction, other: u32, into: &mut Vec<ClusterCrossing>) {
        let needed = |from: Cell, direction: Direction| {
            let sides = [7, 1].map(|by| Direction::ALL[(direction as usize + by) % 8]);
            let around = [(sides[0], sides[1]), (sides[1], sides[0])];
            self.step_from(from, direction).is_some()
                && !around.into_iter().any(|(first, second)| {
                    self.step_from(from, first)
                        .is_some_and(|beside| self.step_from(beside, second).is_some())
                })
        };
        let Some(there) = here.step(direction) else {
            return;
        };
        if !self.tiling.size.contains(here) || !self.tiling.size.contains(there) {
            return;
        }
        let ways = CrossingWays {
            out: needed(here, direction),
            into: needed(there, direction.opposite()),
            link: false,
        };
        if ways.out || ways.into {
            into.push(ClusterCrossing {
                here: Tiling::spot(here),
                there: Tiling::spot(there),
                other,
                cost: self.step_costs.diagonal as u32,
                ways,
            });
        }
    }

    /// The links that leave a cluster, those inside it among them.
    fn links(&self, cluster: u32, into: &mut Vec<ClusterCrossing>) {
        if self.grid.links().is_empty() {
            return;
        }
        let corner = self.tiling.corner(cluster);
        let free = load(self.board, self.tiling.size, corner);
        let rows = corner.y..(corner.y + SIDE).min(self.tiling.size.height);
        for y in rows {
            let from = Cell { y, ..corner };
            let to = Cell {
                x: corner.x + SIDE,
                ..from
            };
            let all = self.grid.links();
            let first = all.partition_point(|link| link.from < from);
            let of_row = all[first..].iter().take_while(|link| link.from < to);
            let usable = of_row
                .filter(|link| is_in(&free, Tiling::spot(link.from)) && self.is_free(link.to));
            into.extend(usable.map(|&Link { from, to, cost }| ClusterCrossing {
                here: Tiling::spot(from),
                there: Tiling::spot(to),
                other: self.tiling.cluster(to),
                cost: u32::from(cost) * self.step_costs.straight as u32,
                ways: CrossingWays {
                    out: true,
                    into: false,
                    link: true,
                },
            }));
        }
    }
}
