//! Walker that follows the rules literally and shares nothing with the tables of `nav_grid`.

use nav_grid::{
    Area, Cell, CornerRule, Direction, Footprint, Grid, Metric, Outcome, Path, PathQuery, Rules,
    Size, Status, Terrain,
    query::{Fault, QueryEnd},
    rules::{BodyPolicy, Cost},
};

/// Returns all cells of maps of this size, in reading order, floor by floor.
pub fn cells(size: Size) -> impl Iterator<Item = Cell> {
    let corner = Cell::new(size.width - 1, size.height - 1);
    (0..size.floors)
        .flat_map(move |floor| Area::new(Cell::new(0, 0).on_floor(floor), corner).cells())
}

/// Moves both ends of a query to the next cells where the body fits, if there are any.
pub fn settled(query: PathQuery, grid: &Grid) -> PathQuery {
    let [start, goal] = [query.start, query.goal].map(|end| {
        let places = cells(grid.size()).chain(cells(grid.size()));
        places
            .skip_while(|&cell| cell != end)
            .find(|&cell| fits(grid, cell, query.rules))
            .unwrap_or(end)
    });
    PathQuery {
        start,
        goal,
        ..query
    }
}

/// Returns the cells of a body.
pub fn covered(anchor: Cell, footprint: Footprint) -> impl Iterator<Item = Cell> + Clone {
    let side = u16::from(footprint.side());
    (0..side * side).map(move |n| Cell {
        x: anchor.x + n % side,
        y: anchor.y + n / side,
        ..anchor
    })
}

/// Returns whether a body of some rules may stand on a cell among no other bodies, by the letter of
/// the rules.
fn fits(grid: &Grid, anchor: Cell, rules: Rules) -> bool {
    covered(anchor, rules.footprint)
        .all(|cell| grid.is_walkable(cell) && rules.classes.allows(grid.class(cell)))
}

/// Returns whether the walker of a query may stand on a cell, by the letter of the rules.
///
/// # Panics
///
/// If the policy about bodies is unknown here.
pub fn stands(terrain: Terrain<'_>, query: &PathQuery, anchor: Cell) -> bool {
    let rules = query.rules;
    let own_cells = covered(query.start, rules.footprint);
    let is_free = covered(anchor, rules.footprint).all(|cell| {
        let occupied = terrain.bodies().is_some_and(|bodies| {
            let near = (own_cells.clone())
                .map(|own| (own.floor == cell.floor).then(|| own.chebyshev(cell)));
            let counts = match rules.bodies {
                BodyPolicy::Ignore => false,
                BodyPolicy::AvoidAll => true,
                BodyPolicy::AvoidNear(distance) => near
                    .flatten()
                    .min()
                    .is_some_and(|apart| apart <= distance.into()),
                policy => panic!("the judge knows no {policy:?}"),
            };
            let exempt = own_cells.clone().any(|own| own == cell)
                || covered(query.goal, query.goal_body).any(|other| other == cell);
            counts && !exempt && bodies.is_occupied(cell)
        });
        !occupied
    });
    is_free && fits(terrain.grid(), anchor, rules)
}

/// Returns the cost of a step, or `None` if the step is not allowed, by the letter of the rules.
///
/// # Panics
///
/// The same as [`stands`].
pub fn step(terrain: Terrain<'_>, query: &PathQuery, from: Cell, to: Cell) -> Option<Cost> {
    let (grid, rules) = (terrain.grid(), query.rules);
    let direction = from.direction_to(to)?;
    let straight_on = [Cell { x: to.x, ..from }, Cell { y: to.y, ..from }];
    let corners_free = !direction.is_diagonal()
        || rules.corners == CornerRule::Cut
        || (straight_on.into_iter()).all(|beside| stands(terrain, query, beside));
    let may_leave = covered(from, rules.footprint)
        .filter(|&cell| grid.contains(cell))
        .all(|cell| grid.exits(cell).contains(direction));
    let dearest = covered(to, rules.footprint)
        .map(|cell| {
            let class = rules.classes.cost(grid.class(cell));
            grid.cost(cell).saturating_mul(class).min(Grid::COST_WORST)
        })
        .max()?;
    let cost = cost_onto(rules.metric, direction, dearest)?;
    (corners_free && may_leave && stands(terrain, query, to)).then_some(cost)
}

/// Returns the cost of a step onto ground of a cost, or `None` if the metric has no such step.
fn cost_onto(metric: Metric, direction: Direction, ground: u8) -> Option<Cost> {
    let step = metric.step(direction)?;
    let added = match metric {
        Metric::Custom(costs) => <(u8, u8, u8)>::from(costs).2,
        _ => 0,
    };
    Some(match (added, Cost::from(ground)) {
        (0, ground) => step * ground,
        (added, ground) => step + Cost::from(added) * ground.saturating_sub(1),
    })
}

/// Walks a path by the letter of the rules and returns its cost. Inside a wall the steps count that
/// the map allows there.
///
/// # Errors
///
/// The first pair of cells without a step or a link between them.
///
/// # Panics
///
/// The same as [`stands`].
pub fn walk(terrain: Terrain<'_>, query: &PathQuery, path: &Path) -> Result<Cost, String> {
    let grid = terrain.grid();
    let (mut from, mut cost, mut query) = (query.start, 0, *query);
    for to in path.iter() {
        let step = if fits(grid, from, query.rules) {
            step(terrain, &query, from, to)
        } else {
            // The search begins at the last cell of the wall, or on the ground where no ordinary
            // step leads there.
            let leaves = step(grid.into(), &query, from, to).is_some();
            query.start = if leaves { from } else { to };
            let way = from.direction_to(to);
            way.and_then(|way| grid.step_cost(from, way, query.rules))
        };
        cost += step
            .into_iter()
            .chain(link(terrain, &query, from, to))
            .min()
            .ok_or_else(|| format!("no way from {from} to {to}"))?;
        from = to;
    }
    Ok(cost)
}

/// Returns the cost of a link, or `None` if there is none that the query may take.
fn link(terrain: Terrain<'_>, query: &PathQuery, from: Cell, to: Cell) -> Option<Cost> {
    let mut links = terrain.grid().links().iter();
    let link = links.find(|link| (link.from, link.to) == (from, to))?;
    let is_forbidden = !query.rules.links.allows(link.kind);
    if is_forbidden || query.ends_with_step && to == query.goal {
        return None;
    }
    stands(terrain, query, to).then_some(Cost::from(link.cost) * query.rules.metric.straight())
}

/// Checks the answer to a query that Dijkstra's search refuses since its start is in a wall: a
/// legal way onto ground, or no path. Returns whether it is such a query.
///
/// # Panics
///
/// If the path is not legal or ends in the wall.
pub fn judge_way_out(
    truth: Outcome,
    answer: Outcome,
    terrain: Terrain<'_>,
    query: &PathQuery,
    path: &Path,
) -> bool {
    if truth.status != Status::Invalid(QueryEnd::Start, Fault::Blocked) {
        return false;
    }
    if !answer.status.has_path() {
        assert!(path.is_empty());
        return true;
    }
    assert_eq!(walk(terrain, query, path), Ok(answer.cost), "{query:?}");
    let end = path.end().expect("a path");
    assert!(fits(terrain.grid(), end, query.rules), "{query:?}");
    true
}
