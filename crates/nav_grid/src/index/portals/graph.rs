//! The graph of portals, and the step costs of its distances.

use super::{
    boards::GroundBoards,
    cluster::{ClusterGround, Tiling},
    crossing::LINK,
    distances::{BuildScratch, ClusterEdit, DistanceTable},
    portal::{Gate, PassageEnd, Portal},
    segments::SegmentGround,
};
use crate::{
    cell::Cell,
    map::{Grid, Link, Size},
    rules::{IntegerCosts, Metric, Rules},
};
use std::collections::BTreeSet;

/// A map as clusters of 32×32 cells and the portals between them, for one kind of walker.
///
/// A portal stands for the cells of up to eleven in a row across which walkers pass from one
/// cluster to the next, where they get from one to the other on both sides within three rows of the
/// border. It leads through the one in their middle. Links are portals, too, and so are diagonal
/// steps that no straight steps replace. On ground with step costs a portal leads through its
/// cheapest cell. Each cluster knows the distances between its portals. Exits and step costs count.
/// Each floor has its own clusters.
///
/// [`PortalSearch`](crate::methods::PortalSearch) and [`PortalField`](crate::fields::PortalField)
/// search it.
///
/// # Walkers
///
/// It serves walkers with the footprint and the corner rule of its rules. Distances are in the
/// metric of the rules, or in [`Metric::Grid`] for [`Metric::Octile`] and other large step costs. A
/// graph made for one of these serves all of them, any other graph its own metric alone.
///
/// # Building
///
/// A graph is begun without work and built by slices, which also repair it after edits. It serves
/// no walker while something is due.
///
/// # Memory
///
/// A bit a cell, and another one on maps with exits or step costs; 56 bytes a cluster; 56 for each
/// portal and room for some more; 2 for every pair of portals of a cluster, or 4 if costs are high.
/// 5000×5000 cells of open ground take some 18 MiB.
///
/// # References
///
/// Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004.
#[derive(Clone, Debug)]
pub struct PortalGraph {
    pub(crate) rules: Rules,
    pub(crate) step_costs: IntegerCosts,
    pub(crate) tiling: Tiling,
    pub(crate) version: u64,
    pub(super) boards: GroundBoards,
    pub(super) clusters: Vec<Cluster>,
    /// The portals, in a range of slots for each cluster.
    pub(super) slots: Vec<Portal>,
    /// A hash of all portals and their numbers.
    pub(crate) numbering: u64,
    pub(super) links: Vec<Link>,
    /// Pairs of clusters that links join, the cluster of the end first, in order.
    pub(super) arriving: Vec<(u32, u32)>,
    /// Tiles to be read again.
    pub(super) due_tiles: BTreeSet<u32>,
    /// Clusters whose own portals may have changed.
    pub(super) due_owners: BTreeSet<u32>,
    /// Clusters whose gates or cells may have changed.
    pub(super) due_clusters: BTreeSet<u32>,
    /// Clusters with portals of other numbers, which has no other consequence.
    pub(super) renumbered: Vec<u32>,
    pub(super) scratch: BuildScratch,
}

#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// The range of its portals among the slots: the first one, the number of slots, and the number
    /// of portals.
    pub(super) first: u32,
    pub(super) room: u16,
    pub(super) owned: u16,
    /// The changes of its cells since its distances were measured.
    pub(super) edit: ClusterEdit,
    /// Whether each way inside is as long as the way back.
    pub(super) symmetric: bool,
    /// In order of the clusters that own the portals, then of their slots.
    pub(super) gates: Box<[Gate]>,
    /// The costs from gate to gate inside the cluster, in units of the step costs: a row for each
    /// start.
    pub(super) table: DistanceTable,
}

impl PortalGraph {
    /// The rules it was made with.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The metric that its distances are in: that of its rules, but [`Metric::Grid`] where step
    /// costs are not small, as in [`Metric::Octile`]. What ground
    /// [adds](crate::rules::StepCosts::adding) counts in whole units of both.
    pub const fn metric(&self) -> Metric {
        if IntegerCosts::of(self.rules.metric).is_some() {
            self.rules.metric
        } else {
            Metric::Grid
        }
    }

    /// The size of the map it was made of.
    #[doc(hidden)]
    pub const fn size(&self) -> Size {
        self.tiling.size
    }

    /// The [version](Grid::version) of the map that it describes.
    #[doc(hidden)]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The number of clusters of the map.
    #[doc(hidden)]
    pub fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// The number of portals. O(clusters).
    pub fn count(&self) -> usize {
        let clusters = self.clusters.iter();
        clusters.map(|cluster| usize::from(cluster.owned)).sum()
    }

    /// The ground that waves of a cluster spread over.
    pub(crate) fn ground(&self, grid: &Grid, cluster: u32) -> ClusterGround {
        ClusterGround::load(&self.boards, grid, self.rules, self.tiling.corner(cluster))
    }

    /// The ground of direct segments.
    pub(crate) fn open<'a>(&'a self, grid: &'a Grid) -> SegmentGround<'a> {
        let costs = grid.has_costs().then_some((grid, self.rules.footprint));
        SegmentGround {
            board: self.boards.plain(),
            corners: self.rules.corners,
            step_costs: self.step_costs,
            costs,
        }
    }

    /// An upper bound of the numbers of portals.
    pub(crate) fn numbers(&self) -> usize {
        self.slots.len()
    }

    /// The gates of a cluster.
    #[inline]
    pub(crate) fn gates(&self, cluster: u32) -> &[Gate] {
        &self.clusters[cluster as usize].gates
    }

    /// The cost of leaving a cluster through a gate, or [`NONE`](super::NONE).
    #[inline]
    pub(crate) fn out(&self, gate: &Gate) -> u32 {
        self.cost(gate, gate.passage)
    }

    /// The cost of entering a cluster through a gate, or [`NONE`](super::NONE).
    #[inline]
    pub(crate) fn into(&self, gate: &Gate) -> u32 {
        self.cost(gate, gate.passage ^ 1)
    }

    #[inline]
    fn cost(&self, gate: &Gate, passage: u32) -> u32 {
        if gate.is_plain() {
            return self.step_costs.straight as u32;
        }
        let portal = &self.slots[(passage / 2) as usize];
        portal.crossing.cost(passage & 1 == 1, self.step_costs)
    }

    /// Whether each way inside a cluster is as long as the way back.
    #[inline]
    pub(crate) fn is_symmetric(&self, cluster: u32) -> bool {
        self.clusters[cluster as usize].symmetric
    }

    /// All distances between the gates of a cluster.
    #[inline]
    pub(crate) fn table(&self, cluster: u32) -> &DistanceTable {
        &self.clusters[cluster as usize].table
    }

    /// The beginning of a passage: the end of the portal that is left.
    #[inline]
    pub(crate) fn entrance(&self, passage: u32) -> PassageEnd {
        self.exit(passage ^ 1)
    }

    /// The end of a passage.
    #[inline]
    pub(crate) fn exit(&self, passage: u32) -> PassageEnd {
        let number = passage / 2;
        let portal = &self.slots[number as usize];
        let (cluster, gate, spot) = if passage & 1 == 1 {
            let crossing = &portal.crossing;
            (crossing.other, portal.there_gate, crossing.there)
        } else {
            (portal.owner, portal.here_gate, portal.crossing.here)
        };
        PassageEnd {
            cluster,
            gate: gate.into(),
            spot,
        }
    }

    /// Whether a passage is a link.
    pub(crate) fn is_link(&self, passage: u32) -> bool {
        self.slots[(passage / 2) as usize].crossing.ways & LINK != 0
    }

    /// The cell to which a passage leads, if it is a link.
    #[inline]
    pub(crate) fn link_end(&self, passage: u32) -> Option<Cell> {
        self.is_link(passage).then(|| {
            let exit = self.exit(passage);
            self.tiling.cell(exit.cluster, exit.spot)
        })
    }
}

impl PartialEq for PortalGraph {
    /// Graphs are equal if they describe the same map in the same way. The numbers of their portals
    /// and the version of the map do not count.
    fn eq(&self, other: &Self) -> bool {
        let number = |graph: &Self, passage: u32| {
            let owner = graph.slots[(passage / 2) as usize].owner;
            let first = graph.clusters.get(owner as usize).map(|owner| owner.first);
            (owner, passage - 2 * first.unwrap_or(0))
        };
        let same_gates = |cluster: u32| {
            let (own, others) = (self.gates(cluster), other.gates(cluster));
            own.len() == others.len()
                && own.iter().zip(others).all(|(one, two)| {
                    number(self, one.passage) == number(other, two.passage)
                        && one.place == two.place
                })
        };
        self.rules == other.rules
            && self.tiling == other.tiling
            && self.boards.free == other.boards.free
            && (0..self.clusters.len() as u32).all(|cluster| {
                let portals = self.owned(cluster).map(|(_, portal)| portal);
                portals.eq(other.owned(cluster).map(|(_, portal)| portal))
                    && same_gates(cluster)
                    && self.table(cluster) == other.table(cluster)
            })
    }
}

impl Eq for PortalGraph {}

/// The step costs of [`Metric::Grid`].
const GRID: IntegerCosts = IntegerCosts {
    straight: 5,
    diagonal: 7,
    added: 0,
    unit: 2,
};

/// The step costs of a metric, or of [`Metric::Grid`] for a metric without small ones.
pub(super) fn step_costs_of(metric: Metric) -> IntegerCosts {
    IntegerCosts::of(metric).unwrap_or_else(|| IntegerCosts {
        added: metric.added_to(GRID.straight as u32),
        ..GRID
    })
}

/// Step costs that spread with fewer fronts, for distances that need not be exact, and the factor
/// of their unit in fifths.
pub(crate) fn quick(step_costs: IntegerCosts, ground: &ClusterGround) -> (IntegerCosts, u32) {
    if step_costs != GRID || ground.is_mixed() {
        return (step_costs, 5);
    }
    let quick = IntegerCosts {
        straight: 2,
        diagonal: 3,
        added: 0,
        unit: 1,
    };
    // Twelve fifths of (2, 3) make (4.8, 7.2), close to (5, 7).
    (quick, 12)
}

/// The step costs with the fewest fronts for the same steps, for ways that need not be short. On
/// mixed ground, where there are no fronts, the same.
pub(crate) fn hasty(step_costs: IntegerCosts, ground: &ClusterGround) -> IntegerCosts {
    if ground.is_mixed() {
        return step_costs;
    }
    IntegerCosts {
        straight: 1,
        diagonal: step_costs.diagonal.min(1),
        added: 0,
        unit: 1,
    }
}
