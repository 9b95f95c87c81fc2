//! The ground of a query: how many corners its walls have, each of which is a jump point or two.

use crate::{
    cell::Cell,
    map::Bitboard,
    query::{PathQuery, Terrain},
    rules::Footprint,
    window::area,
};

/// Whether there are many corners of walls around the start of a query. Looks at eight places.
pub(super) fn starts_among_scattered_walls(terrain: Terrain<'_>, query: &PathQuery) -> bool {
    /// Corners in a look: near this number, the sweep and jump points take about as long.
    const MANY: u32 = 14;
    let (start, radius) = (query.start, query.limits.radius);
    let Some(board) = terrain.grid.board(Footprint::ONE) else {
        return false;
    };
    let window = area(terrain.grid, start, radius);
    let rows = (window.first().y..window.last().y).step_by(usize::from((radius / 4).max(1)));
    let counts = rows.map(|y| corners_at(board, Cell { y, ..start }));
    let (looks, corners) = counts.fold((0, 0), |(looks, sum), count| (looks + 1, sum + count));
    corners > MANY * looks
}

/// Whether the way of a query is long and leads among scattered walls: a path over portals takes
/// less time than the cheapest by jump points. Looks at places along the straight line.
pub(super) fn leads_far_among_scattered_walls(terrain: Terrain<'_>, query: &PathQuery) -> bool {
    /// Looks along the line: enough to tell rooms of eight cells from wide corridors.
    const LOOKS: u32 = 16;
    /// Corners in a look. Measured on 26 benchmark maps: where there are 8 and more, portals take a
    /// fifth of the time of jump points. Streets and mazes with corridors of four have 2 to 4, and
    /// there they take as long or twice as long.
    const MANY: u32 = 5;
    /// Corners in a look, times the square of the cells from start to goal. Measured there: up to
    /// this many jump points on the way are passed sooner than portals are.
    const MANY_ON_THE_WAY: u32 = 250_000;
    let (start, goal) = (query.start, query.goal);
    let Some(board) = terrain.grid.board(Footprint::ONE) else {
        return false;
    };
    let between = |from: u16, to: u16, look: u32| {
        let (near, far) = (u32::from(from), u32::from(to));
        let parts = 2 * look + 1;
        ((near * (2 * LOOKS - parts) + far * parts) / (2 * LOOKS)) as u16
    };
    let places = (0..LOOKS).map(|look| Cell {
        x: between(start.x, goal.x, look),
        y: between(start.y, goal.y, look),
        ..start
    });
    let corners: u32 = places.map(|place| corners_at(board, place)).sum();
    let away = u32::from(start.chebyshev(goal));
    let on_the_way = away.saturating_mul(away).saturating_mul(corners / LOOKS);
    corners > MANY * LOOKS && on_the_way > MANY_ON_THE_WAY
}

/// A look: the corners of walls between two rows of 64 cells around a cell.
fn corners_at(board: &Bitboard, cell: Cell) -> u32 {
    let rows = board.words_from(i32::from(cell.x) - 32, cell.y, cell.floor, 2);
    let ends = rows.map(|row| row ^ row << 1);
    ends.fold(0, |one, other| one ^ other).count_ones()
}
