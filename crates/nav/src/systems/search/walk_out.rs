//! Searching for a chaser on which a wall was built: out of it, and on to the goal.

use nav_grid::{
    Cell, Limits, Outcome, Path, PathQuery, Status, Terrain,
    query::{Counters, Stopped},
    rules::Cost,
};

/// The way of a chaser that a wall was built on: out by the free neighbour nearest to the goal
/// from which a path leads there, or else from which one leads nearer, or else just out. All
/// ways out share the expansions of one search.
pub(super) fn walk_out(
    terrain: Terrain<'_>,
    query: &PathQuery,
    mut ask: impl FnMut(&PathQuery, &mut Path) -> Outcome,
    path: &mut Path,
) -> Option<Outcome> {
    let grid = terrain.grid();
    let mut exits: Vec<(Cell, Cost)> = grid
        .steps(query.start, query.rules)
        .into_iter()
        .filter_map(|step| {
            let cost = grid.step_cost(query.start, step, query.rules)?;
            Some((query.start.step(step)?, cost))
        })
        .collect();
    // Stable: among equals the first one clockwise.
    exits.sort_by_key(|(exit, _)| exit.manhattan(query.goal));
    let mut counters = Counters::default();
    let mut best: Option<(Outcome, Path)> = None;
    for (exit, step) in exits {
        let expansions = query.limits.expansions;
        let expansions = expansions.saturating_sub(counters.work());
        let limits = Limits {
            expansions,
            ..query.limits
        };
        let from_exit = PathQuery {
            start: exit,
            limits,
            ..*query
        };
        let outcome = ask(&from_exit, path);
        counters.add(&outcome.counters);
        path.prepend(exit);
        if outcome.status == Status::Found {
            let cost = outcome.cost + step;
            return Some(outcome.with_cost(cost).with_counters(counters));
        }
        // A way that leads nearer replaces one that only leads out.
        if best
            .as_ref()
            .is_none_or(|(_, kept)| kept.len() == 1 && path.len() > 1)
        {
            let status = match outcome.status {
                Status::Partial(stopped) => Status::Partial(stopped),
                Status::BudgetSpent => Status::Partial(Stopped::BudgetSpent),
                _ => Status::Partial(Stopped::Unreachable),
            };
            let cost = outcome.cost + step;
            let outcome = outcome.with_status(status).with_cost(cost);
            best = Some((outcome, std::mem::take(path)));
        }
    }
    let (outcome, kept) = best?;
    *path = kept;
    Some(outcome.with_counters(counters))
}
