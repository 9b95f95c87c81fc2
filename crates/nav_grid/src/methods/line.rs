//! The straight way, where nothing is in it.

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
/// apply.
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
        let arrived = match UniformView::new(terrain, query) {
            Some(plain) => walk(&plain, query, path),
            None if !terrain.grid.shortcuts().is_empty() => None,
            None => walk(&WeightedView::new(terrain, query), query, path),
        };
        let Some(cost) = arrived else {
            path.clear();
            return Outcome::without_path(Self::METHOD, Status::BudgetSpent, Counters::default());
        };
        let touched = path.len() as u32;
        path.reverse();
        Outcome {
            status: Status::Found,
            cost,
            counters: Counters {
                touched,
                ..Counters::default()
            },
            method: Self::METHOD,
        }
    }
}

/// Leaves the cells of the way in `path`, the last one first to be popped, and returns what it
/// costs; `None` if something is in the way.
fn walk(ground: &impl GridView, query: &PathQuery, path: &mut Path) -> Option<Cost> {
    let PathQuery {
        start, goal, rules, ..
    } = *query;
    let cost = rules
        .metric
        .open_ground(start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    if start.floor != goal.floor || cost > query.limits.cost_max() {
        return None;
    }
    let legal = rules.move_table();
    let line = TieBreakLine::new(start, goal);
    let (mut columns, mut rows) = (start.x.abs_diff(goal.x), start.y.abs_diff(goal.y));
    let mut cell = start;
    while (columns, rows) != (0, 0) {
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
        let next = first.and_then(open).or_else(|| second.and_then(open))?;
        path.prepend(next);
        cell = next;
        (columns, rows) = (cell.x.abs_diff(goal.x), cell.y.abs_diff(goal.y));
    }
    Some(cost)
}
