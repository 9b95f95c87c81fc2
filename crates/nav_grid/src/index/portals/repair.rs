//! Repairing the graph of portals after edits.

use super::{
    cluster::{SIDE, Spot},
    distances::{BuildScratch, ClusterEdit},
    graph::PortalGraph,
};
use crate::{
    map::{Area, Grid, Tile},
    rules::CornerRule,
};

/// The effect of an edit on a cluster, from a list in order.
fn walls(changed: &[(u32, ClusterEdit)], cluster: u32) -> ClusterEdit {
    let at = changed.binary_search_by_key(&cluster, |&(cluster, _)| cluster);
    at.map_or(ClusterEdit::Same, |at| changed[at].1)
}

impl PortalGraph {
    /// Updates the graph to the map as it is now. The result equals a new graph. Builds it again
    /// for a map of another size.
    ///
    /// # Complexity
    ///
    /// A pass over the versions of all tiles and over all links; O(n log n) in the links if any
    /// changed. Then some 20 µs for each cluster whose cells changed, and as much for neighbours
    /// whose portals changed with it. On maps with exits all four clusters of an edited tile count
    /// as changed. If a cluster gets more portals than any cluster had before, all portals are
    /// numbered again.
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
        // With exits before the edit or after it, diagonal steps may have portals.
        let owners = self.owners_beside(grid, &changed, fenced);
        // Clusters whose gates may have changed.
        let mut disturbed: Vec<u32> = changed.iter().map(|&(cluster, _)| cluster).collect();
        for owner in owners {
            self.finder(grid).find(owner, &mut scratch.crossings);
            if scratch.crossings.len() > self.room as usize {
                // Numbers follow from the room, so more room changes all of them.
                self.lay_out(grid);
                disturbed = (0..self.clusters.len() as u32).collect();
                break;
            }
            self.own(owner, &scratch.crossings, &mut disturbed);
        }
        disturbed.sort_unstable();
        disturbed.dedup();
        for &cluster in &disturbed {
            self.reconnect(grid, cluster, walls(&changed, cluster), &mut scratch);
        }
    }

    /// Updates the board and returns the clusters with changed cells, or with an edited tile if the
    /// map has exits.
    fn reread(&mut self, grid: &Grid) -> Vec<(u32, ClusterEdit)> {
        let mut changed = Vec::new();
        // Changed exits do not show in the board, so all clusters of the tile count.
        let mut unedited = ClusterEdit::Same;
        if self.fenced || grid.has_exits() {
            unedited = ClusterEdit::Many;
        }
        let side = self.rules.footprint.side();
        for tile in grid.tiles_edited_since(self.version) {
            let area = tile.area(grid.size());
            let before = self.tile_rows(tile, area);
            self.board.erode(&grid.walkable, side, area);
            let after = self.tile_rows(tile, area);
            for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let mut walls = unedited;
                for y in 0..SIDE {
                    let at = usize::from(row * SIDE + y);
                    let bits = ((before[at] ^ after[at]) >> (SIDE * column)) as u32;
                    if bits != 0 {
                        let is_first = walls == ClusterEdit::Same && bits.is_power_of_two();
                        let spot = y * SIDE + bits.trailing_zeros() as Spot;
                        walls = ClusterEdit::Many;
                        if is_first {
                            walls = ClusterEdit::One(spot);
                        }
                    }
                }
                let corner = tile.first().moved(column * SIDE, row * SIDE);
                if walls != ClusterEdit::Same && grid.contains(corner) {
                    changed.push((self.tiling.cluster(corner), walls));
                }
            }
        }
        changed
    }

    /// The rows of a tile, zero outside the map.
    fn tile_rows(&self, tile: Tile, area: Area) -> [u64; Tile::SIDE as usize] {
        let mut rows = [0; Tile::SIDE as usize];
        for (row, y) in rows.iter_mut().zip(area.first().y..=area.last().y) {
            *row = self.board.row(y, tile.floor)[usize::from(tile.column)];
        }
        rows
    }

    /// The clusters whose own portals may change with edits of some clusters or of links.
    fn owners_beside(
        &mut self,
        grid: &Grid,
        changed: &[(u32, ClusterEdit)],
        fenced: bool,
    ) -> Vec<u32> {
        let mut owners: Vec<u32> = changed.iter().map(|&(cluster, _)| cluster).collect();
        // A cluster owns its portals to the right and below, so its edits change those of the
        // clusters to the left and above. Diagonal steps also depend on cells around a corner.
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
            // Both lists are in order.
            let (before, after) = (&self.links, grid.links());
            let removed = before
                .iter()
                .filter(|link| after.binary_search(link).is_err());
            let added = after
                .iter()
                .filter(|link| before.binary_search(link).is_err());
            owners.extend(
                removed
                    .chain(added)
                    .map(|link| self.tiling.cluster(link.from)),
            );
            self.relink(grid);
        }
        owners.sort_unstable();
        owners.dedup();
        owners
    }
}
