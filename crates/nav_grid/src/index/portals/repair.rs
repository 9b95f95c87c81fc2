//! Building and repairing the graph of portals in slices.

use super::{
    boards::GroundBoards,
    cluster::Tiling,
    distances::{BuildScratch, ClusterEdit, DistanceTable},
    graph::{Cluster, PortalGraph, step_costs_of},
};
use crate::{
    index::SlicedIndex,
    map::{Grid, Size, TileLayout},
    rules::{CornerRule, Rules},
};

/// Slots for each cluster that are allocated at once: open ground has six portals a cluster.
const SLOTS_AHEAD: usize = 6;

/// Work in units of 50 ns, as measured where nothing else ran: reading a tile, without exits and
/// step costs and with them; finding the portals of a cluster; a border of it with exits or step
/// costs, for each cell of a footprint; the gates of a cluster; a test of a direct segment; a
/// front.
const TILE_WORK: u32 = 40;
const MIXED_TILE_WORK: u32 = 200;
const OWNER_WORK: u32 = 20;
const BORDER_WORK: u32 = 200;
const CLUSTER_WORK: u32 = 40;
const SEGMENT_WORK: u64 = 4;
const FRONT_WORK: u64 = 2;

impl SlicedIndex for PortalGraph {
    fn begin(grid: &Grid, rules: Rules) -> Self {
        let (grid, tiling) = (grid.for_rules(rules), Tiling::new(grid.size()));
        let cluster = Cluster {
            first: 0,
            room: 0,
            owned: 0,
            edit: ClusterEdit::Many,
            symmetric: true,
            gates: Box::default(),
            table: DistanceTable::default(),
        };
        let mut portals = Self {
            rules,
            step_costs: step_costs_of(rules.metric),
            tiling,
            version: grid.version(),
            boards: GroundBoards::new(grid.size()),
            clusters: vec![cluster; tiling.clusters()],
            slots: Vec::with_capacity(tiling.clusters() * SLOTS_AHEAD),
            numbering: 0,
            links: Vec::new(),
            arriving: Vec::new(),
            due_tiles: (0..TileLayout::of(grid.size()).count() as u32).collect(),
            due_owners: (0..tiling.clusters() as u32).collect(),
            due_clusters: (0..tiling.clusters() as u32).collect(),
            renumbered: Vec::new(),
            scratch: BuildScratch::default(),
        };
        portals.boards.prepare(grid);
        portals.relink(grid);
        portals
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn map(&self) -> (Size, u64) {
        (self.tiling.size, self.version)
    }

    /// The same footprint, classes, links, corner rule and metric, or a metric with the same
    /// distances.
    fn is_for(&self, rules: Rules) -> bool {
        self.rules.footprint == rules.footprint
            && self.rules.corners == rules.corners
            && self.rules.passable() == rules.passable()
            && (self.rules.metric == rules.metric || self.step_costs == step_costs_of(rules.metric))
    }

    fn due(&self) -> usize {
        let has_begun = !(self.due_tiles.is_empty() && self.due_owners.is_empty());
        self.due_clusters.len().max(has_begun.into())
    }

    fn parts(&self) -> usize {
        self.clusters.len()
    }

    /// # Complexity
    ///
    /// O(1) if nothing is due. After an edit a pass over the versions of all tiles and over all
    /// links; O(n log n) in the links if any changed. Then some 20 µs for each cluster whose cells
    /// changed, and as much for neighbours whose portals changed with it; some 300 µs for clusters
    /// with exits or step costs. If an edited tile has such clusters, all of them count as changed.
    fn repair_within(&mut self, grid: &Grid, work: u32) -> u32 {
        if grid.size() != self.tiling.size {
            *self = Self::begin(grid, self.rules);
        }
        let (grid, mut done) = (grid.for_rules(self.rules), 0);
        if grid.version() != self.version {
            done = self.notice(grid);
        }
        if self.due() == 0 {
            return done;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        // Each stage needs the one before it, of some clusters around.
        while done < work {
            done = done.saturating_add(if let Some(tile) = self.due_tiles.pop_first() {
                self.read(grid, tile)
            } else if let Some(owner) = self.due_owners.pop_first() {
                let mixed = self.finder(grid).find(owner, &mut scratch.crossings);
                self.own(owner, &scratch.crossings);
                let covered = u32::from(self.rules.footprint.side()).pow(2);
                OWNER_WORK + mixed * BORDER_WORK * covered
            } else if let Some(cluster) = self.renumbered.pop() {
                if !self.due_clusters.contains(&cluster) {
                    self.reconnect(grid, cluster, &mut scratch);
                }
                // A few microseconds, once in a while. Counted, it would depend on earlier edits.
                0
            } else if let Some(cluster) = self.due_clusters.pop_first() {
                (scratch.segments, scratch.fronts) = (0, 0);
                self.reconnect(grid, cluster, &mut scratch);
                let waves = scratch.segments * SEGMENT_WORK + scratch.fronts * FRONT_WORK;
                CLUSTER_WORK.saturating_add(waves.try_into().unwrap_or(u32::MAX))
            } else {
                break;
            });
        }
        if self.due() == 0 {
            self.boards.tidy(grid);
        }
        self.scratch = scratch;
        done
    }
}

impl PortalGraph {
    /// Finds the tiles and the links that were edited. Returns the work.
    fn notice(&mut self, grid: &Grid) -> u32 {
        self.boards.prepare(grid);
        let layout = TileLayout::of(grid.size());
        for tile in grid.tiles_edited_since(self.version) {
            self.due_tiles.insert(layout.index(tile) as u32);
        }
        self.version = grid.version();
        if self.links != grid.links() {
            // Both lists are in order.
            let (before, after) = (&self.links, grid.links());
            let removed = before
                .iter()
                .filter(|link| after.binary_search(link).is_err());
            let added = after
                .iter()
                .filter(|link| before.binary_search(link).is_err());
            for link in removed.chain(added) {
                self.due_owners.insert(self.tiling.cluster(link.from));
            }
            self.relink(grid);
        }
        (layout.count() + grid.links().len()) as u32 / 64 + 1
    }

    /// Reads a tile. Its changed clusters become due. Returns the work.
    fn read(&mut self, grid: &Grid, tile: u32) -> u32 {
        let tile = TileLayout::of(grid.size()).at(tile as usize);
        let (edits, mixed) = self.boards.read(grid, self.rules.footprint, tile);
        let (first, side) = (tile.first(), super::SIDE);
        let corners = [(0, 0), (side, 0), (0, side), (side, side)];
        for ((x, y), edit) in corners.into_iter().zip(edits) {
            let corner = first.moved(x, y);
            if edit != ClusterEdit::Same && grid.contains(corner) {
                self.disturb(self.tiling.cluster(corner), edit);
            }
        }
        if mixed { MIXED_TILE_WORK } else { TILE_WORK }
    }

    /// Notes that cells of a cluster changed: its distances, and the portals that depend on it.
    fn disturb(&mut self, cluster: u32, edit: ClusterEdit) {
        let entry = &mut self.clusters[cluster as usize];
        entry.edit = entry.edit.and(edit);
        self.due_clusters.insert(cluster);
        // A cluster owns its portals to the right and below, so its edits change those of the
        // clusters to the left and above. Diagonal steps also depend on cells around a corner.
        let corners = self.boards.are_mixed() || self.rules.corners == CornerRule::Cut;
        let beside: &[(i32, i32)] = if corners {
            &[(0, 0), (-1, 0), (0, -1), (-1, -1), (1, -1), (1, 0)]
        } else {
            &[(0, 0), (-1, 0), (0, -1)]
        };
        for &(dx, dy) in beside {
            if let Some(owner) = self.tiling.beside(cluster, dx, dy) {
                self.due_owners.insert(owner);
            }
        }
        let first = self.arriving.partition_point(|&(to, _)| to < cluster);
        let arriving = self.arriving[first..].iter();
        for &(_, owner) in arriving.take_while(|&&(to, _)| to == cluster) {
            self.due_owners.insert(owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::{Cell, Directions},
        map::{Area, Link},
        rules::{Footprint, Metric},
    };
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    type Random = Xoshiro256PlusPlus;

    fn new(grid: &Grid, rules: Rules) -> PortalGraph {
        let mut portals = PortalGraph::begin(grid, rules);
        portals.repair(grid);
        portals
    }

    fn any_cell(random: &mut Random, size: Size) -> Cell {
        let (x, y) = (
            random.random_range(0..size.width),
            random.random_range(0..size.height),
        );
        Cell::new(x, y).on_floor(random.random_range(0..size.floors))
    }

    fn any_grid(random: &mut Random) -> Grid {
        let size = Size::new(random.random_range(2..150), random.random_range(2..150));
        let size = size.with_floors(random.random_range(1..3));
        let walls = random.random_range(0..40);
        Grid::build(size, |_| random.random_range(0..100) >= walls).unwrap()
    }

    fn any_rules(random: &mut Random) -> Rules {
        let metric = Metric::ALL[random.random_range(0..5)];
        let corners = CornerRule::ALL[random.random_range(0..2)];
        let footprint = Footprint::new(random.random_range(1..=3)).unwrap();
        Rules::new(metric, corners).with_footprint(footprint)
    }

    fn edit(random: &mut Random, grid: &mut Grid) {
        let size = grid.size();
        let (cell, other) = (any_cell(random, size), any_cell(random, size));
        match random.random_range(0..10) {
            0 => {
                let far = Cell {
                    floor: cell.floor,
                    ..other
                };
                let open = random.random_range(0..2) == 0;
                grid.set_walkable(Area::new(cell, far), open).unwrap();
            }
            1 => {
                grid.set_exits(cell, Directions(random.random_range(0..=255)))
                    .unwrap();
            }
            2 => {
                grid.set_cost(cell, random.random_range(1..=64)).unwrap();
            }
            3 | 4 => {
                let link = Link::new(cell, other).with_cost(random.random_range(1..90));
                grid.set_link(link).unwrap();
            }
            5 => {
                if let Some(&link) = grid.links().first() {
                    grid.remove_link(link.from, link.to);
                }
            }
            6 => {
                grid.set_cost_bytes(Vec::new()).unwrap();
                grid.set_exit_bytes(Vec::new()).unwrap();
            }
            _ => {
                grid.set_walkable(cell, !grid.is_walkable(cell)).unwrap();
            }
        }
    }

    /// The same map without its past.
    fn loaded(grid: &Grid) -> Grid {
        let mut copy = Grid::from_walkable_bytes(grid.size(), &grid.walkable_bytes()).unwrap();
        copy.set_cost_bytes(grid.cost_bytes().to_vec()).unwrap();
        copy.set_exit_bytes(grid.exit_bytes().to_vec()).unwrap();
        copy.set_links(grid.links().iter().copied()).unwrap();
        assert!(copy == *grid);
        copy
    }

    /// A graph built and repaired in slices, with edits between them, equals a new one.
    #[test]
    fn sliced_as_new() {
        for seed in 0..60 {
            let mut random = Random::seed_from_u64(seed);
            let mut grid = any_grid(&mut random);
            let rules = any_rules(&mut random);
            for _ in 0..random.random_range(0..20) {
                edit(&mut random, &mut grid);
            }
            let mut portals = PortalGraph::begin(&grid, rules);
            assert!(!portals.serves(&grid, rules));
            let edits = random.random_range(1..40);
            for round in 0.. {
                let slice = random.random_range(0..3000);
                let work = portals.repair_within(&grid, slice);
                if round < edits && random.random_range(0..3) == 0 {
                    edit(&mut random, &mut grid);
                } else if work == 0 && slice > 0 {
                    break;
                }
            }
            assert!(portals.serves(&grid, rules), "seed {seed}");
            assert_eq!(portals.due(), 0);
            assert!(portals == new(&grid, rules), "seed {seed}");
            assert_eq!(portals.repair_within(&grid, u32::MAX), 0);
        }
    }

    /// A repair takes the same work and leaves the same, whatever edits came before: so a loaded
    /// map is ready in the same tick as the saved one.
    #[test]
    fn work_without_history() {
        for seed in 0..60 {
            let mut random = Random::seed_from_u64(seed);
            let mut grid = any_grid(&mut random);
            let rules = any_rules(&mut random);
            let mut old = new(&grid, rules);
            for round in 0..random.random_range(1..30) {
                edit(&mut random, &mut grid);
                let slice = random.random_range(1..3000);
                while !old.serves(&grid, rules) {
                    old.repair_within(&grid, slice);
                }
                let mut copy = loaded(&grid);
                let mut new = new(&copy, rules);
                for _ in 0..random.random_range(1..4) {
                    edit(&mut random.clone(), &mut copy);
                    edit(&mut random, &mut grid);
                }
                let slice = random.random_range(1..3000);
                loop {
                    let work = old.repair_within(&grid, slice);
                    assert_eq!(
                        (work, old.due()),
                        (new.repair_within(&copy, slice), new.due()),
                        "seed {seed}, round {round}, {rules:?}"
                    );
                    if work == 0 {
                        break;
                    }
                }
            }
        }
    }

    /// The remaining work falls from call to call, and a call ends soon after its work.
    #[test]
    fn progress() {
        let grid = Grid::open(300, 200).unwrap();
        let mut portals = PortalGraph::begin(&grid, Rules::default());
        let clusters = portals.clusters();
        assert_eq!((clusters, portals.due()), (70, 70));
        let mut calls = 0;
        while portals.due() > 0 {
            let before = portals.due();
            let work = portals.repair_within(&grid, 300);
            assert!((1..3000).contains(&work), "{work}");
            assert!(portals.due() <= before);
            calls += 1;
        }
        assert!(calls > 10);
        // A map of another size begins again.
        let other = Grid::open(100, 100).unwrap();
        portals.repair_within(&other, 1);
        assert!(portals.due() > 0);
        portals.repair(&other);
        assert!(portals == new(&other, Rules::default()));
    }
}
