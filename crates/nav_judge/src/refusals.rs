//! What methods refuse, and whether they may.

use nav_grid::{
    Method, Path, PathQuery, Search, Status, Terrain, methods::Sweep, query::Feature,
    rules::BodyPolicy,
};

/// Whether a query has what a method refused it for. That everything a method needs was prepared is
/// taken for granted.
pub fn has(feature: Feature, method: Method, terrain: Terrain<'_>, query: &PathQuery) -> bool {
    let grid = terrain.grid();
    let (size, start, radius) = (grid.size(), query.start, query.limits.radius);
    match feature {
        Feature::Costs => grid.has_costs(),
        Feature::Exits => grid.has_exits(),
        Feature::Links => !grid.links().is_empty(),
        Feature::Bodies => terrain.bodies().is_some() && query.rules.bodies != BodyPolicy::Ignore,
        Feature::Metric(metric) => metric == query.rules.metric,
        Feature::Window if method == Method::Sweep => {
            radius.min(size.width.max(size.height) - 1) > Sweep::SUPPORT.radius_max
        }
        Feature::Window if method == Method::Portal => {
            let far = [
                start.x,
                size.width - 1 - start.x,
                start.y,
                size.height - 1 - start.y,
            ];
            far.into_iter().any(|far| far > radius)
        }
        _ => false,
    }
}

/// Such a method does not know whether the link onto a goal is the last step of a path: it refuses
/// queries whose paths may not end with one, where there is one. Holds it to that, and returns the
/// query to go on with, whose paths may end with any step if it was refused.
///
/// # Panics
///
/// When it answers such a query, or refuses it for something else.
pub fn served_last_step<'a>(
    search: &mut impl Search,
    terrain: impl Into<Terrain<'a>>,
    query: &PathQuery,
) -> PathQuery {
    let terrain = terrain.into();
    let mut links = terrain.grid().links().iter();
    if !query.ends_with_step || links.all(|link| link.to != query.goal) {
        return *query;
    }
    let mut path = Path::new();
    let answer = search.search(terrain, query, &mut path);
    assert_eq!(
        answer.status,
        Status::Unsupported(Feature::Links),
        "{query:?}"
    );
    assert!(path.is_empty());
    query.with_last_step(false)
}
