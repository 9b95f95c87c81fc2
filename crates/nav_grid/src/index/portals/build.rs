//! Building the graph of portals.

use super::{
    cluster::Tiling,
    costs::step_costs_of,
    graph::{Cluster, PortalGraph},
    measure::ClusterEdit,
    scratch::BuildScratch,
};
use crate::{
    cell::Cell,
    map::{Area, Bitboard, Grid},
    rules::{Footprint, Rules},
};

impl PortalGraph {
    /// The portals of a map as it is now, for walkers of one footprint, corner rule and metric.
    /// Its policy toward bodies does not count.
    ///
    /// # Complexity
    ///
    /// O(cells × portals of a cluster), in machine words: some 20 µs a cluster.
    pub(crate) fn new(grid: &Grid, rules: Rules) -> Self {
        let tiling = Tiling::new(grid.size());
        let mut portals = Self {
            rules,
            step_costs: step_costs_of(rules.metric),
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
        let mut scratch = BuildScratch::default();
        for cluster in 0..portals.clusters.len() as u32 {
            portals.connect(cluster, &mut scratch);
        }
        for cluster in 0..portals.clusters.len() as u32 {
            portals.measure(grid, cluster, ClusterEdit::Many, &mut scratch);
        }
        portals
    }
}

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
