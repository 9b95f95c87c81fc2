//! The graph of portals.

use super::{
    cluster::{ClusterGround, Tiling},
    costs::step_costs_of,
    gate::{Gate, PassageEnd},
    portal::Portal,
    segment_frame::SegmentGround,
};
use crate::{
    map::{Bitboard, Grid, Link, Size},
    rules::{IntegerCosts, Metric, Rules},
};

/// A map as clusters of 32×32 cells and the portals between them, for one kind of walker: what
/// far searches and far fields run on.
///
/// A portal stands for up to eleven cells side by side across which walkers get from one cluster
/// to the next, by its middle one; links are portals, too, and so are diagonal steps over which
/// no straight ones lead. Each cluster knows the distances between its portals. Exits count,
/// floors are clusters of their own.
///
/// [`PortalSearch`](crate::methods::PortalSearch) and [`PortalField`](crate::fields::PortalField) search it.
///
/// # What it is for
///
/// The footprint and the corner rule are those of the rules it was made with. Distances are in
/// the metric of the rules, those of [`Metric::Octile`] in that of [`Metric::Grid`]: a graph
/// made for one of the two serves both, any other one its own metric alone. Step costs are not
/// looked at, and searches refuse maps that have some.
///
/// # Memory
///
/// A bit a cell; 40 bytes a cluster; 44 for each portal and for each that other clusters have
/// more; 2 for every pair of portals of a cluster. 5000×5000 cells of open ground take some
/// 17 MiB.
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
    /// Where the walker may stand.
    pub(crate) board: Bitboard,
    pub(crate) clusters: Vec<Cluster>,
    /// Room for as many portals for each cluster.
    pub(crate) slots: Vec<Portal>,
    pub(crate) room: u32,
    /// Differs, as good as surely, where portals do or their numbers.
    pub(crate) numbering: u64,
    pub(crate) links: Vec<Link>,
    /// The clusters that links lead to, each with one they come from, in order.
    pub(crate) arriving: Vec<(u32, u32)>,
    /// Whether the map had exits.
    pub(crate) fenced: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cluster {
    /// How many portals it owns.
    pub(crate) owned: u16,
    /// By portal number.
    pub(crate) gates: Box<[Gate]>,
    /// What it costs to get from one gate to another inside the cluster, in units of the step costs:
    /// a row for each gate that is walked from.
    pub(crate) table: Box<[u16]>,
}

impl PortalGraph {
    /// The rules it was made with.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The metric that its distances are in: that of its rules, but [`Metric::Grid`] for
    /// [`Metric::Octile`].
    pub const fn metric(&self) -> Metric {
        match self.rules.metric {
            Metric::Octile => Metric::Grid,
            metric => metric,
        }
    }

    /// The size of the map it was made of.
    pub const fn size(&self) -> Size {
        self.tiling.size
    }

    /// The [version](Grid::version) of the map that it knows.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Whether it serves a walker on a map: it knows the map's size and version, and was made
    /// for the walker's footprint and corner rule and for its metric's distances.
    pub fn serves(&self, grid: &Grid, rules: Rules) -> bool {
        self.tiling.size == grid.size()
            && self.version == grid.version()
            && self.rules.footprint == rules.footprint
            && self.rules.corners == rules.corners
            && self.step_costs == step_costs_of(rules.metric)
    }

    /// How many portals there are.
    ///
    /// # Complexity
    ///
    /// One look at every cluster.
    pub fn count(&self) -> usize {
        self.clusters
            .iter()
            .map(|cluster| usize::from(cluster.owned))
            .sum()
    }

    /// Bytes that it keeps on the heap.
    ///
    /// # Complexity
    ///
    /// One look at every cluster.
    pub fn heap_bytes(&self) -> usize {
        let of_clusters: usize = self
            .clusters
            .iter()
            .map(|cluster| size_of_val(&*cluster.gates) + size_of_val(&*cluster.table))
            .sum();
        of_clusters
            + self.board.heap_bytes()
            + self.clusters.capacity() * size_of::<Cluster>()
            + self.slots.capacity() * size_of::<Portal>()
            + self.links.capacity() * size_of::<Link>()
    }

    /// What waves in a cluster spread over.
    pub(crate) fn ground(&self, grid: &Grid, cluster: u32) -> ClusterGround {
        ClusterGround::load(&self.board, grid, self.rules, self.tiling.corner(cluster))
    }

    /// What legs are laid over. Exits count on a map that has some.
    pub(crate) fn open<'a>(&'a self, grid: Option<&'a Grid>) -> SegmentGround<'a> {
        let fenced = grid.filter(|grid| grid.has_exits());
        SegmentGround {
            board: &self.board,
            corners: self.rules.corners,
            straight: self.step_costs.straight as u32,
            diagonal: self.step_costs.diagonal as u32,
            fences: fenced.map(|grid| (grid, self.rules.footprint)),
        }
    }

    /// A number above those of all portals.
    pub(crate) fn numbers(&self) -> usize {
        self.slots.len()
    }

    /// How many clusters there are.
    pub(crate) fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// The gates of a cluster.
    #[inline]
    pub(crate) fn gates(&self, cluster: u32) -> &[Gate] {
        &self.clusters[cluster as usize].gates
    }

    /// What it costs to leave a cluster through a gate, or [`NONE`].
    #[inline]
    pub(crate) fn out(&self, gate: &Gate) -> u32 {
        if gate.is_plain() {
            return self.step_costs.straight as u32;
        }
        self.slots[(gate.passage / 2) as usize].cost(gate.passage & 1 == 1)
    }

    /// What it costs to enter a cluster through a gate, or [`NONE`].
    #[inline]
    pub(crate) fn into(&self, gate: &Gate) -> u32 {
        if gate.is_plain() {
            return self.step_costs.straight as u32;
        }
        self.slots[(gate.passage / 2) as usize].cost(gate.passage & 1 == 0)
    }

    /// Whether every way inside a cluster is as long as the way back, in all of them.
    #[inline]
    pub(crate) fn is_symmetric(&self) -> bool {
        !self.fenced
    }

    /// The distances from one gate of a cluster to all of them.
    #[inline]
    pub(crate) fn distances(&self, cluster: u32, gate: usize) -> &[u16] {
        let cluster = &self.clusters[cluster as usize];
        let count = cluster.gates.len();
        &cluster.table[gate * count..(gate + 1) * count]
    }

    /// All distances between the gates of a cluster.
    #[inline]
    pub(crate) fn table(&self, cluster: u32) -> &[u16] {
        &self.clusters[cluster as usize].table
    }

    /// Where a passage begins: the end of the portal that is left.
    #[inline]
    pub(crate) fn entrance(&self, passage: u32) -> PassageEnd {
        self.exit(passage ^ 1)
    }

    /// Where a passage ends.
    #[inline]
    pub(crate) fn exit(&self, passage: u32) -> PassageEnd {
        let number = passage / 2;
        let portal = &self.slots[number as usize];
        if passage & 1 == 1 {
            PassageEnd {
                cluster: portal.other,
                gate: portal.there_gate.into(),
                spot: portal.there,
            }
        } else {
            PassageEnd {
                cluster: number / self.room,
                gate: portal.here_gate.into(),
                spot: portal.here,
            }
        }
    }

    /// Whether a passage is a link.
    pub(crate) fn is_link(&self, passage: u32) -> bool {
        self.slots[(passage / 2) as usize].ways.link
    }
}

impl PartialEq for PortalGraph {
    /// Graphs are equal that say the same of the same map, whatever numbers their portals have
    /// and which version of the map they know.
    fn eq(&self, other: &Self) -> bool {
        let number = |graph: &Self, passage: u32| {
            let owner = passage / 2 / graph.room.max(1);
            (owner, passage - owner * graph.room * 2)
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
            && self.board == other.board
            && (0..self.clusters.len() as u32).all(|cluster| {
                let portals = self.owned(cluster).map(|(_, portal)| portal);
                portals.eq(other.owned(cluster).map(|(_, portal)| portal))
                    && same_gates(cluster)
                    && self.table(cluster) == other.table(cluster)
            })
    }
}

impl Eq for PortalGraph {}
