//! From portals to cells: the path of a search, laid and pulled tight.

use super::{
    cluster::{Rows, Spot, Tiling, is_in},
    graph::{NONE, hasty},
    leg::Legs,
    path::{PortalPath, Task},
    wave::Way,
};
use crate::{COST_MAX, Cell};

impl Task<'_> {
    /// What the steps of a path on one floor cost in the query's metric.
    fn cost(&self, from: Cell, cells: &[Cell]) -> u64 {
        let metric = self.query.rules.metric;
        let mut at = from;
        let mut steps = [0_u64; 2];
        for &cell in cells {
            steps[usize::from(cell.x != at.x && cell.y != at.y)] += 1;
            at = cell;
        }
        steps[0] * u64::from(metric.straight())
            + steps[1] * u64::from(metric.diagonal().unwrap_or(0))
    }
}

impl PortalPath {
    /// Lays the path through `last` and the passages before it, and on to the goal if that is
    /// where it leads, into `route`. Returns its cost in the query's metric.
    pub(super) fn refine(&mut self, task: &Task<'_>, last: u32, goal: Option<Cell>) -> u64 {
        let Task { portals, query, .. } = *task;
        self.passages.clear();
        let mut passage = last;
        while passage != NONE {
            self.passages.push(passage);
            passage = self.nodes[(passage / 2) as usize].parent;
        }
        self.route.clear();
        self.stops.clear();
        self.stops.push(query.start);
        let mut cost = 0;
        while let Some(passage) = self.passages.pop() {
            let (entrance, exit) = (portals.entrance(passage), portals.exit(passage));
            let from = portals.tiling.cell(entrance.cluster, entrance.spot);
            let to = portals.tiling.cell(exit.cluster, exit.spot);
            self.stops.push(from);
            if portals.is_link(passage) {
                cost += self.lay_section(task);
                let link = task.grid.move_cost(from, to, query.rules);
                cost += u64::from(link.unwrap_or(COST_MAX));
                self.route.push(to);
                self.stops.clear();
            }
            self.stops.push(to);
        }
        self.stops.extend(goal);
        cost + self.lay_section(task)
    }

    /// Lays a path from stop to stop and pulls it tight. Stops that follow one another are in
    /// one cluster, or a step apart.
    fn lay_section(&mut self, task: &Task<'_>) -> u64 {
        let open = &task.open;
        let Some(&first) = self.stops.first() else {
            return 0;
        };
        self.section.clear();
        self.section.push(first);
        let mut at = 0;
        let mut bent = 0;
        while let (Some(&from), Some(&next)) = (self.stops.get(at), self.stops.get(at + 1)) {
            // As many stops ahead as may be, twice as many each time.
            let (mut reached, mut ahead) = (at, 1);
            while let Some(&to) = self.stops.get(at + ahead) {
                if !Legs::is_clear(open, from, to) {
                    break;
                }
                reached = at + ahead;
                ahead *= 2;
            }
            bent += 1;
            if let Some(&to) = self.stops.get(reached).filter(|_| reached > at) {
                self.legs.lay(open, from, to, &mut self.section);
                at = reached;
                continue;
            }
            at += 1;
            let cluster = task.portals.tiling.cluster(from);
            if cluster != task.portals.tiling.cluster(next) {
                // The step across a border that exits keep legs from.
                self.section.push(next);
            } else if from != next {
                self.lay_inside(task, cluster, Tiling::spot(from), Tiling::spot(next));
            }
        }
        if bent > 1 && self.section.len() > 2 {
            self.pull.pull(open, &mut self.section);
        }
        self.route.extend_from_slice(&self.section[1..]);
        task.cost(first, &self.section[1..])
    }

    /// Lays a path between two spots of a cluster.
    fn lay_inside(&mut self, task: &Task<'_>, cluster: u32, from: Spot, to: Spot) {
        let portals = task.portals;
        let ground = portals.ground(task.grid, cluster);
        let mut reached = None;
        let seeds = [(0, from)];
        // Pulling it tight makes up for the pace.
        let pace = hasty(portals.pace);
        let visit = |cost, front: &Rows, _| {
            reached = is_in(front, to).then_some(cost);
            reached.is_none()
        };
        self.wave.run(&ground, pace, Way::Forward, seeds, visit);
        let Some(cost) = reached else { return };
        let first = self.section.len();
        let section = &mut self.section;
        self.wave.trace(&ground, pace, to, cost, |spot| {
            section.push(portals.tiling.cell(cluster, spot));
        });
        section[first..].reverse();
    }
}
