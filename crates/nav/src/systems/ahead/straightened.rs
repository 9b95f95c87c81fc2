//! The points ahead of a chaser, straightened.

use super::{
    point::{Ahead, PointAhead},
    walk::Walk,
};
use nav_grid::{PathQuery, smoothing::look_ahead};

/// The ends of the straight lines by which a chaser could go on, in the order in which it comes to them: see
/// [`PointsAhead::straightened_ahead`](super::PointsAhead::straightened_ahead).
pub struct StraightenedAhead<'a>(pub(super) Ahead<'a>);

impl Iterator for StraightenedAhead<'_> {
    type Item = PointAhead;

    fn next(&mut self) -> Option<PointAhead> {
        let Self(ahead) = self;
        let steps = ahead.walk.as_ref().and_then(|walk| {
            let left = ahead.left;
            farthest_straight(walk, left).map(|(steps, _)| steps)
        });
        // Where no line leads on, the next step is a link or the last one.
        ahead.nth(steps.unwrap_or_default())
    }
}

/// The farthest of the next `distance` cells of a walk to which it could go straight, and its number from 0.
pub(super) fn farthest_straight(walk: &Walk, distance: u16) -> Option<(usize, PointAhead)> {
    let map = walk.nav_map();
    let query = PathQuery::new(walk.at(), walk.target()).with_rules(walk.rules());
    let cells = walk.clone().take(distance.into());
    let visible = look_ahead(map.indexed(), &query, cells, distance)?;
    let point = PointAhead::new(map.frame(), visible.cell, false);
    Some((visible.index, point))
}
