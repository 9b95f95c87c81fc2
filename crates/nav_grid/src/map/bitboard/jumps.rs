//! The marks of jump point search on a board: straight scans and diagonal runs.

use super::{
    board::Bitboard,
    lane_scans::{LaneScans, LaneWords, ScanLanes},
    lanes::Lanes,
    runs::DiagonalRuns,
};
use crate::{
    cell::Cell,
    map::size::{Area, Size},
    rules::CornerRule,
};

/// The ends of scans north, east, south and west from any cell, and of diagonal runs.
///
/// # Memory
///
/// 13 bits a cell, and one more under [`CornerRule::Strict`].
// Decision 8: docs/decisions/0008-jump-points-marked-in-advance.md
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Jumps {
    rows: LaneScans,
    /// Scans of the transposed map.
    columns: LaneScans,
    mirror: Bitboard,
    runs: DiagonalRuns,
}

impl Jumps {
    /// The jumps of a board of the places where a walker may stand.
    pub(crate) fn new(rows: &Bitboard, size: Size, corners: CornerRule) -> Self {
        let mut jumps = Self::default();
        jumps.reset(rows, size, corners);
        jumps
    }

    /// Begins to become the jumps of another board and reuses the memory: all
    /// [boards](Self::boards) must be filled up, and then marked.
    fn begin_reset(&mut self, size: Size, corners: CornerRule) {
        for (board, size, _) in self.boards(size, corners) {
            board.begin_reset(size);
        }
    }

    /// The boards in use under a corner rule, each with its size and the word that fills it.
    fn boards(
        &mut self,
        size: Size,
        corners: CornerRule,
    ) -> impl Iterator<Item = (&mut Bitboard, Size, u64)> {
        let mirrored = size.on_its_side();
        let rows = self.rows.each_mut().map(|scan| (scan, size));
        let columns = self.columns.each_mut().map(|scan| (scan, mirrored));
        let scans = rows.into_iter().chain(columns).flat_map(|(scan, size)| {
            let ends = (&mut scan.ends, size, u64::MAX);
            [ends, (&mut scan.live, size, 0)]
        });
        let runs = self.runs.boards(corners).map(move |board| (board, size, 0));
        scans.chain([(&mut self.mirror, mirrored, 0)]).chain(runs)
    }

    /// Becomes the jumps of another board and reuses the memory.
    pub(crate) fn reset(&mut self, rows: &Bitboard, size: Size, corners: CornerRule) {
        self.begin_reset(size, corners);
        for (board, _, word) in self.boards(size, corners) {
            board.fill_up(usize::MAX, word);
        }
        // Windows of near searches: every lane is one word, so all are marked in vectors.
        if size.floors == 1 && size.width < 64 && size.height < 64 {
            let (width, height) = (size.width.into(), size.height.into());
            self.mirror.transpose(rows, size.floor_area(0));
            self.rows.mark_narrow(rows, height, corners);
            self.columns.mark_narrow(&self.mirror, width, corners);
            let first = rows.bit(0, 0, 0) / 64;
            let words = first..=first + height - 1;
            self.runs.mark(rows, words, self.rows.live(), corners);
            return;
        }
        for area in size.floor_areas() {
            self.repair(rows, size, corners, area);
        }
    }

    /// Updates everything after an edit of an area of a floor.
    ///
    /// # Complexity
    ///
    /// The area, and the rows and columns through it and beside it up to the next walls.
    pub(crate) fn repair(&mut self, rows: &Bitboard, size: Size, corners: CornerRule, area: Area) {
        self.mirror.transpose(rows, area);
        // Jump points also depend on the cells of the lanes beside.
        let area = area.grown(1, 1).clipped(size);
        let (first, last) = (area.first(), area.last());
        for y in first.y..=last.y {
            let lane = LaneWords::of(rows, first.x, last.x, y, first.floor);
            self.mark_row(rows, lane, corners);
        }
        for x in first.x..=last.x {
            let lane = LaneWords::of(&self.mirror, first.y, last.y, x, first.floor);
            self.columns.mark(&self.mirror, lane, corners);
        }
    }

    fn mark_row(&mut self, rows: &Bitboard, lane: LaneWords, corners: CornerRule) {
        let changed = self.rows.mark(rows, lane, corners);
        self.runs.mark(rows, changed, self.rows.live(), corners);
    }

    /// The scans of a floor north, east, south and west: by columns, by rows, by columns, by
    /// rows.
    pub(crate) fn lanes(&self, floor: u8) -> [ScanLanes<'_>; 4] {
        let (rows, columns) = (&self.rows, &self.columns);
        [&columns.down, &rows.up, &columns.up, &rows.down].map(|scan| ScanLanes {
            ends: scan.ends.lanes(floor),
            live: scan.live.lanes(floor),
        })
    }

    /// The upper left cells of squares of four free cells; only for [`CornerRule::Strict`].
    pub(crate) fn squares(&self, floor: u8) -> Lanes<'_> {
        self.runs.squares.lanes(floor)
    }

    /// The [stops](DiagonalRuns) of a floor on runs northeast, southeast, southwest and northwest.
    pub(crate) fn stops(&self, floor: u8) -> [Lanes<'_>; 4] {
        self.runs.stops.each_ref().map(|stops| stops.lanes(floor))
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let (rows, columns) = (&self.rows, &self.columns);
        let scans = [&rows.up, &rows.down, &columns.up, &columns.down].into_iter();
        scans
            .flat_map(|scan| [&scan.ends, &scan.live])
            .chain([&self.mirror, &self.runs.squares])
            .chain(&self.runs.stops)
            .map(Bitboard::heap_bytes)
            .sum()
    }
}

/// The progress of building the jumps of a board of one floor in parts, so that a large board does
/// not take one long call.
///
/// Each part returns its work: a unit takes about as long as 64 cells, all parts together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JumpsBuild {
    stage: BuildStage,
    /// The progress of the stage.
    at: usize,
}

#[derive(Clone, Copy, Debug, Default)]
enum BuildStage {
    #[default]
    Begin,
    /// Memory is cleared, one board after the other.
    Clear,
    /// Tiles are transposed.
    Mirror,
    Rows,
    Columns,
    Done,
}

/// Words cleared in one part: 16 KiB, half of a usual first-level cache.
const CLEARED: usize = 2048;

/// Words cleared for one unit. All units of a board, with the two numbers below, add up to between
/// a 300th and a 32nd of its cells, which a test checks.
const CLEARED_PER_UNIT: usize = 64;

/// The units of transposing a tile: within the bounds of that test.
const TILE_UNITS: usize = 2;

/// Words of a row marked for one unit: within the bounds of that test.
const MARKED_PER_UNIT: usize = 4;

impl JumpsBuild {
    /// Builds one more part for complete rows, the same in each call. Returns its work, or `None`
    /// if nothing is left.
    pub(crate) fn step(
        &mut self,
        jumps: &mut Jumps,
        rows: &Bitboard,
        size: Size,
        corners: CornerRule,
    ) -> Option<u32> {
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        // The work of this part, the parts of its stage, and the next stage.
        let (units, parts, next) = match self.stage {
            BuildStage::Begin if width < 64 && height < 64 => {
                jumps.reset(rows, size, corners);
                (height / 4, 1, BuildStage::Done)
            }
            BuildStage::Begin => {
                jumps.begin_reset(size, corners);
                (1, 1, BuildStage::Clear)
            }
            BuildStage::Clear => {
                let count = jumps.boards(size, corners).count();
                let (board, _, word) = jumps.boards(size, corners).nth(self.at)?;
                if !board.fill_up(CLEARED, word) {
                    return Some((CLEARED / CLEARED_PER_UNIT) as u32);
                }
                (CLEARED / CLEARED_PER_UNIT, count, BuildStage::Mirror)
            }
            BuildStage::Mirror => {
                let across = width.div_ceil(64);
                let (left, top) = (self.at % across * 64, self.at / across * 64);
                let first = Cell::new(left as u16, top as u16);
                jumps.mirror.transpose(rows, Area::from(first));
                (TILE_UNITS, across * height.div_ceil(64), BuildStage::Rows)
            }
            BuildStage::Rows => {
                let lane = LaneWords::of(rows, 0, size.width - 1, self.at as u16, 0);
                jumps.mark_row(rows, lane, corners);
                let units = rows.words_per_row.div_ceil(MARKED_PER_UNIT);
                (units, height, BuildStage::Columns)
            }
            BuildStage::Columns => {
                let lane = LaneWords::of(&jumps.mirror, 0, size.height - 1, self.at as u16, 0);
                jumps.columns.mark(&jumps.mirror, lane, corners);
                let units = jumps.mirror.words_per_row.div_ceil(MARKED_PER_UNIT);
                (units, width, BuildStage::Done)
            }
            BuildStage::Done => return None,
        };
        self.at += 1;
        if self.at == parts {
            *self = Self { stage: next, at: 0 };
        }
        Some(units as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a cell of a floor is free; none is beside the map.
    fn free_on(board: &Bitboard, size: Size, floor: u8) -> impl Fn(i32, i32) -> bool {
        move |x, y| {
            (0..i32::from(size.width)).contains(&x)
                && (0..i32::from(size.height)).contains(&y)
                && board.get(x as u16, y as u16, floor)
        }
    }

    /// Whether a diagonal step is legal.
    fn may_go(
        free: impl Fn(i32, i32) -> bool,
        (x, y): (i32, i32),
        (dx, dy): (i32, i32),
        corners: CornerRule,
    ) -> bool {
        let aside = free(x + dx, y) && free(x, y + dy);
        free(x + dx, y + dy) && (corners == CornerRule::Cut || aside)
    }

    /// The end of a scan, found cell by cell, and whether it is a jump point.
    fn naive(
        board: &Bitboard,
        size: Size,
        cell: Cell,
        (dx, dy): (i32, i32),
        corners: CornerRule,
    ) -> (usize, bool) {
        let free = free_on(board, size, cell.floor);
        let (mut x, mut y) = (i32::from(cell.x), i32::from(cell.y));
        for steps in 1.. {
            (x, y) = (x + dx, y + dy);
            if !free(x, y) {
                return (steps, false);
            }
            let turns = [(dy, dx), (-dy, -dx)].into_iter().any(|(sx, sy)| {
                let (beside_x, beside_y) = (x + sx, y + sy);
                match corners {
                    CornerRule::Strict => {
                        free(beside_x, beside_y) && !free(beside_x - dx, beside_y - dy)
                    }
                    CornerRule::Cut => {
                        !free(beside_x, beside_y) && free(beside_x + dx, beside_y + dy)
                    }
                }
            });
            if turns {
                return (steps, true);
            }
        }
        unreachable!("maps have ends")
    }

    fn check(jumps: &Jumps, board: &Bitboard, size: Size, corners: CornerRule) {
        for cell in size.floor_areas().flat_map(Area::cells) {
            if !board.get(cell.x, cell.y, cell.floor) {
                continue;
            }
            let [north, east, south, west] = jumps.lanes(cell.floor);
            let (x, y) = (u32::from(cell.x), u32::from(cell.y));
            let (row, column) = (east.ends.bit(y, x), north.ends.bit(x, y));
            let found = [
                (north.ends.next_below(column), north.live.get(column)),
                (east.ends.next_above(row), east.live.get(row)),
                (south.ends.next_above(column), south.live.get(column)),
                (west.ends.next_below(row), west.live.get(row)),
            ];
            let expected = [(0, -1), (1, 0), (0, 1), (-1, 0)]
                .map(|way| naive(board, size, cell, way, corners));
            assert_eq!(found, expected, "{cell} of {size} under {corners:?}");
            let (free, stops) = (free_on(board, size, cell.floor), jumps.stops(cell.floor));
            let place = (i32::from(cell.x), i32::from(cell.y));
            if corners == CornerRule::Strict {
                let square = may_go(&free, place, (1, 1), corners);
                assert_eq!(jumps.squares(cell.floor).get(row), square, "{cell}");
            }
            for (stops, (dx, dy)) in stops.into_iter().zip([(1, -1), (1, 1), (-1, 1), (-1, -1)]) {
                let (_, live) = naive(board, size, cell, (dx, 0), corners);
                let (x, y) = place;
                let opens = corners == CornerRule::Cut
                    && (!free(x - dx, y) && free(x - dx, y + dy)
                        || !free(x, y - dy) && free(x + dx, y - dy));
                let checkpoint = live || opens || !may_go(&free, place, (dx, dy), corners);
                assert_eq!(
                    stops.get(row),
                    checkpoint,
                    "{cell} under {corners:?}: {dx}, {dy}"
                );
            }
        }
    }

    #[test]
    fn scans_match_naive_walks() {
        for size in [
            Size::new(1, 1),
            Size::new(64, 3).with_floors(2),
            Size::new(200, 9),
            Size::new(63, 140).with_floors(2),
            Size::new(63, 41),
        ] {
            let mut state = 99_u32;
            let mut below = |end: u16| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) as u16 % end
            };
            for corners in CornerRule::ALL {
                let mut board = Bitboard::new(size);
                for cell in size.floor_areas().flat_map(Area::cells) {
                    board.set(cell.x, cell.y, cell.floor, below(20) > 0);
                }
                let mut jumps = Jumps::new(&board, size, corners);
                check(&jumps, &board, size, corners);
                for edit in 0..12 {
                    let corner = Cell::new(below(size.width), below(size.height))
                        .on_floor(below(size.floors.into()) as u8);
                    let area = Area::from(corner).grown(0, edit % 4).clipped(size);
                    board.fill(area, edit % 3 == 0);
                    jumps.repair(&board, size, corners, area);
                }
                check(&jumps, &board, size, corners);
            }
        }
    }

    #[test]
    fn parts_equal_the_whole() {
        for size in [
            Size::new(1, 1),
            Size::new(63, 41),
            Size::new(64, 3),
            Size::new(200, 130),
            Size::new(1000, 700),
        ] {
            for corners in CornerRule::ALL {
                let mut board = Bitboard::new(size);
                for y in 0..size.height {
                    for x in 0..size.width {
                        let (column, row) = (u32::from(x), u32::from(y));
                        let hole = (column * 31 + row * 17 + column * row) % 23 == 0;
                        board.set(x, y, 0, !hole);
                    }
                }
                let whole = Jumps::new(&board, size, corners);
                // In memory that another board has left full.
                let mut other = Bitboard::new(Size::new(300, 90));
                other.fill(Area::new(Cell::new(0, 0), Cell::new(299, 89)), true);
                let mut jumps = Jumps::new(&other, Size::new(300, 90), corners);
                let (mut build, mut units) = (JumpsBuild::default(), 0);
                while let Some(more) = build.step(&mut jumps, &board, size, corners) {
                    assert!(more <= 64, "{more} units at one go");
                    units += more;
                }
                assert!(jumps == whole, "{size} under {corners:?}");
                let cells = u32::from(size.width) * u32::from(size.height);
                assert!(units <= 600 + cells / 32, "{units} units for {cells} cells");
                assert!(units >= cells / 300, "{units} units for {cells} cells");
            }
        }
    }
}
