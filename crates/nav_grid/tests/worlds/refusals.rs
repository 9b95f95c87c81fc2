//! What methods that look links up in an index refuse.

use nav_grid::{Path, PathQuery, Search, Status, Terrain, query::Feature};

/// Such a method does not know whether the link onto a goal is the last step of a path: it refuses
/// queries whose paths may not end with one, where there is one. Holds it to that, and returns the
/// query to go on with, whose paths may end with any step if it was refused.
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
