//! The graph of portals.

use super::{
    cluster::{Ground, Spot, Tiling},
    leg::Open,
    measure::{Scratch, Walls},
    slots::Portal,
};
use crate::{Area, Cell, Footprint, Grid, Link, Metric, Rules, Size, map::Bitboard, search::Pace};

/// No way, and no portal.
pub(super) const NONE: u32 = u32::MAX;

/// No way inside a cluster.
pub(super) const APART: u16 = u16::MAX;

/// A map as clusters of 32×32 cells and the portals between them, for one kind of walker: what
/// far searches and far fields run on.
///
/// A portal stands for up to eleven cells side by side across which walkers get from one cluster
/// to the next, by its middle one; links are portals, too, and so are diagonal steps over which
/// no straight ones lead. Each cluster knows the distances between its portals. Exits count,
/// floors are clusters of their own.
///
/// [`PortalPath`](crate::PortalPath) and [`PortalField`](crate::PortalField) search it.
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
pub struct Portals {
    pub(super) rules: Rules,
    pub(super) pace: Pace,
    pub(super) tiling: Tiling,
    pub(super) version: u64,
    /// Where the walker may stand.
    pub(super) board: Bitboard,
    pub(super) clusters: Vec<Cluster>,
    /// Room for as many portals for each cluster.
    pub(super) slots: Vec<Portal>,
    pub(super) room: u32,
    /// Differs, as good as surely, where portals do or their numbers.
    pub(super) numbering: u64,
    pub(super) links: Vec<Link>,
    /// The clusters that links lead to, each with one they come from, in order.
    pub(super) arriving: Vec<(u32, u32)>,
    /// Whether the map had exits.
    pub(super) fenced: bool,
}

/// One end of a portal, as the cluster on that side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    /// Number of the portal times two, plus 1 for the end in the cluster that owns it: which way
    /// a walker passes that leaves here.
    pub(super) passage: u32,
    /// The cluster on the other side, and the number of the gate that this one is there.
    pub(super) other: u32,
    pub(super) twin: u16,
    /// The cell, and in the highest bit whether it is passed by a straight step, both ways, as all
    /// but few are.
    pub(super) place: u16,
}

impl Gate {
    const PLAIN: u16 = 1 << 15;

    pub(super) const fn place(spot: Spot, plain: bool) -> u16 {
        if plain { spot | Self::PLAIN } else { spot }
    }

    #[inline]
    pub(super) const fn spot(&self) -> Spot {
        self.place & !Self::PLAIN
    }

    #[inline]
    pub(super) const fn is_plain(&self) -> bool {
        self.place & Self::PLAIN != 0
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cluster {
    /// How many portals it owns.
    pub(super) owned: u16,
    /// By portal number.
    pub(super) gates: Box<[Gate]>,
    /// What it costs to get from one gate to another inside the cluster, in units of the pace:
    /// a row for each gate that is walked from.
    pub(super) table: Box<[u16]>,
}

/// What one side of a portal leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) cluster: u32,
    pub(super) gate: usize,
    pub(super) spot: Spot,
}

impl Portals {
    /// The portals of a map as it is now, for walkers of one footprint, corner rule and metric.
    /// Its policy toward bodies does not count.
    ///
    /// # Complexity
    ///
    /// O(cells × portals of a cluster), in machine words: some 20 µs a cluster.
    pub fn new(grid: &Grid, rules: Rules) -> Self {
        let tiling = Tiling::new(grid.size());
        let mut portals = Self {
            rules,
            pace: pace_of(rules.metric),
            tiling,
            version: grid.version(),
            board: board_of(grid, rules.footprint),
            clusters: vec![Cluster::default(); tiling.clusters()],
            slots: Vec::new(),
            room: 1,
            numbering: 0,
            links: Vec::new(),
            arriving: Vec::new(),
            fenced: grid.has_exits(),
        };
        portals.relink(grid);
        portals.lay_out(grid);
        let mut scratch = Scratch::default();
        for cluster in 0..portals.clusters.len() as u32 {
            portals.connect(cluster, &mut scratch);
        }
        for cluster in 0..portals.clusters.len() as u32 {
            portals.measure(grid, cluster, Walls::Many, &mut scratch);
        }
        portals
    }

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
            && self.pace == pace_of(rules.metric)
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
    pub(super) fn ground(&self, grid: &Grid, cluster: u32) -> Ground {
        Ground::load(&self.board, grid, self.rules, self.tiling.corner(cluster))
    }

    /// What legs are laid over. Exits count on a map that has some.
    pub(super) fn open<'a>(&'a self, grid: Option<&'a Grid>) -> Open<'a> {
        let fenced = grid.filter(|grid| grid.has_exits());
        Open {
            board: &self.board,
            corners: self.rules.corners,
            straight: self.pace.straight as u32,
            diagonal: self.pace.diagonal as u32,
            fences: fenced.map(|grid| (grid, self.rules.footprint)),
        }
    }

    /// A number above those of all portals.
    pub(super) fn numbers(&self) -> usize {
        self.slots.len()
    }

    /// How many clusters there are.
    pub(super) fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// The gates of a cluster.
    #[inline]
    pub(super) fn gates(&self, cluster: u32) -> &[Gate] {
        &self.clusters[cluster as usize].gates
    }

    /// What it costs to leave a cluster through a gate, or [`NONE`].
    #[inline]
    pub(super) fn out(&self, gate: &Gate) -> u32 {
        if gate.is_plain() {
            return self.pace.straight as u32;
        }
        self.slots[(gate.passage / 2) as usize].cost(gate.passage & 1 == 1)
    }

    /// What it costs to enter a cluster through a gate, or [`NONE`].
    #[inline]
    pub(super) fn into(&self, gate: &Gate) -> u32 {
        if gate.is_plain() {
            return self.pace.straight as u32;
        }
        self.slots[(gate.passage / 2) as usize].cost(gate.passage & 1 == 0)
    }

    /// Whether every way inside a cluster is as long as the way back, in all of them.
    #[inline]
    pub(super) fn is_symmetric(&self) -> bool {
        !self.fenced
    }

    /// The distances from one gate of a cluster to all of them.
    #[inline]
    pub(super) fn distances(&self, cluster: u32, gate: usize) -> &[u16] {
        let cluster = &self.clusters[cluster as usize];
        let count = cluster.gates.len();
        &cluster.table[gate * count..(gate + 1) * count]
    }

    /// All distances between the gates of a cluster.
    #[inline]
    pub(super) fn table(&self, cluster: u32) -> &[u16] {
        &self.clusters[cluster as usize].table
    }

    /// Where a passage begins: the end of the portal that is left.
    #[inline]
    pub(super) fn entrance(&self, passage: u32) -> Entry {
        self.exit(passage ^ 1)
    }

    /// Where a passage ends.
    #[inline]
    pub(super) fn exit(&self, passage: u32) -> Entry {
        let number = passage / 2;
        let portal = &self.slots[number as usize];
        if passage & 1 == 1 {
            Entry {
                cluster: portal.other,
                gate: portal.there_gate.into(),
                spot: portal.there,
            }
        } else {
            Entry {
                cluster: number / self.room,
                gate: portal.here_gate.into(),
                spot: portal.here,
            }
        }
    }

    /// Whether a passage is a link.
    pub(super) fn is_link(&self, passage: u32) -> bool {
        self.slots[(passage / 2) as usize].ways.link
    }
}

impl PartialEq for Portals {
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

impl Eq for Portals {}

/// The whole numbers that distances of a metric are in, or of the nearest one that has any.
fn pace_of(metric: Metric) -> Pace {
    Pace::of(metric).unwrap_or(GRID)
}

/// A pace that is quicker to spread by, and what its unit is worth in units of the other one, in
/// fifths: for where a distance need not be exact.
pub(super) fn quick(pace: Pace) -> (Pace, u32) {
    if pace == GRID {
        let quick = Pace {
            straight: 2,
            diagonal: 3,
            unit: 1,
        };
        // That makes (4.8, 7.2) of (2, 3).
        (quick, 12)
    } else {
        (pace, 5)
    }
}

/// The pace that is quickest to spread by, of those with the same steps: for where a way need
/// only be one.
pub(super) fn hasty(pace: Pace) -> Pace {
    Pace {
        straight: 1,
        diagonal: pace.diagonal.min(1),
        unit: 1,
    }
}

/// The pace of [`Metric::Grid`].
const GRID: Pace = Pace {
    straight: 5,
    diagonal: 7,
    unit: 2,
};

/// The places where a body fits.
fn board_of(grid: &Grid, footprint: Footprint) -> Bitboard {
    if let Some(board) = grid.board(footprint) {
        return board.clone();
    }
    let size = grid.size();
    let mut board = Bitboard::new(size);
    if let Some(walkable) = grid.board(Footprint::ONE) {
        let corner = Cell::new(size.width - 1, size.height - 1);
        for floor in 0..size.floors {
            let whole = Area::new(Cell::new(0, 0).on_floor(floor), corner);
            board.erode(walkable, footprint.side(), whole);
        }
    }
    board
}
