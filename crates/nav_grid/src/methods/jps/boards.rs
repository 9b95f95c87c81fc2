//! The rows and columns that a search reads.

use crate::{
    cell::Cell,
    map::{Area, Bitboard, Grid, Jumps, Lanes, ScanLanes, Size},
    query::{BodyFilter, PathQuery, Terrain},
    rules::Footprint,
};

/// A part of a floor as rows of bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpBoards<'a> {
    /// Where the walker may stand.
    pub(crate) free: Lanes<'a>,
    /// Under the strict corner rule, the upper left cells of squares of four free ones.
    pub(crate) squares: Lanes<'a>,
    /// Where a run northeast, southeast, southwest or northwest has to stop, unless for what is
    /// in the column.
    pub(crate) halts: [Lanes<'a>; 4],
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
}

impl BoardCopies {
    /// The boards for a query whose start and goal are on the map.
    pub(crate) fn make<'a>(
        &'a mut self,
        terrain: Terrain<'a>,
        query: &PathQuery,
    ) -> JumpBoards<'a> {
        let grid = terrain.grid;
        let PathQuery { start, rules, .. } = *query;
        let radius = query.limits.radius;
        let window = Area::from(start).grown(radius, radius).clipped(grid.size());
        let body_filter = terrain
            .bodies
            .and_then(|bodies| BodyFilter::new(bodies, query));
        self.window = None;
        if window == whole_floor(grid.size(), start.floor)
            && body_filter.is_none()
            && let Some(boards) = prepared(grid, query)
        {
            return boards;
        }
        self.window = Some(window);
        let size = size_of(window);
        if let Some(board) = grid
            .board(rules.footprint)
            .filter(|_| body_filter.is_none())
        {
            self.rows.reset(size);
            self.rows.copy(board, window);
        } else {
            self.shrink(grid, window, rules.footprint, body_filter.as_ref());
        }
        self.jumps.reset(&self.rows, size, rules.corners);
        self.copied(window)
    }

    /// The boards that were [made](Self::make) last, for the same query on the same map; `None`
    /// if the map has lost them.
    pub(crate) fn boards<'a>(
        &'a self,
        grid: &'a Grid,
        query: &PathQuery,
    ) -> Option<JumpBoards<'a>> {
        match self.window {
            Some(window) => Some(self.copied(window)),
            None => prepared(grid, query),
        }
    }

    fn copied(&self, window: Area) -> JumpBoards<'_> {
        JumpBoards {
            free: self.rows.lanes(0),
            squares: self.jumps.squares(0),
            halts: self.jumps.halts(0),
            lane_scans: self.jumps.lanes(0),
            origin: window.first(),
        }
    }

    /// Makes the rows of a window for a body that no board is prepared for, or in whose way
    /// others are.
    fn shrink(
        &mut self,
        grid: &Grid,
        window: Area,
        footprint: Footprint,
        body_filter: Option<&BodyFilter<'_>>,
    ) {
        // A body whose anchor is at the window's edge covers cells outside.
        let covered = window.grown(0, u16::from(footprint.side()) - 1);
        let covered = covered.clipped(grid.size());
        let walkable = grid.board(Footprint::ONE);
        self.cells.reset(size_of(covered));
        if let Some(walkable) = walkable {
            self.cells.copy(walkable, covered);
        }
        let first = covered.first();
        if let Some(body_filter) = body_filter {
            let floor = first.floor;
            for (row, y) in (first.y..=covered.last().y).enumerate() {
                let words = self.cells.row_mut(row as u16, 0);
                for (word, x) in words.iter_mut().zip((first.x..).step_by(64)) {
                    let occupied = body_filter.bodies.word_from(x, y, floor);
                    if occupied != 0 {
                        *word &= !(occupied & body_filter.counted(x.into(), y.into(), floor));
                    }
                }
            }
        }
        let size = size_of(window);
        self.rows.reset(size);
        self.rows.erode_from(&self.cells, footprint.side(), size);
    }
}

/// The map's own boards, where it has them.
fn prepared<'a>(grid: &'a Grid, query: &PathQuery) -> Option<JumpBoards<'a>> {
    let PathQuery { start, rules, .. } = query;
    let jumps = grid.jumps(rules.footprint, rules.corners)?;
    Some(JumpBoards {
        free: grid.board(rules.footprint)?.lanes(start.floor),
        squares: jumps.squares(start.floor),
        halts: jumps.halts(start.floor),
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
