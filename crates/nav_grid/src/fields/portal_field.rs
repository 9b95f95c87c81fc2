//! Portal fields: distances to the nearest of some targets from everywhere, computed by clusters.

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

/// The distances to a target on a map, or to the nearest of several, over its
/// [portals](crate::index::PortalGraph). For many walkers under the same rules that chase one
/// target, or the nearest of many, from any distance.
///
/// [`aim`](Self::aim) names the target, or [`aim_at_all`](Self::aim_at_all) several, and computes
/// nothing. Distances spread from the target as far as the walkers that ask, portal by portal; then
/// the cells of the clusters in which they stand are computed, and kept until the next aim. For
/// many walkers at once, [`prepare`](Self::prepare) does that ahead, and [`look`](Self::look) only
/// reads. No answer depends on what was asked before.
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
/// An aim takes O(clusters), one word for 64 of them. A walker's first look in a cluster takes
/// O(portals × portals of a cluster) for the portals no further from the target than the cells of
/// that cluster, unless another walker asked from as far; then as long as [`PortalGraph`] says of
/// one portal. Every look reads up to nine cells.
///
/// # Memory
///
/// 4 bytes for every 64 clusters of the map; 256 for every 64 of which the distances spread to one;
/// 20 for every cluster that they spread to, 5 for each of its portals, and 4 KiB for every cluster
/// looked at. Memory is kept for the next aim.
///
/// # References
///
/// Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959, continued for each walker:
/// the resumable search of Silver, "Cooperative Pathfinding", 2005.
#[derive(Clone, Debug, Default)]
pub struct PortalField {
    pub(super) aim: Option<FieldAim>,
    /// Where walkers can stand at targets.
    pub(super) targets: Vec<FieldTarget>,
    /// Those of the aim before.
    former: Vec<FieldTarget>,
    /// The ends of links that walkers may not take.
    barred: Vec<Cell>,
    pub(super) numbers: VisitNumbers,
    pub(super) visits: Vec<ClusterVisit>,
    /// The cost from each gate of a visited cluster to the target, or [`NONE`].
    pub(super) costs: Vec<u32>,
    /// For each gate the number of the target to which that cost leads; empty for a single target.
    pub(super) owners: Vec<u16>,
    /// Whether a better way enters by a gate, and has not been followed through its cluster.
    pub(super) entered: Vec<bool>,
    /// Clusters to pass through, by the cheapest of the ways that newly enter them.
    pub(super) queue: BucketQueue<u32>,
    /// No way that is still to be followed costs less; [`NONE`] once all are followed.
    pub(super) horizon: u32,
    /// The costs of a cluster's gates before it was passed through.
    pub(super) before: Vec<u32>,
    seeds: Vec<(u32, Spot)>,
    pub(super) wave: ClusterWave,
    pages: Vec<ClusterPage>,
    /// The spots of a walk down the field.
    pub(super) trail: Vec<Spot>,
    /// For each page the targets to which its spots lead, as far as they were asked for; empty for
    /// a single target.
    pub(super) owner_pages: Vec<OwnerPage>,
    /// The number of pages in use.
    pub(super) used: usize,
    pub(super) counters: Counters,
}

/// The numbers of the visits of clusters, by cluster. In chunks, since most fields reach few of a
/// map's clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct VisitNumbers {
    clusters: usize,
    /// For each chunk of clusters its place, or [`NONE`].
    place_of: Vec<u32>,
    /// The numbers, or [`NONE`].
    chunks: Vec<[u32; Self::CHUNK]>,
}

impl VisitNumbers {
    /// Clusters of a chunk: a row of 2048 cells.
    const CHUNK: usize = 64;

    /// Begins without any number.
    pub(super) fn start(&mut self, clusters: usize) {
        self.clusters = clusters;
        self.chunks.clear();
        self.place_of.clear();
        self.place_of.resize(clusters.div_ceil(Self::CHUNK), NONE);
    }

    /// The number of clusters.
    const fn clusters(&self) -> usize {
        self.clusters
    }

    /// The number of a cluster, if it has one.
    #[inline]
    fn get(&self, cluster: u32) -> Option<u32> {
        let cluster = cluster as usize;
        let &place = self.place_of.get(cluster / Self::CHUNK)?;
        let chunk = self.chunks.get(place as usize)?;
        Some(chunk[cluster % Self::CHUNK]).filter(|&number| number != NONE)
    }

    /// The place of the number of a cluster, with [`NONE`] if it has none.
    #[inline]
    pub(super) fn entry(&mut self, cluster: u32) -> &mut u32 {
        let cluster = cluster as usize;
        let place = &mut self.place_of[cluster / Self::CHUNK];
        if *place == NONE {
            *place = self.chunks.len() as u32;
            self.chunks.push([NONE; Self::CHUNK]);
        }
        &mut self.chunks[*place as usize][cluster % Self::CHUNK]
    }

    const fn heap_bytes(&self) -> usize {
        self.place_of.capacity() * size_of::<u32>()
            + self.chunks.capacity() * size_of::<[u32; Self::CHUNK]>()
    }
}

/// A cluster with a way to the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterVisit {
    /// The index of its first gate in the costs.
    pub(super) first: u32,
    /// Its key in the queue, or [`NONE`].
    pub(super) queued: u32,
    /// Its page, or [`NONE`].
    pub(super) page: u32,
    /// The greatest distance of its page, or `None` if the costs of its gates changed since.
    pub(super) furthest: Option<u32>,
}

/// A target of a field, where a walker can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldTarget {
    pub(super) cell: Cell,
    /// The cost with which its distances begin, in units of the step costs.
    pub(super) handicap: Cost,
    /// Its place in the list that the caller gave.
    pub(super) number: u16,
}

/// The rules and the portals that a field was computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldAim {
    pub(super) rules: Rules,
    version: u64,
    /// The numbering of the portals: maps of the same size and version may have others.
    numbering: u64,
}

/// The distance to the target from every spot of a cluster, or [`NONE`].
pub(super) type ClusterPage = Box<[u32; SIDE as usize * SIDE as usize]>;

/// The place among the targets of the nearest one from every spot of a cluster, or [`NO_OWNER`].
pub(super) type OwnerPage = Box<[u16; SIDE as usize * SIDE as usize]>;

/// Stands for no target, or for a target not asked for yet.
pub(super) const NO_OWNER: u16 = u16::MAX;

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

    /// The greatest number of targets: what numbers of two bytes tell apart.
    pub const TARGETS_MAX: usize = NO_OWNER as usize;

    /// A field without a target and without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The target, or the first of several; `None` without one.
    pub fn target(&self) -> Option<Cell> {
        self.aim.and(self.targets.first()).map(|target| target.cell)
    }

    /// Names the target, for walkers under some rules. If there are bodies, the rules must ignore
    /// them. Does nothing if target, rules and map are those of the last aim.
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
        self.aim_barring(terrain, rules, target, &[])
    }

    /// The same for walkers that may not take a link to any of the `barred` cells, as onto a target
    /// that has a body.
    ///
    /// # Errors
    ///
    /// As [`aim`](Self::aim).
    pub fn aim_barring<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        rules: Rules,
        target: Cell,
        barred: &[Cell],
    ) -> Result<(), FieldError> {
        self.aim_with(terrain.into(), rules, &[(target, 0)], barred)
    }

    /// Names several targets: the field leads to the nearest, where the way to each counts as
    /// longer by its handicap, in the [metric of the portals](crate::index::PortalGraph::metric).
    /// Of equally near ones it leads to any. Targets where a walker cannot stand are left out. Does
    /// nothing if targets, rules and map are those of the last aim.
    ///
    /// # Errors
    ///
    /// [`FieldError`] if the walker fits at none of the targets, or the terrain lacks portals that
    /// serve the rules. The field has no target then.
    ///
    /// # Panics
    ///
    /// With more than [`TARGETS_MAX`](Self::TARGETS_MAX) targets.
    pub fn aim_at_all<'a>(
        &mut self,
        terrain: impl Into<Terrain<'a>>,
        rules: Rules,
        targets: &[(Cell, Cost)],
    ) -> Result<(), FieldError> {
        assert!(targets.len() <= Self::TARGETS_MAX, "too many targets");
        self.aim_with(terrain.into(), rules, targets, &[])
    }

    fn aim_with(
        &mut self,
        terrain: Terrain<'_>,
        rules: Rules,
        targets: &[(Cell, Cost)],
        barred: &[Cell],
    ) -> Result<(), FieldError> {
        let terrain = terrain.for_rules(rules);
        let before = self.aim.take();
        std::mem::swap(&mut self.targets, &mut self.former);
        self.targets.clear();
        let portals = terrain.portals(rules);
        let unit = portals.map_or(1, |portals| portals.step_costs.unit);
        let mut fault = FieldError::Unsupported(Feature::Preparation);
        for (number, &(cell, handicap)) in targets.iter().enumerate() {
            let target = FieldTarget {
                cell,
                handicap: handicap / unit,
                number: number as u16,
            };
            match check(terrain, rules, cell) {
                Ok(()) => self.targets.push(target),
                // Without portals no other place helps.
                Err(FieldError::Target { .. }) if portals.is_none() => {}
                Err(error) => fault = error,
            }
        }
        let Some(portals) = portals.filter(|_| !self.targets.is_empty()) else {
            return Err(fault);
        };
        let aim = FieldAim {
            rules,
            version: portals.version(),
            numbering: portals.numbering,
        };
        let is_same = before == Some(aim) && self.targets == self.former && self.barred == barred;
        self.barred.clear();
        self.barred.extend_from_slice(barred);
        if !is_same || self.numbers.clusters() != portals.clusters() {
            self.begin_spread(terrain.grid, portals);
        }
        self.aim = Some(aim);
        Ok(())
    }

    /// The cost from a cell to the target, in the [metric of the
    /// portals](crate::index::PortalGraph::metric). `None` if there is no way, the field has no
    /// target, or the map was edited since.
    pub fn distance<'a>(&mut self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> Option<Cost> {
        let terrain = self.terrain(terrain);
        let portals = self.portals(terrain)?;
        if terrain.grid.contains(cell) {
            let place = (portals.tiling.cluster(cell), Some(Tiling::spot(cell)));
            self.settle(terrain.grid, portals, place, u32::MAX);
        }
        self.known_distance(terrain, cell)
    }

    /// The same for a cell that was [prepared](Self::prepare).
    #[doc(hidden)]
    pub fn known_distance<'a>(&self, terrain: impl Into<Terrain<'a>>, cell: Cell) -> Option<Cost> {
        let terrain = self.terrain(terrain);
        let portals = self.portals(terrain)?;
        let inside = terrain.grid.contains(cell).then_some(cell);
        let cost = self.known(portals, inside?).filter(|&cost| cost != NONE)?;
        Some(cost.saturating_mul(portals.step_costs.unit))
    }

    /// The work since the last aim at another target: portals expanded, plus
    /// [64](Self::CLUSTER_EXPANSIONS) for every time that the cells of a cluster were computed, and
    /// cells touched.
    #[doc(hidden)]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// Bytes that the field keeps on the heap, without its queue.
    #[doc(hidden)]
    pub fn heap_bytes(&self) -> usize {
        self.numbers.heap_bytes()
            + self.costs.capacity() * size_of::<u32>()
            + self.visits.capacity() * size_of::<ClusterVisit>()
            + self.entered.capacity()
            + self.pages.len() * size_of::<[u32; SIDE as usize * SIDE as usize]>()
            + self.owners.capacity() * size_of::<u16>()
            + self.owner_pages.len() * size_of::<[u16; SIDE as usize * SIDE as usize]>()
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
        let same = (portals.version(), portals.numbering) == (aim.version, aim.numbering);
        (same && portals.clusters() == self.numbers.clusters()).then_some(portals)
    }

    /// Whether there are links that walkers may not take.
    #[doc(hidden)]
    pub const fn bars_links(&self) -> bool {
        !self.barred.is_empty()
    }

    /// Whether a passage is a link that walkers may not take.
    #[inline]
    pub(super) fn is_barred(&self, portals: &PortalGraph, passage: u32) -> bool {
        self.bars_links()
            && (portals.link_end(passage)).is_some_and(|end| self.barred.contains(&end))
    }

    #[inline]
    pub(super) fn visit(&self, cluster: u32) -> Option<&ClusterVisit> {
        self.visits.get(self.numbers.get(cluster)? as usize)
    }

    /// The distances of a cluster and the greatest of them, if they were computed since the costs
    /// of its gates changed.
    #[inline]
    pub(super) fn page(&self, cluster: u32) -> Option<(u32, &ClusterPage)> {
        let visit = self.visit(cluster)?;
        Some((visit.furthest?, self.pages.get(visit.page as usize)?))
    }

    /// Computes the distances from all spots of a cluster.
    pub(super) fn fill(&mut self, grid: &Grid, portals: &PortalGraph, cluster: u32) {
        let number = self.enter(portals, cluster);
        let mut seeds = std::mem::take(&mut self.seeds);
        seeds.clear();
        for (index, gate) in portals.gates(cluster).iter().enumerate() {
            // Only gates by which the best way leaves at once: the wave finds all other ways.
            let here = self.costs[self.visits[number].first as usize + index];
            let best = self.leads_on(portals, gate).filter(|&cost| cost == here);
            seeds.extend(best.map(|cost| (cost, gate.spot())));
        }
        let targets = self.targets.iter();
        let here = targets.filter(|target| portals.tiling.cluster(target.cell) == cluster);
        seeds.extend(here.map(|target| (target.handicap, Tiling::spot(target.cell))));
        seeds.sort_unstable();
        let visit = &mut self.visits[number];
        if visit.page == NONE {
            visit.page = self.used as u32;
            self.used += 1;
            if self.pages.len() < self.used {
                self.pages.push(Box::new([NONE; 1024]));
            }
        }
        let page = visit.page as usize;
        if self.targets.len() > 1 {
            self.forget_owners(page);
        }
        let page = &mut self.pages[page];
        page.fill(NONE);
        let mut furthest = 0;
        let ground = portals.ground(grid, cluster);
        let touched = &mut self.counters.touched;
        let visit_front = |cost, front: &ClusterRows, rows: std::ops::Range<usize>| {
            furthest = furthest.max(cost);
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
        self.wave.run(&ground, costs, backward, starts, visit_front);
        self.counters.expanded += Self::CLUSTER_EXPANSIONS;
        self.visits[number].furthest = Some(furthest);
        self.seeds = seeds;
    }
}

/// Checks that walkers can stand at a target and that the terrain serves them.
fn check(terrain: Terrain<'_>, rules: Rules, target: Cell) -> Result<(), FieldError> {
    let query = PathQuery::new(target, target)
        .with_rules(rules)
        .with_limits(Limits::UNBOUNDED);
    if let Some(feature) = PortalField::SUPPORT.lacks(terrain, &query) {
        return Err(FieldError::Unsupported(feature));
    }
    match query.answer_at_once(terrain.grid) {
        Some(Status::Invalid(_, fault)) => Err(FieldError::Target { target, fault }),
        _ => Ok(()),
    }
}
