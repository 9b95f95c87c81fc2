//! Refusals of methods, and whether they are justified.

use nav_grid::{
    Method, Path, PathQuery, Search, Status, Terrain, methods::Sweep, query::Feature,
    rules::BodyPolicy,
};

/// Returns whether a query has the feature for which a method refused it.
///
/// Assumes that everything the method needs was prepared.
pub fn has(feature: Feature, method: Method, terrain: Terrain<'_>, query: &PathQuery) -> bool {
    let grid = terrain.grid().for_rules(query.rules);
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

/// Checks that a search without support for last steps refuses queries that need it. Returns the
/// query to continue with.
///
/// Such a search cannot tell whether a link onto the goal is the last step of a path. So it refuses
/// a query whose path must end with a step, if there is a link onto the goal. In that case the
/// returned query allows any last step.
///
/// # Panics
///
/// If it answers such a query, or refuses it for another reason.
pub fn served_last_step<'a>(
    search: &mut impl Search,
    terrain: impl Into<Terrain<'a>>,
    query: &PathQuery,
) -> PathQuery {
    let terrain = terrain.into();
    let mut links =
        (terrain.grid().links().iter()).filter(|link| query.rules.links.allows(link.kind));
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
