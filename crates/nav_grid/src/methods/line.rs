//! The straight line as a search method: it succeeds where nothing is in the way.

use crate::{
    cell::{Direction, Directions},
    path::Path,
    query::{
        Counters, GridView, Method, Outcome, PathQuery, Search, SearchValid, Status, Support,
        Terrain, TieBreakLine, UniformView, WeightedView, answer_at_once,
    },
    rules::Cost,
};

/// A walk along the straight line from start to goal that ends at the first thing in the way.
///
/// If it gets there, the path is a cheapest one: it costs what open ground does, and no link of
/// the map is a shortcut. If it does not, the answer is [`Status::BudgetSpent`], since there may
/// be a way around, or the way is dearer than it may be. Limits on expansions and fallbacks do not
/// apply; [`Counters::scanned`] counts the steps.
///
/// Serves every map and query.
///
/// # Complexity
///
/// O(steps) up to the first wall, some 3 ns each on plain ground. No memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct StraightLine;

impl StraightLine {
    /// The walk. It keeps nothing.
    pub const fn new() -> Self {
        Self
    }
}

impl Search for StraightLine {
    const METHOD: Method = Method::Line;
    const SUPPORT: Support = Support::ALL;

    fn search<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        let terrain = terrain.into();
        path.clear();
        match answer_at_once::<Self>(terrain, query) {
            Some(outcome) => outcome,
            None => self.search_valid(terrain, query, path),
        }
    }
}

impl SearchValid for StraightLine {
    fn search_valid(
        &mut self,
        terrain: Terrain<'_>,
        query: &PathQuery,
        path: &mut Path,
    ) -> Outcome {
        let end = Self::walk_on(terrain, query, u32::MAX, path);
        Self::answer(end, path)
    }
}

impl StraightLine {
    /// Walks on from the end of `way`, the cells walked so far, for so many steps.
    pub(crate) fn walk_on(
        terrain: Terrain<'_>,
        query: &PathQuery,
        steps: u32,
        way: &mut Path,
    ) -> LineEnd {
        match UniformView::new(terrain, query) {
            Some(plain) => walk(&plain, query, steps, way),
            None if !terrain.grid.shortcuts().is_empty() => LineEnd::Blocked,
            None => walk(&WeightedView::new(terrain, query), query, steps, way),
        }
    }

    /// The work of walking a way.
    pub(crate) fn scanned(way: &Path) -> u32 {
        way.len() as u32 / Counters::CELLS_PER_SCAN
    }

    /// The answer at the end of a walk, which makes the way a path.
    #[inline]
    pub(crate) fn answer(end: LineEnd, way: &mut Path) -> Outcome {
        let counters = Counters {
            scanned: Self::scanned(way),
            ..Counters::default()
        };
        let LineEnd::Goal(cost) = end else {
            way.clear();
            return Outcome::without_path(Self::METHOD, Status::BudgetSpent, counters);
        };
        way.reverse();
        Outcome {
            status: Status::Found,
            cost,
            counters: Counters {
                touched: way.len() as u32,
                ..counters
            },
            method: Self::METHOD,
        }
    }
}

/// How a walk along a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// At the goal, at this cost.
    Goal(Cost),
    /// Something is in the way.
    Blocked,
    /// There is more to walk.
    Slice,
}

/// Puts so many more cells of the way behind those in `way`, which is back to front.
fn walk(ground: &impl GridView, query: &PathQuery, steps: u32, way: &mut Path) -> LineEnd {
    let PathQuery {
        start, goal, rules, ..
    } = *query;
    let stop = way.len().saturating_add(steps as usize);
    let cost = rules
        .metric
        .open_ground(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    if start.floor != goal.floor || cost > query.limits.cost_max() {
        return LineEnd::Blocked;
    }
    let legal = rules.move_table();
    let line = TieBreakLine::new(start, goal);
    let mut cell = way.peek().unwrap_or(start);
    let (mut columns, mut rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
    while (columns, rows) != (0, 0) {
        if way.len() == stop {
            return LineEnd::Slice;
        }
        let across = if goal.x > cell.x {
            Direction::East
        } else {
            Direction::West
        };
        let down = if goal.y > cell.y {
            Direction::South
        } else {
            Direction::North
        };
        let longer = if columns >= rows { across } else { down };
        let diagonal = across.between(down);
        let deviation = line.deviation(cell);
        let off = |way: Direction| {
            let (dx, dy) = way.delta();
            (deviation + line.deviation_of(dx, dy)).unsigned_abs()
        };
        // Without diagonal steps the line is a staircase.
        let other = match rules.metric.diagonal() {
            Some(_) => diagonal,
            None if longer == across => down,
            None => across,
        };
        let (least, most) = (columns.min(rows), columns.max(rows));
        let other_leads_on = least > 0;
        let longer_leads_on = least < most || rules.metric.diagonal().is_none();
        let ways: Directions = legal[ground.surroundings(cell)].intersection(ground.exits(cell));
        let open = |way: Direction| {
            ways.contains(way)
                .then(|| cell.step(way))
                .flatten()
                .filter(|&next| ground.cost_factor(next) == 1)
        };
        let longer = longer_leads_on.then_some(longer);
        let other = other_leads_on.then_some(other);
        let (first, second) = match (longer, other) {
            (Some(longer), Some(other)) if off(other) < off(longer) => (Some(other), Some(longer)),
            both => both,
        };
        let Some(next) = first.and_then(open).or_else(|| second.and_then(open)) else {
            return LineEnd::Blocked;
        };
        way.prepend(next);
        cell = next;
        (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
    }
    LineEnd::Goal(cost)
}
