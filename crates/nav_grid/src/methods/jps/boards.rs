//! The bitboards that a jump point search reads: the boards of the map, or a copy of the window.

use crate::{
    cell::Cell,
    map::{Area, Bitboard, Grid, Jumps, JumpsBuild, Lanes, ScanLanes, Size},
    query::{BodyFilter, PathQuery, Terrain},
    rules::Footprint,
    window::area,
};
use std::ops::Range;

/// A part of a floor as rows of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpBoards<'a> {
    /// Where the walker may stand.
    pub(crate) free: Lanes<'a>,
    /// Under the strict corner rule, the upper left cells of free squares of four cells.
    pub(crate) squares: Lanes<'a>,
    /// Where a run northeast, southeast, southwest or northwest must stop, except for jump points
    /// in the column.
    pub(crate) stops: [Lanes<'a>; 4],
    /// Where a scan north, east, south or west ends; by columns for north and south.
    pub(crate) lane_scans: [ScanLanes<'a>; 4],
    /// The cell of the first bits.
    pub(crate) origin: Cell,
}

impl<'a> JumpBoards<'a> {
    fn new(rows: &'a Bitboard, jumps: &'a Jumps, floor: u8, origin: Cell) -> Self {
        Self {
            free: rows.lanes(floor),
            squares: jumps.squares(floor),
            stops: jumps.stops(floor),
            lane_scans: jumps.lanes(floor),
            origin,
        }
    }

    /// The boards of the map, if they are prepared.
    fn prepared(grid: &'a Grid, query: &PathQuery) -> Option<Self> {
        let (rules, floor) = (query.rules, query.start.floor);
        let jumps = grid.jumps(rules.footprint, rules.corners)?;
        let origin = Cell::new(0, 0).on_floor(floor);
        Some(Self::new(
            grid.board(rules.footprint)?,
            jumps,
            floor,
            origin,
        ))
    }
}

/// Boards for one query that the boards of the map do not serve: a query in a window, with bodies
/// in the way, or without prepared jumps.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardCopies {
    /// The free cells, before the area is shrunk for a larger body.
    cells: Bitboard,
    rows: Bitboard,
    jumps: Jumps,
    /// The part of the map to copy. `None` if the boards of the map serve the query.
    window: Option<Area>,
    stage: CopyStage,
    /// The work so far, in units of about 64 cells.
    scanned: u32,
}

/// The progress of the copies.
#[derive(Clone, Copy, Debug, Default)]
enum CopyStage {
    Begin,
    /// Clears memory; also for cells, if the flag says that they will be shrunk.
    Clear(bool),
    /// Copies the cells that a body can cover, from this row of the window on.
    Cells(u16),
    /// Makes the cells where a body may stand from this row on, and by shrinking if so flagged.
    Rows(u16, bool),
    Jumps(JumpsBuild),
    #[default]
    Done,
}

// Guesses: a part of the copy is a fraction of a slice, and a unit of work takes about as long as
// an expansion.

/// Rows that are copied in one part.
const COPIED_ROWS: u16 = 8;
/// Words that are cleared in one part.
const CLEARED: usize = 2048;
/// Words that are cleared for one unit of work.
const CLEARED_PER_UNIT: usize = 64;
/// Words that are copied as they are for one unit of work.
const COPIED_PER_UNIT: usize = 16;
/// Words that are cleared of bodies or shrunk for one unit of work.
const SHRUNK_PER_UNIT: usize = 2;

impl BoardCopies {
    /// Begins to make the boards for a query. Start and goal must be on the map.
    pub(crate) fn begin(&mut self, terrain: Terrain<'_>, query: &PathQuery) {
        let grid = terrain.grid;
        let window = area(grid, query.start, query.limits.radius);
        let is_prepared = size_of(window) == Size::new(grid.width(), grid.height())
            && !bodies_count(terrain, query)
            && JumpBoards::prepared(grid, query).is_some();
        self.scanned = 0;
        (self.window, self.stage) = if is_prepared {
            (None, CopyStage::Done)
        } else {
            (Some(window), CopyStage::Begin)
        };
    }

    /// Continues for `work` units and returns whether the boards are made.
    pub(crate) fn advance(&mut self, terrain: Terrain<'_>, query: &PathQuery, work: u32) -> bool {
        let stop = self.scanned.saturating_add(work);
        while !matches!(self.stage, CopyStage::Done) {
            if self.scanned >= stop {
                return false;
            }
            self.scanned += self.step(terrain, query).unwrap_or(0);
        }
        true
    }

    /// The work so far.
    pub(crate) fn scanned(&self) -> u32 {
        self.scanned
    }

    /// Whether the window is small enough to be copied at once.
    pub(crate) fn are_small(&self) -> bool {
        self.window.is_none_or(|window| is_small(size_of(window)))
    }

    /// The boards made last, for the same query on the same map. `None` if the map lost its own.
    pub(crate) fn boards<'a>(
        &'a self,
        grid: &'a Grid,
        query: &PathQuery,
    ) -> Option<JumpBoards<'a>> {
        match self.window {
            Some(window) => Some(JumpBoards::new(&self.rows, &self.jumps, 0, window.first())),
            None => JumpBoards::prepared(grid, query),
        }
    }

    /// Makes one more part and returns its work, or `None` if no part is left.
    fn step(&mut self, terrain: Terrain<'_>, query: &PathQuery) -> Option<u32> {
        let window = self.window?;
        let size = size_of(window);
        let rules = query.rules;
        let most = if is_small(size) { 64 } else { COPIED_ROWS };
        let part = |from: u16, rows: u16| from..rows.min(from + most);
        let whole = terrain.grid.board(rules.footprint);
        let board = whole.filter(|_| !bodies_count(terrain, query));
        match self.stage {
            CopyStage::Begin => {
                let shrinks = board.is_none();
                self.rows.begin_reset(size);
                if shrinks {
                    let covered = covered(terrain, query, window);
                    self.cells.begin_reset(size_of(covered));
                }
                self.stage = CopyStage::Clear(shrinks);
                Some(0)
            }
            CopyStage::Clear(shrinks) => {
                let rows = self.rows.fill_up(CLEARED, 0);
                let cells = !shrinks || self.cells.fill_up(CLEARED, 0);
                if rows && cells {
                    let copy = CopyStage::Rows(0, false);
                    self.stage = if shrinks { CopyStage::Cells(0) } else { copy };
                }
                let units = CLEARED / CLEARED_PER_UNIT;
                Some(if is_small(size) { 0 } else { units as u32 })
            }
            CopyStage::Cells(from) => {
                let covered = covered(terrain, query, window);
                let rows = part(from, size_of(covered).height);
                self.copy_cells(terrain, query, covered, rows.clone());
                self.stage = match rows.end {
                    end if end < size_of(covered).height => CopyStage::Cells(end),
                    _ => CopyStage::Rows(0, true),
                };
                Some(units(&rows, self.cells.row(0, 0).len(), SHRUNK_PER_UNIT))
            }
            CopyStage::Rows(from, shrinks) => {
                let rows = part(from, size.height);
                self.stage = match rows.end {
                    end if end < size.height => CopyStage::Rows(end, shrinks),
                    _ => CopyStage::Jumps(JumpsBuild::default()),
                };
                let words = self.rows.row(0, 0).len();
                if !shrinks {
                    // Another map can lack the board. Then no cell is free.
                    if let Some(board) = board {
                        self.rows.copy(board, window, rows.clone());
                    }
                    return Some(units(&rows, words, COPIED_PER_UNIT));
                }
                let side = rules.footprint.side();
                let cells = &self.cells;
                self.rows.erode_from(cells, side, size.width, rows.clone());
                Some(units(&rows, words, SHRUNK_PER_UNIT))
            }
            CopyStage::Jumps(mut build) => {
                let built = build.step(&mut self.jumps, &self.rows, size, rules.corners);
                self.stage = built.map_or(CopyStage::Done, |_| CopyStage::Jumps(build));
                built
            }
            CopyStage::Done => None,
        }
    }

    /// Copies rows of the cells that a body can cover, without cells that other bodies occupy.
    fn copy_cells(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        covered: Area,
        rows: Range<u16>,
    ) {
        if let Some(walkable) = terrain.grid.board(Footprint::ONE) {
            self.cells.copy(walkable, covered, rows.clone());
        }
        let first = covered.first();
        let (bodies, floor) = (terrain.bodies, first.floor);
        let Some(filter) = bodies.and_then(|bodies| BodyFilter::new(bodies, query)) else {
            return;
        };
        for row in rows {
            let y = first.y + row;
            let words = self.cells.row_mut(row, 0).iter_mut();
            for (word, x) in words.zip((first.x..).step_by(64)) {
                let occupied = filter.bodies.word_from(x, y, floor);
                if occupied != 0 {
                    *word &= !(occupied & filter.counted(x.into(), y.into(), floor));
                }
            }
        }
    }
}

/// Whether a window is copied at once.
fn is_small(size: Size) -> bool {
    size.width < 64 && size.height < 64
}

/// The work on `words` words in each of some rows.
fn units(rows: &Range<u16>, words: usize, per_unit: usize) -> u32 {
    (rows.len() * words / per_unit) as u32
}

/// Whether bodies may be in the way.
fn bodies_count(terrain: Terrain<'_>, query: &PathQuery) -> bool {
    let bodies = terrain.bodies;
    bodies.is_some_and(|bodies| BodyFilter::new(bodies, query).is_some())
}

/// The area that a body with its anchor in a window can cover.
fn covered(terrain: Terrain<'_>, query: &PathQuery, window: Area) -> Area {
    let covered = query.rules.footprint.area_from(window);
    covered.clipped(terrain.grid.size())
}

fn size_of(area: Area) -> Size {
    let (first, last) = (area.first(), area.last());
    Size::new(last.x - first.x + 1, last.y - first.y + 1)
}
