//! Portal fields: distances to one target from everywhere, computed by clusters.

use crate::{
    bits::ones,
    cell::Cell,
    index::{
        PortalGraph,
        portals::{ClusterRows, ClusterWave, NONE, SIDE, Spot, Tiling, WaveDirection},
    },
    map::Grid,
    query::{Counters, Fault, Feature, Limits, PathQuery, Status, Support, Terrain},
    queues::BucketQueue,
    rules::{Cost, Rules},
};

/// The distances to one target from everywhere on a map, over its
/// [portals](crate::index::PortalGraph). For many walkers under the same rules that chase one
/// target from any distance.
///
/// [`aim`](Self::aim) computes the distance from every portal to the target. The cells of a cluster
/// are computed for the first walker that asks in it, and kept until the next aim. For many walkers
/// at once, [`prepare`](Self::prepare) does that ahead, and [`look`](Self::look) only reads.
///
/// A distance is that of the best way through the middles of portals, in the
/// [metric of the portals](crate::index::PortalGraph::metric): in most places a few percent above
/// that of the best way. The moves lead to the target at that cost or at less, since walkers cross
/// borders anywhere.
///
/// ```
/// use nav_grid::{Cell, Direction, Grid, IndexedMap, Rules, fields::{FieldMove, PortalField}};
///
/// let mut map = IndexedMap::new(Grid::open(100, 100)?);
/// map.build_portals(Rules::default());
///
/// let mut field = PortalField::new();
/// field.aim(&map, Rules::default(), Cell::new(90, 50))?;
/// let start = Cell::new(87, 50);
/// assert_eq!(field.distance(&map, start), Some(3));
/// assert_eq!(field.next_move(&map, start), Some(FieldMove::Step(Direction::East)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Complexity
///
/// An aim takes O(portals × portals of a cluster). The first look at a cluster takes as long as
/// [`PortalGraph`] says of one portal; every look reads up to nine cells.
///
/// # Memory
///
/// 10 bytes for every portal, 12 for every cluster, and 4 KiB for every cluster looked at. Memory
/// is kept for the next aim.
#[derive(Clone, Debug, Default)]
pub struct PortalField {
    pub(super) aim: Option<FieldAim>,
    /// The aim for which distances are being computed.
    begun: Option<FieldAim>,
    /// For each cluster the index of its first gate in `costs`.
    pub(super) first: Vec<u32>,
    /// The cost from each gate to the target, or [`NONE`].
    pub(super) costs: Vec<u32>,
    /// Whether a better way enters by a gate, and has not been followed through its cluster.
    pub(super) entered: Vec<bool>,
    /// Clusters to pass through, by the cheapest of the ways that newly enter them.
    pub(super) queue: BucketQueue<u32>,
    /// For each cluster its key in the queue, or [`NONE`].
    pub(super) queued: Vec<u32>,
    /// The costs of a cluster's gates before it was passed through.
    pub(super) before: Vec<u32>,
    seeds: Vec<(u32, Spot)>,
    pub(super) wave: ClusterWave,
    /// For each cluster its page, or [`NONE`].
    pub(super) page_of: Vec<u32>,
    pages: Vec<ClusterPage>,
    /// The number of pages in use.
    pub(super) used: usize,
    pub(super) counters: Counters,
}

/// The target, the rules and the version of the portals that a field was computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldAim {
    target: Cell,
    pub(super) rules: Rules,
    version: u64,
}

/// The distance to the target from every spot of a cluster, or [`NONE`].
pub(super) type ClusterPage = Box<[u32; SIDE as usize * SIDE as usize]>;

/// Why a [`PortalField`] cannot be aimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A walker cannot stand at the target.
    #[error("a field cannot be aimed at {target}: {}", match fault {
        Fault::OutsideMap => "it is outside the map",
        Fault::Blocked => "the walker does not fit there",
    })]
    Target {
        /// The target.
        target: Cell,
        /// The fault.
        fault: Fault,
    },
    /// The map has a feature that fields cannot serve, or its portals are missing, older than the
    /// map, or built for other rules.
    #[error("a portal field cannot serve {0}")]
    Unsupported(Feature),
}

impl PortalField {
    /// The features that fields can serve.
    #[doc(hidden)]
    pub const SUPPORT: Support = Support {
        bodies: false,
        ..Support::ALL
    };

    /// The number of expanded portals that computing the cells of a cluster counts as. A guess from
    /// the time that both take.
    #[doc(hidden)]
    pub const CLUSTER_EXPANSIONS: u32 = 64;

    /// A field without a target and without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The target, if it has one.
    pub fn target(&self) -> Option<Cell> {
        self.aim.map(|aim| aim.target)
    }

    /// Computes the ways to a target for walkers under some rules. If there are bodies, the rules
    /// must ignore them. Does nothing if target, rules and map are those of the last aim.
    ///
    /// # Errors
    ///
    /// [`FieldError`] if the walker does not fit at the target, or the terrain lacks portals that
    /// serve the rules. The field has no target then.
    pub fn aim<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        rules: Rules,
        target: Cell,
    ) -> Result<(), FieldError> {
        self.aim_within(terrain, rules, target, u32::MAX)
            .map(|_| ())
    }

    /// The same for about `work` expanded portals. Returns whether the field is aimed; otherwise it has no target
    /// yet, and the next call with the same arguments goes on. Other arguments, or an edit of the map, begin again.
    ///
    /// # Errors
    ///
    /// As [`aim`](Self::aim).
    pub fn aim_within<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        rules: Rules,
        target: Cell,
        work: u32,
    ) -> Result<bool, FieldError> {
        let terrain = terrain.into().for_rules(rules);
        let grid = terrain.grid;
        let (before, begun) = (self.aim.take(), self.begun.take());
        let query = PathQuery::new(target, target)
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        if let Some(feature) = Self::SUPPORT.lacks(terrain, &query) {
            return Err(FieldError::Unsupported(feature));
        }
        let Some(portals) = terrain.portals(rules) else {
            return Err(FieldError::Unsupported(Feature::Preparation));
        };
        if let Some(Status::Invalid(_, fault)) = query.answer_at_once(grid) {
            return Err(FieldError::Target { target, fault });
        }
        let aim = FieldAim {
            target,
            rules,
            version: portals.version(),
        };
        let is_of = |other| other == Some(aim) && self.page_of.len() == portals.clusters();
        let is_aimed = is_of(before) || {
            if !is_of(begun) {
                self.begin_spread(grid, portals, target);
            }
            self.spread_on(portals, work)
        };
        *(if is_aimed {
            &mut self.aim
        } else {
            &mut self.begun
        }) = Some(aim);
        Ok(is_aimed)
    }

    /// Whether an [aim](Self::aim_within) is begun and not done.
    #[doc(hidden)]
    pub const fn is_under_way(&self) -> bool {
        self.begun.is_some()
    }

    /// The cost from a cell to the target, in the [metric of the
    /// portals](crate::index::PortalGraph::metric). `None` if there is no way, the field has no
    /// target, or the map was edited since.
    pub fn distance<'a>(&mut self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> Option<Cost> {
        let terrain = self.terrain(terrain);
        let portals = self.portals(terrain)?;
        let cost = self.cost(terrain.grid, portals, cell)?;
        Some(cost.saturating_mul(portals.step_costs.unit))
    }

    /// The work since the last aim at another target: portals expanded, plus
    /// [64](Self::CLUSTER_EXPANSIONS) for every cluster looked at, and cells touched.
    #[doc(hidden)]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// Bytes that the field keeps on the heap, without its queue.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        (self.first.capacity() + self.costs.capacity() + self.queued.capacity()) * size_of::<u32>()
            + self.entered.capacity()
            + self.page_of.capacity() * size_of::<u32>()
            + self.pages.len() * size_of::<[u32; SIDE as usize * SIDE as usize]>()
    }

    /// The terrain as the walkers of the field find it.
    pub(super) fn terrain<'a>(&self, terrain: impl Into<Terrain<'a>>) -> Terrain<'a> {
        let terrain = terrain.into();
        self.aim.map_or(terrain, |aim| terrain.for_rules(aim.rules))
    }

    /// The portals of the terrain, if the field was computed with them.
    pub(super) fn portals<'a>(&self, terrain: Terrain<'a>) -> Option<&'a PortalGraph> {
        let aim = self.aim?;
        let portals = terrain.portals(aim.rules)?;
        let same = portals.version() == aim.version && portals.clusters() == self.page_of.len();
        same.then_some(portals)
    }

    #[inline]
    pub(super) fn page(&self, cluster: u32) -> Option<&ClusterPage> {
        let &page = self.page_of.get(cluster as usize)?;
        self.pages.get(page as usize)
    }

    /// Computes the cells of a cluster unless they are known.
    pub(super) fn look_at(&mut self, grid: &Grid, portals: &PortalGraph, cluster: u32) {
        if self.page(cluster).is_none() {
            self.fill(grid, portals, cluster);
        }
    }

    /// The distance from a cell in units of the step costs.
    fn cost(&mut self, grid: &Grid, portals: &PortalGraph, cell: Cell) -> Option<u32> {
        if !grid.contains(cell) {
            return None;
        }
        self.look_at(grid, portals, portals.tiling.cluster(cell));
        self.known(portals, cell).filter(|&cost| cost != NONE)
    }

    /// Computes the distances from all spots of a cluster.
    fn fill(&mut self, grid: &Grid, portals: &PortalGraph, cluster: u32) {
        let mut seeds = std::mem::take(&mut self.seeds);
        seeds.clear();
        for (index, gate) in portals.gates(cluster).iter().enumerate() {
            // Only gates by which the best way leaves at once: the wave finds all other ways.
            let here = self.costs.get(self.index(cluster, index)).copied();
            let onward = self.leads_on(portals, gate);
            let best = onward.filter(|_| onward == here);
            seeds.extend(best.map(|cost| (cost, gate.spot())));
        }
        let target = self.aim.map(|aim| aim.target);
        let target = target.filter(|&target| portals.tiling.cluster(target) == cluster);
        seeds.extend(target.map(|target| (0, Tiling::spot(target))));
        seeds.sort_unstable();
        if self.used == self.pages.len() {
            self.pages.push(Box::new([NONE; 1024]));
        }
        let page = &mut self.pages[self.used];
        page.fill(NONE);
        let ground = portals.ground(grid, cluster);
        let touched = &mut self.counters.touched;
        let visit = |cost, front: &ClusterRows, rows: std::ops::Range<usize>| {
            for row in rows {
                *touched += front[row].count_ones();
                for column in ones(front[row].into()) {
                    page[(row - 1) * usize::from(SIDE) + column as usize] = cost;
                }
            }
            true
        };
        let starts = seeds.iter().copied();
        let (costs, backward) = (portals.step_costs, WaveDirection::Backward);
        self.wave.run(&ground, costs, backward, starts, visit);
        self.counters.expanded += Self::CLUSTER_EXPANSIONS;
        self.page_of[cluster as usize] = self.used as u32;
        self.used += 1;
        self.seeds = seeds;
    }
}
