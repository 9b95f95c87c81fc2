//! The path behind a cell.

use super::{
    node_map::{NodeMap, Parent},
    task::AStarTask,
};
use crate::{cell::Cell, path::Path, query::GridView, rules::Cost};

impl<G: GridView> AStarTask<'_, G> {
    /// Follows parents from `end` to the start.
    pub(crate) fn trace(&self, nodes: &NodeMap, end: Cell, path: &mut Path) {
        let mut cell = end;
        loop {
            let node = self.window.index(cell);
            let before = match nodes.parent(node) {
                Parent::None => return,
                Parent::Step(direction) => {
                    Some(self.steps[direction.opposite() as usize].from(cell))
                }
                Parent::Link => self.link_taken(nodes, cell, nodes.cost(node)),
            };
            path.prepend(cell);
            // A node that a link led to has one that did.
            let Some(before) = before else { return };
            cell = before;
        }
    }

    /// Where a link leaves by which the search reached `to` at `cost`. Since links are not
    /// free, that is a cell nearer to the start.
    fn link_taken(&self, nodes: &NodeMap, to: Cell, cost: Cost) -> Option<Cell> {
        let straight = self.query.rules.metric.straight();
        let links = self.grid.links_to(to).iter();
        links
            .filter(|link| self.window.contains(link.from))
            .find(|link| {
                let before = nodes.closed_cost(self.window.index(link.from));
                before.is_some_and(|before| before + Cost::from(link.cost) * straight == cost)
            })
            .map(|link| link.from)
    }
}
