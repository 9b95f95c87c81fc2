//! The graph of portals, and how it follows edits.

use super::{
    cluster::{Ground, Rows, SIDE, Spot, Targets, Tiling, is_in},
    crossing::{Crossing, Finder, Ways},
    leg::{Legs, Open},
    wave::{Wave, Way},
};
use crate::{
    Area, Cell, CornerRule, Footprint, Grid, Link, Metric, Rules, Size, Tile, map::Bitboard,
    search::Pace,
};

/// No way, and no portal.
pub(super) const NONE: u32 = u32::MAX;

/// A gate of which it is not known yet with which others it hangs together.
const NO_PART: u16 = u16::MAX;

/// No way inside a cluster.
pub(super) const APART: u16 = u16::MAX;

/// A map as clusters of 32×32 cells and the portals between them, for one kind of walker: what
/// far searches and far fields run on.
///
/// A portal stands for up to eight cells side by side across which walkers get from one cluster
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
/// A bit a cell; for each cluster about 100 bytes, 40 a portal and 2 for every pair of its
/// portals. 5000×5000 cells of open ground take 30 MiB.
///
/// # References
///
/// Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004.
#[derive(Clone, Debug)]
pub struct Portals {
    rules: Rules,
    pub(super) pace: Pace,
    pub(super) tiling: Tiling,
    version: u64,
    /// Where the walker may stand.
    pub(super) board: Bitboard,
    clusters: Vec<Cluster>,
    /// Room for as many portals for each cluster: two to the power of `room`.
    portals: Vec<Portal>,
    room: u32,
    links: Vec<Link>,
    /// The clusters that links lead to, each with one they come from, in order.
    arriving: Vec<(u32, u32)>,
    /// Whether the map had exits.
    fenced: bool,
}

/// A portal, from the cluster that owns it to another one, which may be the same for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Portal {
    pub(super) here: Spot,
    pub(super) there: Spot,
    /// Its places among the gates of both clusters.
    here_gate: u16,
    there_gate: u16,
    other: u32,
    cost: u32,
    ways: Ways,
}

const NO_PORTAL: Portal = Portal {
    here: 0,
    there: 0,
    here_gate: 0,
    there_gate: 0,
    other: NONE,
    cost: 0,
    ways: Ways {
        out: false,
        into: false,
        link: false,
    },
};

/// One end of a portal, as the cluster on that side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    /// Number of the portal times two, plus 1 for the end in the cluster that owns it: which way
    /// a walker passes that leaves here.
    pub(super) passage: u32,
    pub(super) spot: Spot,
    /// Whether it is passed by a straight step, both ways, as all but few are.
    plain: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cluster {
    /// How many portals it owns.
    owned: u16,
    /// By portal number.
    gates: Box<[Gate]>,
    /// What it costs to get from one gate to another inside the cluster, in units of the pace:
    /// a row for each gate that is walked from.
    table: Box<[u16]>,
}

/// What one side of a portal leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) cluster: u32,
    pub(super) gate: usize,
    pub(super) spot: Spot,
}

/// Memory for building and repairing.
#[derive(Debug, Default)]
struct Scratch {
    wave: Wave,
    legs: Legs,
    crossings: Vec<Crossing>,
    gates: Vec<Gate>,
    table: Vec<u16>,
    parts: Vec<u16>,
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
            portals: Vec::new(),
            room: 0,
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
            portals.measure(grid, cluster, &mut scratch);
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
            + self.portals.capacity() * size_of::<Portal>()
            + self.links.capacity() * size_of::<Link>()
    }

    /// Follows the edits of the map since it was made or last repaired. Afterwards it equals one
    /// made afresh. A map of another size is built anew.
    ///
    /// # Complexity
    ///
    /// A pass over the versions of all tiles and over all links; then some 20 µs for each
    /// cluster whose cells changed, and as much for neighbours whose portals changed with it.
    /// On maps with exits all four clusters of an edited tile count as changed. Where a cluster
    /// comes to have more portals than any one had before, all are numbered anew.
    pub fn repair(&mut self, grid: &Grid) {
        if grid.size() != self.tiling.size {
            *self = Self::new(grid, self.rules);
            return;
        }
        if grid.version() == self.version {
            return;
        }
        let mut changed = self.reread(grid);
        let fenced = self.fenced || grid.has_exits();
        self.fenced = grid.has_exits();
        self.version = grid.version();
        let mut scratch = Scratch::default();
        let owners = self.owners_beside(grid, &changed, fenced);
        // Clusters whose gates may be others than before.
        let mut disturbed: Vec<u32> = Vec::new();
        for owner in owners {
            self.finder(grid).find(owner, &mut scratch.crossings);
            if scratch.crossings.len() > 1 << self.room {
                self.lay_out(grid);
                for cluster in 0..self.clusters.len() as u32 {
                    self.reconnect(grid, cluster, changed.contains(&cluster), &mut scratch);
                }
                return;
            }
            self.own(owner, &scratch.crossings, &mut disturbed);
        }
        changed.sort_unstable();
        disturbed.extend(&changed);
        disturbed.sort_unstable();
        disturbed.dedup();
        for &cluster in &disturbed {
            let walls = changed.binary_search(&cluster).is_ok();
            self.reconnect(grid, cluster, walls, &mut scratch);
        }
    }

    /// Brings the board up to date and returns the clusters that may be walked otherwise than
    /// before.
    fn reread(&mut self, grid: &Grid) -> Vec<u32> {
        let mut changed = Vec::new();
        let all = self.fenced || grid.has_exits();
        for tile in grid.tiles_edited_since(self.version) {
            let first = Cell {
                x: u16::from(tile.column) * Tile::SIDE,
                y: u16::from(tile.row) * Tile::SIDE,
                floor: tile.floor,
            };
            let last = Cell {
                x: first.x + Tile::SIDE - 1,
                y: first.y + Tile::SIDE - 1,
                ..first
            };
            let area = Area::new(first, last).clipped(grid.size());
            let mut differs = [0_u64; 2];
            let word = usize::from(tile.column);
            let before = self.column(area, word);
            self.copy(grid, area, word);
            let after = self.column(area, word);
            for (row, (before, after)) in before.into_iter().zip(after).enumerate() {
                differs[row / usize::from(SIDE)] |= before ^ after;
            }
            for (row, differs) in differs.into_iter().enumerate() {
                for (column, differs) in [differs as u32, (differs >> 32) as u32]
                    .into_iter()
                    .enumerate()
                {
                    let corner = Cell {
                        x: first.x + column as u16 * SIDE,
                        y: first.y + row as u16 * SIDE,
                        ..first
                    };
                    if (all || differs != 0) && grid.contains(corner) {
                        changed.push(self.tiling.cluster(corner));
                    }
                }
            }
        }
        changed
    }

    /// One word of each row of an area.
    fn column(&self, area: Area, word: usize) -> [u64; Tile::SIDE as usize] {
        let mut column = [0; Tile::SIDE as usize];
        let first = area.first();
        for (out, y) in column.iter_mut().zip(first.y..=area.last().y) {
            *out = self
                .board
                .row(y, first.floor)
                .get(word)
                .copied()
                .unwrap_or(0);
        }
        column
    }

    /// Copies the words of an area, a tile, from the map.
    fn copy(&mut self, grid: &Grid, area: Area, word: usize) {
        let footprint = self.rules.footprint;
        let Some(source) = grid.board(footprint) else {
            if let Some(walkable) = grid.board(Footprint::ONE) {
                self.board.erode(walkable, footprint.side(), area);
            }
            return;
        };
        let floor = area.first().floor;
        for y in area.first().y..=area.last().y {
            let source = source.row(y, floor).get(word).copied();
            let target = self.board.row_mut(y, floor).get_mut(word);
            if let (Some(target), Some(source)) = (target, source) {
                *target = source;
            }
        }
    }

    /// The clusters whose own portals an edit of some clusters or of links can change.
    fn owners_beside(&mut self, grid: &Grid, changed: &[u32], fenced: bool) -> Vec<u32> {
        let mut owners = changed.to_vec();
        let corners = fenced || self.rules.corners == CornerRule::Cut;
        let beside: &[(i32, i32)] = if corners {
            &[(-1, 0), (0, -1), (-1, -1), (1, -1), (1, 0)]
        } else {
            &[(-1, 0), (0, -1)]
        };
        for &cluster in changed {
            let beside = beside.iter();
            owners.extend(beside.filter_map(|&(dx, dy)| self.tiling.beside(cluster, dx, dy)));
        }
        for link in grid.links() {
            if changed.contains(&self.tiling.cluster(link.to)) {
                owners.push(self.tiling.cluster(link.from));
            }
        }
        if self.links != grid.links() {
            // Both lists are in order: what is in one alone is what changed.
            let (mut before, mut after) =
                (self.links.iter().peekable(), grid.links().iter().peekable());
            loop {
                let link = match (before.peek(), after.peek()) {
                    (Some(&&one), Some(&&other)) if one == other => {
                        before.next();
                        after.next();
                        continue;
                    }
                    (Some(&&one), Some(&&other)) if one < other => before.next(),
                    (_, Some(_)) => after.next(),
                    (Some(_), None) => before.next(),
                    (None, None) => break,
                };
                owners.extend(link.map(|link| self.tiling.cluster(link.from)));
            }
            self.relink(grid);
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn finder<'a>(&'a self, grid: &'a Grid) -> Finder<'a> {
        Finder {
            tiling: self.tiling,
            grid,
            board: &self.board,
            rules: self.rules,
            pace: self.pace,
        }
    }

    /// Finds all portals and gives them numbers.
    fn lay_out(&mut self, grid: &Grid) {
        let mut all: Vec<Crossing> = Vec::new();
        let mut found = Vec::new();
        let mut counts = Vec::with_capacity(self.clusters.len());
        for cluster in 0..self.clusters.len() as u32 {
            self.finder(grid).find(cluster, &mut found);
            counts.push(found.len());
            all.extend(&found);
        }
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        self.room = most.next_power_of_two().trailing_zeros();
        self.portals = vec![NO_PORTAL; self.clusters.len() << self.room];
        let mut rest = &all[..];
        let mut unused = Vec::new();
        for (cluster, count) in (0..).zip(counts) {
            let (own, others) = rest.split_at(count);
            if let Some(cluster) = self.clusters.get_mut(cluster as usize) {
                cluster.owned = 0;
            }
            self.own(cluster, own, &mut unused);
            unused.clear();
            rest = others;
        }
    }

    /// Replaces the portals of a cluster and notes the clusters on either side of those that
    /// changed.
    fn own(&mut self, owner: u32, crossings: &[Crossing], disturbed: &mut Vec<u32>) {
        let first = (owner as usize) << self.room;
        let cluster = &mut self.clusters[owner as usize];
        let before = usize::from(cluster.owned);
        cluster.owned = crossings.len() as u16;
        let slots = &mut self.portals[first..first + (1 << self.room)];
        for (index, slot) in slots.iter_mut().enumerate() {
            let crossing = crossings.get(index);
            if crossing.is_none() && index >= before {
                break;
            }
            let portal = crossing.map_or(NO_PORTAL, |crossing| Portal {
                here: crossing.here,
                there: crossing.there,
                here_gate: slot.here_gate,
                there_gate: slot.there_gate,
                other: crossing.other,
                cost: crossing.cost,
                ways: crossing.ways,
            });
            if portal != *slot {
                disturbed.push(owner);
                let others = [slot.other, portal.other];
                disturbed.extend(others.into_iter().filter(|&other| other != NONE));
                *slot = portal;
            }
        }
    }

    /// Copies the links of the map.
    fn relink(&mut self, grid: &Grid) {
        self.links.clear();
        self.links.extend_from_slice(grid.links());
        self.arriving.clear();
        let tiling = self.tiling;
        let ends = |link: &Link| (tiling.cluster(link.to), tiling.cluster(link.from));
        self.arriving.extend(self.links.iter().map(ends));
        self.arriving.sort_unstable();
        self.arriving.dedup();
    }

    /// Finds the gates of a cluster. Returns whether they are at other spots than before.
    fn connect(&mut self, cluster: u32, scratch: &mut Scratch) -> bool {
        let straight = self.pace.straight as u32;
        let gates = &mut scratch.gates;
        gates.clear();
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0)] {
            let Some(owner) = self.tiling.beside(cluster, dx, dy) else {
                continue;
            };
            for (passage, portal) in self.owned(owner) {
                if owner == cluster {
                    gates.push(portal.gate(passage, straight));
                } else if portal.other == cluster && !portal.ways.link {
                    gates.push(portal.far_gate(passage, straight));
                }
            }
        }
        let first = self.arriving.partition_point(|&(to, _)| to < cluster);
        let arriving = self.arriving[first..].iter();
        for &(_, owner) in arriving.take_while(|&&(to, _)| to == cluster) {
            let portals = self.owned(owner);
            let links = portals.filter(|(_, portal)| portal.other == cluster && portal.ways.link);
            gates.extend(links.map(|(passage, portal)| portal.far_gate(passage, straight)));
        }
        gates.sort_unstable_by_key(|gate| gate.passage);
        for (index, gate) in (0..).zip(&*gates) {
            let portal = &mut self.portals[(gate.passage / 2) as usize];
            if gate.passage & 1 == 1 {
                portal.here_gate = index;
            } else {
                portal.there_gate = index;
            }
        }
        let before = &mut self.clusters[cluster as usize].gates;
        let moved = before.len() != gates.len()
            || before.iter().zip(&*gates).any(|(a, b)| a.spot != b.spot);
        if **before != **gates {
            *before = gates.as_slice().into();
        }
        moved
    }

    /// The portals that a cluster owns, by number times two.
    fn owned(&self, owner: u32) -> impl Iterator<Item = (u32, &Portal)> {
        let first = owner << self.room;
        let count = usize::from(self.clusters[owner as usize].owned);
        let portals = self.portals[first as usize..].iter().take(count);
        (first..)
            .zip(portals)
            .map(|(number, portal)| (number * 2, portal))
    }

    /// Brings a cluster whose portals or walls changed up to date.
    fn reconnect(&mut self, grid: &Grid, cluster: u32, walls: bool, scratch: &mut Scratch) {
        if self.connect(cluster, scratch) || walls {
            self.measure(grid, cluster, scratch);
        }
    }

    /// Finds the distances between the gates of a cluster.
    fn measure(&mut self, grid: &Grid, cluster: u32, scratch: &mut Scratch) {
        let gates = &self.clusters[cluster as usize].gates;
        let count = gates.len();
        let Scratch {
            wave,
            legs,
            table,
            parts,
            ..
        } = scratch;
        table.clear();
        table.resize(count * count, APART);
        parts.clear();
        parts.resize(count, NO_PART);
        let ground = self.ground(grid, cluster);
        // A cluster without exits needs no look at them, and every way has its way back.
        let symmetric = ground.exits.is_none();
        let open = self.open(None);
        let cell = |spot| self.tiling.cell(cluster, spot);
        for from in 0..count {
            table[from * count + from] = 0;
            let first = if symmetric { from + 1 } else { 0 };
            // Gates of the part that this one is known to be in, or of no part yet: all others
            // are cut off from it.
            let part = parts[from];
            let mut waiting = 0;
            for to in first..count {
                if table[from * count + to] != APART || symmetric && parts[to] != part {
                    continue;
                }
                let (start, end) = (gates[from].spot, gates[to].spot);
                let cost = if start == end {
                    Some(0)
                } else {
                    let (start, end) = (cell(start), cell(end));
                    let clear = symmetric && legs.is_clear(&open, start, end);
                    clear.then(|| open.distance(start, end) as u16)
                };
                let Some(cost) = cost else {
                    waiting += 1;
                    continue;
                };
                table[from * count + to] = cost;
                if symmetric {
                    table[to * count + from] = cost;
                }
            }
            if waiting > 0 {
                let seed = (0, gates[from].spot);
                let targets = Targets::new(gates[first..].iter().map(|gate| gate.spot));
                let visit = |cost, front: &Rows, rows| {
                    if !targets.are_in(front, rows) {
                        return true;
                    }
                    for to in first..count {
                        if table[from * count + to] == APART && is_in(front, gates[to].spot) {
                            table[from * count + to] = cost as u16;
                            if symmetric {
                                table[to * count + from] = cost as u16;
                            }
                            waiting -= 1;
                        }
                    }
                    waiting > 0
                };
                wave.run(&ground, self.pace, Way::Forward, [seed], visit);
            }
            if symmetric && part == NO_PART {
                for to in from..count {
                    if table[from * count + to] != APART {
                        parts[to] = from as u16;
                    }
                }
            }
        }
        self.clusters[cluster as usize].table = table.as_slice().into();
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
        self.portals.len()
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
        if gate.plain {
            return self.pace.straight as u32;
        }
        self.portals[(gate.passage / 2) as usize].cost(gate.passage & 1 == 1)
    }

    /// What it costs to enter a cluster through a gate, or [`NONE`].
    #[inline]
    pub(super) fn into(&self, gate: &Gate) -> u32 {
        if gate.plain {
            return self.pace.straight as u32;
        }
        self.portals[(gate.passage / 2) as usize].cost(gate.passage & 1 == 0)
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
        let portal = &self.portals[number as usize];
        if passage & 1 == 1 {
            Entry {
                cluster: portal.other,
                gate: portal.there_gate.into(),
                spot: portal.there,
            }
        } else {
            Entry {
                cluster: number >> self.room,
                gate: portal.here_gate.into(),
                spot: portal.here,
            }
        }
    }

    /// Whether a passage is a link.
    pub(super) fn is_link(&self, passage: u32) -> bool {
        self.portals[(passage / 2) as usize].ways.link
    }
}

impl Portal {
    /// The end in the cluster that owns it.
    fn gate(&self, passage: u32, straight: u32) -> Gate {
        Gate {
            passage: passage | 1,
            spot: self.here,
            plain: self.is_plain(straight),
        }
    }

    /// The end in the other cluster.
    fn far_gate(&self, passage: u32, straight: u32) -> Gate {
        Gate {
            passage,
            spot: self.there,
            plain: self.is_plain(straight),
        }
    }

    fn is_plain(&self, straight: u32) -> bool {
        self.ways.out && self.ways.into && self.cost == straight
    }

    /// What it costs to go through, out of the owner or into it.
    fn cost(&self, out: bool) -> u32 {
        let open = if out { self.ways.out } else { self.ways.into };
        if open { self.cost } else { NONE }
    }
}

impl PartialEq for Portals {
    /// Graphs are equal that say the same of the same map, whatever numbers their portals have
    /// and which version of the map they know.
    fn eq(&self, other: &Self) -> bool {
        let number = |graph: &Self, passage: u32| {
            let owner = passage / 2 >> graph.room;
            (owner, passage - (owner << graph.room) * 2)
        };
        let same_gates = |cluster: u32| {
            let (own, others) = (self.gates(cluster), other.gates(cluster));
            own.len() == others.len()
                && own.iter().zip(others).all(|(one, two)| {
                    number(self, one.passage) == number(other, two.passage)
                        && (one.spot, one.plain) == (two.spot, two.plain)
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
