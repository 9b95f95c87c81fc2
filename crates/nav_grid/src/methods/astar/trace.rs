//! The path that a search found: back along the parents of its nodes.

use super::node_map::{NodeMap, Parent};
use crate::{
    cell::Cell,
    map::Grid,
    path::Path,
    rules::{Cost, Metric},
    window::SearchWindow,
};

/// Follows parents from `end` to the start and fills `path`.
pub(super) fn trace(
    nodes: &NodeMap,
    (grid, window): (&Grid, &SearchWindow),
    metric: Metric,
    end: Cell,
    path: &mut Path,
) {
    let mut cell = end;
    loop {
        let node = window.index(cell);
        let before = match nodes.parent(node) {
            Parent::None => return,
            Parent::Step(direction) => cell.step(direction.opposite()),
            Parent::Link => link_taken(nodes, (grid, window), metric, (cell, nodes.cost(node))),
        };
        path.prepend(cell);
        // A node with the parent `Link` always has such a link.
        let Some(before) = before else { return };
        cell = before;
    }
}

/// The begin of the link by which the search reached `to` at `cost`. Links are not free, so it is
/// nearer to the start.
fn link_taken(
    nodes: &NodeMap,
    (grid, window): (&Grid, &SearchWindow),
    metric: Metric,
    (to, cost): (Cell, Cost),
) -> Option<Cell> {
    let straight = metric.straight();
    let mut links = grid.links_to(to).iter();
    let link = links.find(|link| {
        window.contains(link.from)
            && nodes
                .closed_cost(window.index(link.from))
                .is_some_and(|before| before + Cost::from(link.cost) * straight == cost)
    });
    link.map(|link| link.from)
}
