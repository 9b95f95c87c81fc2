//! The straight line as a search method: it succeeds where nothing is in the way.

use crate::{
    cell::Direction,
    path::Path,
    query::{
        Counters, GridView, Method, Outcome, PathQuery, Search, Status, Support, Terrain,
        TieBreakLine, UniformView, WeightedView, answer_at_once,
    },
    rules::Cost,
};

/// A walk along the straight line from start to goal that ends at the first obstacle.
///
/// If it arrives, the path is a cheapest one: it costs the same as open ground, and no link of
/// the map is a shortcut. Otherwise the answer is [`Status::BudgetSpent`]: there may be a way
/// around, or the way exceeds the limit on cost. The limit on expansions and fallbacks do not
/// apply. [`Counters::scanned`] counts the steps.
///
/// Serves every map and query.
///
/// # Complexity
///
/// O(steps) up to the first obstacle, some 3 ns each on plain ground. No memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct StraightLine;

/// How a walk along a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// At the goal, at this cost.
    Goal(Cost),
    /// At an obstacle.
    Blocked,
    /// At the end of the slice.
    Slice,
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
        let terrain = terrain.into().for_rules(query.rules);
        path.clear();
        answer_at_once::<Self>(terrain, query)
            .unwrap_or_else(|| Self::answer(Self::walk_on(terrain, query, u32::MAX, path), path))
    }
}

impl StraightLine {
    /// The method. It has no memory.
    pub const fn new() -> Self {
        Self
    }

    /// Walks at most `steps` cells on from the end of `way`, the cells walked so far.
    pub(crate) fn walk_on(
        terrain: Terrain<'_>,
        query: &PathQuery,
        steps: u32,
        way: &mut Path,
    ) -> LineEnd {
        match UniformView::new(terrain, query) {
            Some(plain) => walk(&plain, query, steps, way),
            None if !terrain.grid.links.shortcuts.is_empty() => LineEnd::Blocked,
            None => walk(&WeightedView::new(terrain, query), query, steps, way),
        }
    }

    /// The work of walking a way.
    pub(crate) fn scanned(way: &Path) -> u32 {
        way.len() as u32 / Counters::CELLS_PER_SCAN
    }

    /// The answer at the end of a walk. Turns the way into a path.
    #[inline]
    pub(crate) fn answer(end: LineEnd, way: &mut Path) -> Outcome {
        let scanned = Self::scanned(way);
        let (status, cost) = if let LineEnd::Goal(cost) = end {
            way.reverse();
            (Status::Found, cost)
        } else {
            way.clear();
            (Status::BudgetSpent, 0)
        };
        let touched = way.len() as u32;
        Outcome::new(Self::METHOD, status)
            .with_cost(cost)
            .with_counters(Counters {
                scanned,
                touched,
                ..Counters::NONE
            })
    }
}

/// Prepends at most `steps` further cells to `way`, which is back to front.
fn walk(ground: &impl GridView, query: &PathQuery, steps: u32, way: &mut Path) -> LineEnd {
    let (start, goal, metric) = (query.start, query.goal, query.rules.metric);
    let stop = way.len().saturating_add(steps as usize);
    let cost = metric.open_ground(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    if start.floor != goal.floor || cost > query.limits.cost_max() {
        return LineEnd::Blocked;
    }
    let legal = query.rules.move_table();
    let line = TieBreakLine::new(start, goal);
    let mut cell = way.peek().unwrap_or(start);
    while cell != goal {
        if way.len() == stop {
            return LineEnd::Slice;
        }
        let (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
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
        let deviation = line.deviation(cell);
        let off = |way: Direction| {
            let (dx, dy) = way.delta();
            (deviation + line.deviation_of(dx, dy)).unsigned_abs()
        };
        // Without diagonal steps the line is a staircase.
        let other = match metric.diagonal() {
            Some(_) => across.between(down),
            None if longer == across => down,
            None => across,
        };
        let (least, most) = (columns.min(rows), columns.max(rows));
        let ways = legal[ground.surroundings(cell)].intersection(ground.exits(cell));
        let open = |way: Direction| {
            let next = cell.step(way).filter(|_| ways.contains(way));
            next.filter(|&next| ground.cost(next) == 1)
        };
        let longer = (least < most || metric.diagonal().is_none()).then_some(longer);
        let other = (least > 0).then_some(other);
        let (first, second) = match (longer, other) {
            (Some(longer), Some(other)) if off(other) < off(longer) => (Some(other), Some(longer)),
            both => both,
        };
        let Some(next) = first.and_then(open).or_else(|| second.and_then(open)) else {
            return LineEnd::Blocked;
        };
        way.prepend(next);
        cell = next;
    }
    LineEnd::Goal(cost)
}
