//! Bitboards of the cells at which scans for jump points end.

use super::{board::Bitboard, lanes::Lanes, narrow_scan::NarrowScan, runs::DiagonalRuns};
use crate::{
    bits::widely,
    cell::Cell,
    map::size::{Area, Size},
    rules::CornerRule,
};
use std::ops::RangeInclusive;

/// What a walker finds that goes straight north, east, south or west from any cell, and where it
/// may go diagonally.
///
/// # Memory
///
/// 13 bits a cell, and one more under [`CornerRule::Strict`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Jumps {
    pub(super) rows: LaneScans,
    /// Of the transposed map.
    pub(super) columns: LaneScans,
    pub(super) mirror: Bitboard,
    pub(super) runs: DiagonalRuns,
}

/// Looks along the lanes of a board, toward higher bits and toward lower ones.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneScans {
    pub(super) up: LaneScan,
    pub(super) down: LaneScan,
}

/// Looks in one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneScan {
    /// The cells at which a walker must stop: walls, and *jump points*, beside which the walls
    /// leave a way that only this cell opens.
    ///
    /// Going east under [`CornerRule::Strict`], the latter are cells above or below which a
    /// wall has just ended: that cell is free and the one west of it is not. Under
    /// [`CornerRule::Cut`] the walker can turn one cell sooner, beside the last cell of the
    /// wall.
    ends: Bitboard,
    /// The cells from which a look ends at a jump point.
    pub(super) live: Bitboard,
}

/// [`LaneScan`]s of a floor to read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanLanes<'a> {
    pub(crate) ends: Lanes<'a>,
    pub(crate) live: Lanes<'a>,
}

impl Jumps {
    /// For a board of where a walker may stand.
    pub(crate) fn new(rows: &Bitboard, size: Size, corners: CornerRule) -> Self {
        let mut jumps = Self::default();
        jumps.reset(rows, size, corners);
        jumps
    }

    /// Begins to become those of a board in the memory there is: all
    /// [boards](Self::boards_to_clear) are to be filled up, and then marked.
    pub(super) fn begin_reset(&mut self, size: Size, corners: CornerRule) {
        let Self {
            rows,
            columns,
            mirror,
            runs,
        } = self;
        for (scans, size) in [(rows, size), (columns, size.on_its_side())] {
            for look in [&mut scans.up, &mut scans.down] {
                look.ends.begin_reset(size);
                look.live.begin_reset(size);
            }
        }
        mirror.begin_reset(size.on_its_side());
        runs.begin_reset(size, corners);
    }

    /// The boards in use under a corner rule, and with which word to fill each.
    pub(super) fn boards_to_clear(
        &mut self,
        corners: CornerRule,
    ) -> impl Iterator<Item = (&mut Bitboard, u64)> {
        let Self {
            rows,
            columns,
            mirror,
            runs,
        } = self;
        let looks = [&mut rows.up, &mut rows.down];
        let looks = looks
            .into_iter()
            .chain([&mut columns.up, &mut columns.down]);
        let looks = looks.flat_map(|look| [(&mut look.ends, u64::MAX), (&mut look.live, 0)]);
        let runs = runs.boards(corners).map(|board| (board, 0));
        looks.chain([(mirror, 0)]).chain(runs)
    }

    /// The same in the memory there is.
    pub(crate) fn reset(&mut self, rows: &Bitboard, size: Size, corners: CornerRule) {
        self.begin_reset(size, corners);
        for (board, word) in self.boards_to_clear(corners) {
            board.fill_up(usize::MAX, word);
        }
        if size.floors == 1 && size.width < 64 && size.height < 64 {
            let whole = Area::new(Cell::new(0, 0), Cell::new(size.width - 1, size.height - 1));
            self.mirror.transpose(rows, whole);
            self.rows.mark_narrow(rows, size.height.into(), corners);
            self.columns
                .mark_narrow(&self.mirror, size.width.into(), corners);
            let first = rows.bit(0, 0, 0) / 64;
            let words = first..=first + usize::from(size.height) - 1;
            let live = [&self.rows.up.live, &self.rows.down.live];
            self.runs.mark(rows, words, live, corners);
            return;
        }
        for area in size.floor_areas() {
            self.repair(rows, size, corners, area);
        }
    }

    /// Brings everything up to date after an edit of an area of a floor.
    ///
    /// # Complexity
    ///
    /// The area, and the rows and columns through it and beside it up to the next walls.
    pub(crate) fn repair(&mut self, rows: &Bitboard, size: Size, corners: CornerRule, area: Area) {
        self.mirror.transpose(rows, area);
        let area = area.grown(1, 1).clipped(size);
        let (first, last) = (area.first(), area.last());
        for y in first.y..=last.y {
            let lane = LaneWords::of(rows, first.x, last.x, y, first.floor);
            let changed = self.rows.mark(rows, lane, corners);
            let live = [&self.rows.up.live, &self.rows.down.live];
            self.runs.mark(rows, changed, live, corners);
        }
        for x in first.x..=last.x {
            let lane = LaneWords::of(&self.mirror, first.y, last.y, x, first.floor);
            self.columns.mark(&self.mirror, lane, corners);
        }
    }

    /// The looks of a floor north, east, south and west: by columns, by rows, by columns, by
    /// rows.
    pub(crate) fn lanes(&self, floor: u8) -> [ScanLanes<'_>; 4] {
        let (rows, columns) = (&self.rows, &self.columns);
        [&columns.down, &rows.up, &columns.up, &rows.down].map(|look| ScanLanes {
            ends: look.ends.lanes(floor),
            live: look.live.lanes(floor),
        })
    }

    /// The squares of a floor by their upper left cells; only for [`CornerRule::Strict`].
    pub(crate) fn squares(&self, floor: u8) -> Lanes<'_> {
        self.runs.squares(floor)
    }

    /// The [stops](DiagonalRuns) of a floor on runs northeast, southeast, southwest and northwest.
    pub(crate) fn stops(&self, floor: u8) -> [Lanes<'_>; 4] {
        self.runs.lanes(floor)
    }

    /// Whether two are the same, bit for bit.
    #[cfg(test)]
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let scans = |scans: &LaneScans| {
            let boards = [&scans.up, &scans.down].map(|look| [&look.ends, &look.live]);
            boards.map(|boards| boards.map(Clone::clone))
        };
        let all = |jumps: &Self| {
            (
                scans(&jumps.rows),
                scans(&jumps.columns),
                jumps.mirror.clone(),
            )
        };
        all(self) == all(other) && self.runs == other.runs
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let Self {
            rows,
            columns,
            mirror,
            runs,
        } = self;
        let looks = [&rows.up, &rows.down, &columns.up, &columns.down];
        let bytes = |look: &LaneScan| look.ends.heap_bytes() + look.live.heap_bytes();
        looks.into_iter().map(bytes).sum::<usize>() + mirror.heap_bytes() + runs.heap_bytes()
    }
}

impl LaneScans {
    /// Marks where looks end in all lanes of a board whose lanes are words.
    fn mark_narrow(&mut self, free: &Bitboard, lanes: usize, corners: CornerRule) {
        let first = free.bit(0, 0, 0) / 64;
        let ups = [&mut self.up.ends, &mut self.up.live];
        let downs = [&mut self.down.ends, &mut self.down.live];
        let [ups, downs] = [ups, downs].map(|boards| boards.map(|board| &mut board.words[first..]));
        let free = &free.words[first - 1..];
        match corners {
            CornerRule::Strict => widely(NarrowScan::<true> {
                free,
                ups,
                downs,
                lanes,
            }),
            CornerRule::Cut => widely(NarrowScan::<false> {
                free,
                ups,
                downs,
                lanes,
            }),
        }
    }

    /// Marks where looks end after an edit that changes some words of a lane. Returns the words
    /// that were brought up to date.
    pub(super) fn mark(
        &mut self,
        free: &Bitboard,
        lane: LaneWords,
        corners: CornerRule,
    ) -> RangeInclusive<usize> {
        for at in lane.first..=lane.last {
            let walls = !free.words[at];
            let (mut ups, mut downs) = (walls, walls);
            for beside in [at - free.words_per_row, at + free.words_per_row] {
                let cells = free.words[beside];
                // The cell one bit below each, and the one above.
                let below = cells << 1 | free.words[beside - 1] >> 63;
                let above = cells >> 1 | free.words[beside + 1] << 63;
                match corners {
                    CornerRule::Strict => {
                        ups |= cells & !below;
                        downs |= cells & !above;
                    }
                    CornerRule::Cut => {
                        ups |= !cells & above;
                        downs |= !cells & below;
                    }
                }
            }
            self.up.ends.words[at] = ups;
            self.down.ends.words[at] = downs;
        }
        self.up.relight_up(free, lane)..=self.down.relight_down(free, lane)
    }
}

impl LaneScan {
    /// Brings what is live for looks toward higher bits up to date, from the edited words
    /// backward to the first one that stays as it was, which is returned.
    fn relight_up(&mut self, free: &Bitboard, lane: LaneWords) -> usize {
        for at in (lane.start..=lane.last).rev() {
            let next = self.found(free, at + 1) & 1;
            let mut found = self.ends.words[at] & free.words[at];
            let mut way = free.words[at];
            found |= way & next << 63;
            for step in [1, 2, 4, 8, 16, 32] {
                found |= way & found >> step;
                way &= way >> step;
            }
            let live = found >> 1 | next << 63;
            let before = std::mem::replace(&mut self.live.words[at], live);
            if before == live && at < lane.first {
                return at;
            }
        }
        lane.start
    }

    /// The same for looks toward lower bits, forward.
    fn relight_down(&mut self, free: &Bitboard, lane: LaneWords) -> usize {
        for at in lane.first..=lane.end {
            let next = self.found(free, at - 1) >> 63;
            let mut found = self.ends.words[at] & free.words[at];
            let mut way = free.words[at];
            found |= way & next;
            for step in [1, 2, 4, 8, 16, 32] {
                found |= way & found << step;
                way &= way << step;
            }
            let live = found << 1 | next;
            let before = std::mem::replace(&mut self.live.words[at], live);
            if before == live && at > lane.last {
                return at;
            }
        }
        lane.end
    }

    /// The cells of a word that are jump points, or from which a look ends at one.
    fn found(&self, free: &Bitboard, at: usize) -> u64 {
        free.words[at] & (self.ends.words[at] | self.live.words[at])
    }
}

/// Some words of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneWords {
    /// The first word of the lane.
    start: usize,
    first: usize,
    last: usize,
    /// The last word of the lane.
    end: usize,
}

impl LaneWords {
    /// Those that hold the cells from column `left` to column `right` of a row.
    pub(super) fn of(board: &Bitboard, left: u16, right: u16, y: u16, floor: u8) -> Self {
        let start = board.bit(0, y, floor) / 64;
        Self {
            start,
            first: start + usize::from(left / 64),
            last: start + usize::from(right / 64),
            end: start + board.words_per_row - 1,
        }
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

    /// What a look finds, cell by cell: the end, and whether it is a jump point.
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
    fn looks_end_where_walking_cell_by_cell_ends_and_edits_keep_them_right() {
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
}
