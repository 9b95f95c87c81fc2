//! The bitboards that a jump point search reads: those of the map, or a copy of the window.

use crate::{
    cell::Cell,
    map::{Area, Bitboard, Grid, Jumps, JumpsBuild, Lanes, ScanLanes, Size},
    query::{BodyFilter, PathQuery, Terrain},
    rules::Footprint,
};
use std::ops::Range;

/// A part of a floor as rows of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpBoards<'a> {
    /// Where the walker may stand.
    pub(crate) free: Lanes<'a>,
    /// Under the strict corner rule, the upper left cells of squares of four free ones.
    pub(crate) squares: Lanes<'a>,
    /// Where a run northeast, southeast, southwest or northwest has to stop, unless for what is
    /// in the column.
    pub(crate) stops: [Lanes<'a>; 4],
    /// Where a look north, east, south or west ends; by columns for north and south.
    pub(crate) lane_scans: [ScanLanes<'a>; 4],
    /// The cell of the first bits.
    pub(crate) origin: Cell,
}

/// Boards made for one query where the map has none that suit it: for a window, for bodies in
/// the way, and for what was not prepared.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardCopies {
    /// The cells before they are shrunk for a larger body.
    cells: Bitboard,
    rows: Bitboard,
    jumps: Jumps,
    /// What is copied, unless the map's own boards serve the query.
    window: Option<Area>,
    stage: CopyStage,
    /// The work so far, in units of 64 cells or so.
    scanned: u32,
}

/// How far the copies are made.
#[derive(Clone, Copy, Debug, Default)]
enum CopyStage {
    Begin,
    /// Memory is cleared: that for cells, too, if they are to be shrunk.
    Clear(bool),
    /// The cells that a body covers, from this row of the window on.
    Cells(u16),
    /// Where the body may stand, from this row on, and whether cells are shrunk for that.
    Rows(u16, bool),
    Jumps(JumpsBuild),
    #[default]
    Done,
}

/// Rows that are copied in one part.
const COPIED_ROWS: u16 = 8;
/// Words that are cleared in one part.
const CLEARED: usize = 2048;
/// Words that are cleared for one unit of work.
const CLEARED_PER_UNIT: usize = 64;
/// Words that are copied for one.
const COPIED_PER_UNIT: usize = 16;
/// Words that are copied, cleared of bodies or shrunk for one.
const SHRUNK_PER_UNIT: usize = 2;

impl BoardCopies {
    /// Begins to make the boards for a query whose start and goal are on the map.
    pub(crate) fn begin(&mut self, terrain: Terrain<'_>, query: &PathQuery) {
        let grid = terrain.grid;
        let PathQuery { start, .. } = *query;
        let radius = query.limits.radius;
        let window = Area::from(start).grown(radius, radius).clipped(grid.size());
        let whole = window == whole_floor(grid.size(), start.floor);
        let is_prepared = whole && !bodies_count(terrain, query) && prepared(grid, query).is_some();
        self.scanned = 0;
        (self.window, self.stage) = if is_prepared {
            (None, CopyStage::Done)
        } else {
            (Some(window), CopyStage::Begin)
        };
    }

    /// Goes on for so much work, and returns whether the boards are made.
    pub(crate) fn advance(&mut self, terrain: Terrain<'_>, query: &PathQuery, work: u32) -> bool {
        let stop = self.scanned.saturating_add(work);
        while !self.are_made() {
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

    /// Whether they are made.
    pub(crate) fn are_made(&self) -> bool {
        matches!(self.stage, CopyStage::Done)
    }

    /// Whether there is so little to make that it is done at one go.
    pub(crate) fn are_small(&self) -> bool {
        self.window.is_none_or(|window| is_small(size_of(window)))
    }

    /// The boards that were made last, for the same query on the same map; `None` if the map has
    /// lost them.
    pub(crate) fn boards<'a>(
        &'a self,
        grid: &'a Grid,
        query: &PathQuery,
    ) -> Option<JumpBoards<'a>> {
        match self.window {
            Some(window) => Some(JumpBoards {
                free: self.rows.lanes(0),
                squares: self.jumps.squares(0),
                stops: self.jumps.stops(0),
                lane_scans: self.jumps.lanes(0),
                origin: window.first(),
            }),
            None => prepared(grid, query),
        }
    }

    /// Makes one more part and returns its work, or `None` if nothing is left.
    fn step(&mut self, terrain: Terrain<'_>, query: &PathQuery) -> Option<u32> {
        let window = self.window?;
        let size = size_of(window);
        let PathQuery { rules, .. } = *query;
        let most = if is_small(size) { 64 } else { COPIED_ROWS };
        let part = |from: u16, rows: u16| from..rows.min(from + most);
        let board = terrain.grid.board(rules.footprint);
        let board = board.filter(|_| !bodies_count(terrain, query));
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
                    self.stage = if shrinks {
                        CopyStage::Cells(0)
                    } else {
                        CopyStage::Rows(0, false)
                    };
                }
                let units = if is_small(size) {
                    0
                } else {
                    CLEARED / CLEARED_PER_UNIT
                };
                Some(units as u32)
            }
            CopyStage::Cells(from) => {
                let covered = covered(terrain, query, window);
                let rows = part(from, size_of(covered).height);
                self.copy_cells(terrain, query, covered, rows.clone());
                self.stage = if rows.end < size_of(covered).height {
                    CopyStage::Cells(rows.end)
                } else {
                    CopyStage::Rows(0, true)
                };
                Some(units(&rows, self.cells.row(0, 0).len(), SHRUNK_PER_UNIT))
            }
            CopyStage::Rows(from, shrinks) => {
                let rows = part(from, size.height);
                self.stage = if rows.end < size.height {
                    CopyStage::Rows(rows.end, shrinks)
                } else {
                    CopyStage::Jumps(JumpsBuild::default())
                };
                let words = self.rows.row(0, 0).len();
                if !shrinks {
                    // Another map may lack the board; nothing is free on that then.
                    if let Some(board) = board {
                        self.rows.copy(board, window, rows.clone());
                    }
                    return Some(units(&rows, words, COPIED_PER_UNIT));
                }
                let side = rules.footprint.side();
                self.rows
                    .erode_from(&self.cells, side, size.width, rows.clone());
                Some(units(&rows, words, SHRUNK_PER_UNIT))
            }
            CopyStage::Jumps(mut build) => {
                let built = build.step(&mut self.jumps, &self.rows, size, rules.corners);
                self.stage = if built.is_some() {
                    CopyStage::Jumps(build)
                } else {
                    CopyStage::Done
                };
                built
            }
            CopyStage::Done => None,
        }
    }

    /// Copies rows of what a body may cover that no board is prepared for, or in whose way others
    /// are.
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
        let body_filter = terrain
            .bodies
            .and_then(|bodies| BodyFilter::new(bodies, query));
        if let Some(body_filter) = body_filter {
            let floor = first.floor;
            for row in rows {
                let y = first.y + row;
                let words = self.cells.row_mut(row, 0);
                for (word, x) in words.iter_mut().zip((first.x..).step_by(64)) {
                    let occupied = body_filter.bodies.word_from(x, y, floor);
                    if occupied != 0 {
                        *word &= !(occupied & body_filter.counted(x.into(), y.into(), floor));
                    }
                }
            }
        }
    }
}

/// Whether a window is copied at one go.
fn is_small(size: Size) -> bool {
    size.width < 64 && size.height < 64
}

/// The work of so many words in each of some rows.
fn units(rows: &Range<u16>, words: usize, per_unit: usize) -> u32 {
    (rows.len() * words / per_unit) as u32
}

/// Whether bodies may be in the way.
fn bodies_count(terrain: Terrain<'_>, query: &PathQuery) -> bool {
    let bodies = terrain.bodies;
    bodies.is_some_and(|bodies| BodyFilter::new(bodies, query).is_some())
}

/// What a body covers whose anchor is in a window.
fn covered(terrain: Terrain<'_>, query: &PathQuery, window: Area) -> Area {
    let beyond = u16::from(query.rules.footprint.side()) - 1;
    window.grown(0, beyond).clipped(terrain.grid.size())
}

/// The map's own boards, where it has them.
fn prepared<'a>(grid: &'a Grid, query: &PathQuery) -> Option<JumpBoards<'a>> {
    let PathQuery { start, rules, .. } = query;
    let jumps = grid.jumps(rules.footprint, rules.corners)?;
    Some(JumpBoards {
        free: grid.board(rules.footprint)?.lanes(start.floor),
        squares: jumps.squares(start.floor),
        stops: jumps.stops(start.floor),
        lane_scans: jumps.lanes(start.floor),
        origin: whole_floor(grid.size(), start.floor).first(),
    })
}

fn size_of(area: Area) -> Size {
    let (first, last) = (area.first(), area.last());
    Size::new(last.x - first.x + 1, last.y - first.y + 1)
}

fn whole_floor(size: Size, floor: u8) -> Area {
    Area::new(
        Cell::new(0, 0).on_floor(floor),
        Cell::new(size.width - 1, size.height - 1),
    )
}
