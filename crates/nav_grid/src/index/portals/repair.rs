//! How the graph follows edits.

use super::{
    cluster::{SIDE, Spot},
    graph::PortalGraph,
    measure::{ClusterEdit, walls},
    scratch::BuildScratch,
};
use crate::{
    cell::Cell,
    map::{Area, Grid, Tile},
    rules::{CornerRule, Footprint},
};

impl PortalGraph {
    /// Follows the edits of the map since it was made or last repaired. Afterwards it equals one
    /// made afresh. A map of another size is built anew.
    ///
    /// # Complexity
    ///
    /// A pass over the versions of all tiles and over all links; then some 20 µs for each
    /// cluster whose cells changed, and as much for neighbours whose portals changed with it.
    /// On maps with exits all four clusters of an edited tile count as changed. Where a cluster
    /// comes to have more portals than any one had before, all are numbered anew.
    pub(crate) fn repair(&mut self, grid: &Grid) {
        if grid.size() != self.tiling.size {
            *self = Self::new(grid, self.rules);
            return;
        }
        if grid.version() == self.version {
            return;
        }
        let mut changed = self.reread(grid);
        changed.sort_unstable_by_key(|&(cluster, _)| cluster);
        let fenced = self.fenced || grid.has_exits();
        self.fenced = grid.has_exits();
        self.version = grid.version();
        let mut scratch = BuildScratch::default();
        let owners = self.owners_beside(grid, &changed, fenced);
        // Clusters whose gates may be others than before.
        let mut disturbed: Vec<u32> = Vec::new();
        for owner in owners {
            self.finder(grid).find(owner, &mut scratch.crossings);
            if scratch.crossings.len() > self.room as usize {
                self.lay_out(grid);
                for cluster in 0..self.clusters.len() as u32 {
                    self.reconnect(grid, cluster, walls(&changed, cluster), &mut scratch);
                }
                return;
            }
            self.own(owner, &scratch.crossings, &mut disturbed);
        }
        disturbed.extend(changed.iter().map(|&(cluster, _)| cluster));
        disturbed.sort_unstable();
        disturbed.dedup();
        for &cluster in &disturbed {
            self.reconnect(grid, cluster, walls(&changed, cluster), &mut scratch);
        }
    }

    /// Brings the board up to date and returns the clusters that may be walked otherwise than
    /// before.
    fn reread(&mut self, grid: &Grid) -> Vec<(u32, ClusterEdit)> {
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
            let word = usize::from(tile.column);
            let before = self.column(area, word);
            self.copy(grid, area, word);
            let after = self.column(area, word);
            for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let rows = usize::from(SIDE) * row..usize::from(SIDE) * (row + 1);
                let pairs = before[rows.clone()].iter().zip(&after[rows]);
                let mut walls = if all {
                    ClusterEdit::Many
                } else {
                    ClusterEdit::Same
                };
                for (y, (before, after)) in (0..).zip(pairs) {
                    let bits = ((before ^ after) >> (u32::from(SIDE) * column)) as u32;
                    if bits != 0 {
                        let spot = y * SIDE + bits.trailing_zeros() as Spot;
                        walls = if walls == ClusterEdit::Same && bits.is_power_of_two() {
                            ClusterEdit::One(spot)
                        } else {
                            ClusterEdit::Many
                        };
                    }
                }
                let corner = Cell {
                    x: first.x + column as u16 * SIDE,
                    y: first.y + row as u16 * SIDE,
                    ..first
                };
                if walls != ClusterEdit::Same && grid.contains(corner) {
                    changed.push((self.tiling.cluster(corner), walls));
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
    fn owners_beside(
        &mut self,
        grid: &Grid,
        changed: &[(u32, ClusterEdit)],
        fenced: bool,
    ) -> Vec<u32> {
        let mut owners: Vec<u32> = changed.iter().map(|&(cluster, _)| cluster).collect();
        let corners = fenced || self.rules.corners == CornerRule::Cut;
        let beside: &[(i32, i32)] = if corners {
            &[(-1, 0), (0, -1), (-1, -1), (1, -1), (1, 0)]
        } else {
            &[(-1, 0), (0, -1)]
        };
        for &(cluster, _) in changed {
            let beside = beside.iter();
            owners.extend(beside.filter_map(|&(dx, dy)| self.tiling.beside(cluster, dx, dy)));
        }
        for link in grid.links() {
            if walls(changed, self.tiling.cluster(link.to)) != ClusterEdit::Same {
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
}
