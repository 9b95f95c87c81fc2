//! The way to one target from everywhere.

use crate::{
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

/// The distances to one target from everywhere on a map, over its [portals](crate::index::PortalGraph): for many
/// walkers of one kind that chase the same target, however far they are.
///
/// [`aim`](Self::aim) finds the distance from every portal to the target. The cells of a cluster
/// are looked at when a walker in it asks first, and kept until the next aim. For many walkers
/// at once, [`prepare`](Self::prepare) does that where they are, and [`look`](Self::look) only
/// reads.
///
/// The distance that it tells is that of the best way through the middles of portals, in the
/// [metric of the portals](crate::index::PortalGraph::metric): a few percent more than that of the best way at all,
/// in most places. The moves that it tells lead to the target at that cost or, since walkers
/// cross borders wherever that helps, at less.
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
/// To aim, O(portals × portals of a cluster). A cluster that is looked at first, as [`PortalGraph`]
/// says of one portal; then a look at up to nine cells a move.
///
/// # Memory
///
/// 10 bytes for every portal, 12 for every cluster, and 4 KiB for every cluster looked at. An
/// aim takes no memory from the heap once as much was in use before.
#[derive(Clone, Debug, Default)]
pub struct PortalField {
    pub(crate) aim: Option<FieldAim>,
    /// For each cluster the place of its first gate in `costs`.
    pub(crate) first: Vec<u32>,
    /// What it costs to get to the target from each gate, or [`NONE`].
    pub(crate) costs: Vec<u32>,
    /// Whether a better way enters by a gate than was followed through its cluster.
    pub(crate) entered: Vec<bool>,
    /// Clusters that are to be looked at, by the cheapest of the ways that newly enter them.
    pub(crate) queue: BucketQueue<u32>,
    /// For each cluster the cost at which it waits in the queue, or [`NONE`].
    pub(crate) queued: Vec<u32>,
    /// What was known of the gates of a cluster.
    pub(crate) before: Vec<u32>,
    seeds: Vec<(u32, Spot)>,
    pub(crate) wave: ClusterWave,
    /// For each cluster its page, or [`NONE`].
    pub(crate) page_of: Vec<u32>,
    pages: Vec<ClusterPage>,
    /// How many of the pages are in use.
    pub(crate) used: usize,
    pub(crate) counters: Counters,
}

/// What a field was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldAim {
    target: Cell,
    pub(crate) rules: Rules,
    version: u64,
}

/// The distance to the target from every spot of a cluster, or [`NONE`].
pub(crate) type ClusterPage = Box<[u32; SIDE as usize * SIDE as usize]>;

/// A field cannot be aimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The target cannot be stood on.
    #[error("a field cannot be aimed at {target}: {}", match fault {
        Fault::OutsideMap => "it is outside the map",
        Fault::Blocked => "the walker does not fit there",
    })]
    Target {
        /// The target.
        target: Cell,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The map has something that fields cannot serve, or its portals are missing, older than
    /// the map or those of another walker.
    #[error("a portal field cannot serve {0}")]
    Unsupported(Feature),
}

impl PortalField {
    /// What fields can serve.
    pub const SUPPORT: Support = Support {
        costs: false,
        bodies: false,
        ..Support::ALL
    };

    /// For how many portals a cluster counts that is looked at: as many as take as long.
    pub const CLUSTER_EXPANSIONS: u32 = 64;

    /// A field without a target and without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The target, if it has one.
    pub fn target(&self) -> Option<Cell> {
        self.aim.map(|aim| aim.target)
    }

    /// Finds the ways to a target for walkers of some rules, whose policy toward bodies must be
    /// to ignore them if there are any. Does nothing if that is what it was aimed at already
    /// and the map has not changed.
    ///
    /// # Errors
    ///
    /// [`FieldError`] if the walker does not fit at the target, the map has step costs, or the
    /// terrain lacks portals that [serve](crate::index::PortalGraph::serves) it. The field then has no
    /// target.
    pub fn aim<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        rules: Rules,
        target: Cell,
    ) -> Result<(), FieldError> {
        let terrain = terrain.into();
        let grid = terrain.grid;
        let before = self.aim.take();
        let query = PathQuery::new(target, target)
            .with_rules(rules)
            .with_limits(Limits::UNBOUNDED);
        if let Some(feature) = Self::SUPPORT.lacks(terrain, &query) {
            return Err(FieldError::Unsupported(feature));
        }
        let portals = terrain.indexes.and_then(|indexes| indexes.portals.as_ref());
        let Some(portals) = portals.filter(|portals| portals.serves(grid, rules)) else {
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
        if before != Some(aim) || self.page_of.len() != portals.clusters() {
            self.spread(grid, portals, target);
        }
        self.aim = Some(aim);
        Ok(())
    }

    /// What it costs to get to the target from a cell, in the
    /// [metric of the portals](crate::index::PortalGraph::metric). `None` if there is no way, the field has no
    /// target, or the map was edited since.
    pub fn distance<'a>(&mut self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> Option<Cost> {
        let terrain = terrain.into();
        let portals = self.portals(terrain)?;
        let cost = self.cost(terrain.grid, portals, cell)?;
        Some(cost.saturating_mul(portals.step_costs.unit))
    }

    /// The work since the last aim at another target: portals expanded, for every cluster that was
    /// looked at [so many](Self::CLUSTER_EXPANSIONS) more, and cells touched.
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// Bytes that the field keeps on the heap, its queue aside.
    pub fn heap_bytes(&self) -> usize {
        (self.first.capacity() + self.costs.capacity() + self.queued.capacity()) * size_of::<u32>()
            + self.entered.capacity()
            + self.page_of.capacity() * size_of::<u32>()
            + self.pages.len() * size_of::<[u32; SIDE as usize * SIDE as usize]>()
    }

    /// The portals that the field was made with.
    pub(crate) fn portals<'a>(&self, terrain: Terrain<'a>) -> Option<&'a PortalGraph> {
        let aim = self.aim?;
        let portals = terrain.indexes?.portals.as_ref()?;
        let same = portals.version() == aim.version
            && portals.serves(terrain.grid, aim.rules)
            && portals.clusters() == self.page_of.len();
        same.then_some(portals)
    }

    #[inline]
    pub(crate) fn page(&self, cluster: u32) -> Option<&ClusterPage> {
        let &page = self.page_of.get(cluster as usize)?;
        self.pages.get(page as usize)
    }

    /// Looks at a cluster, unless it was.
    pub(crate) fn look_at(&mut self, grid: &Grid, portals: &PortalGraph, cluster: u32) {
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

    /// Finds the distances from all spots of a cluster.
    fn fill(&mut self, grid: &Grid, portals: &PortalGraph, cluster: u32) {
        let mut seeds = std::mem::take(&mut self.seeds);
        seeds.clear();
        for (index, gate) in portals.gates(cluster).iter().enumerate() {
            // Ways from elsewhere in the cluster are found without.
            let here = self.at(cluster, index).copied();
            let onward = self.leads_on(portals, gate);
            seeds.extend(
                onward
                    .filter(|_| onward == here)
                    .map(|cost| (cost, gate.spot())),
            );
        }
        let target = self.aim.map(|aim| aim.target);
        let target = target.filter(|&target| portals.tiling.cluster(target) == cluster);
        seeds.extend(target.map(|target| (0, Tiling::spot(target))));
        seeds.sort_unstable();
        if self.used == self.pages.len() {
            self.pages.push(Box::new([NONE; 1024]));
        }
        if let Some(page) = self.pages.get_mut(self.used) {
            page.fill(NONE);
            let ground = portals.ground(grid, cluster);
            let Counters {
                expanded, touched, ..
            } = &mut self.counters;
            *expanded += Self::CLUSTER_EXPANSIONS;
            let visit = |cost, front: &ClusterRows, rows: std::ops::Range<usize>| {
                for row in rows {
                    let mut word = front[row];
                    *touched += word.count_ones();
                    while word != 0 {
                        let column = word.trailing_zeros() as usize;
                        page[(row - 1) * usize::from(SIDE) + column] = cost;
                        word &= word - 1;
                    }
                }
                true
            };
            let seeds = seeds.iter().copied();
            self.wave.run(
                &ground,
                portals.step_costs,
                WaveDirection::Backward,
                seeds,
                visit,
            );
        }
        if let Some(page_of) = self.page_of.get_mut(cluster as usize) {
            *page_of = self.used as u32;
            self.used += 1;
        }
        self.seeds = seeds;
    }
}
