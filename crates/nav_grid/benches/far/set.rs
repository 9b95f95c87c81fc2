//! The maps and their queries.

use nav_formats::{
    Format,
    scen::{self, ScenLine},
};
use nav_grid::{CornerRule, IndexedMap, Metric, Rules};
use std::path::Path;

/// Folder and name of every map.
pub const MAPS: [(&str, &str); 8] = [
    ("dao", "arena2"),
    ("dao", "brc202d"),
    ("bg512", "AR0012SR"),
    ("sc1", "AcrosstheCape"),
    ("mazes", "maze512-4-0"),
    ("random", "random512-25-0"),
    ("cities", "Berlin_0_512"),
    ("rooms", "64room_000"),
];

/// A map with its queries.
pub struct Set {
    pub name: &'static str,
    /// The map with all indexes that our methods need.
    pub map: IndexedMap,
    pub lines: Vec<ScenLine>,
}

impl Set {
    /// Reads a map with its queries, or returns `None` if the files are missing. Lines with a
    /// blocked end are left out.
    pub fn read(folder: &str, name: &'static str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?;
        let map = root
            .join("shared/benchmarks/movingai")
            .join(folder)
            .join(format!("{name}.map"));
        let lines = std::fs::read(map.with_extension("map.scen")).ok()?;
        let grid = Format::MovingAi
            .read(&std::fs::read(map).ok()?)
            .expect("a map")
            .grid;
        let mut lines = scen::read(&lines).expect("a scenario file").lines;
        lines.retain(|line| grid.is_walkable(line.start) && grid.is_walkable(line.goal));
        let mut map = IndexedMap::new(grid);
        for corners in CornerRule::ALL {
            map.build_jumps(Rules::new(Metric::Unit, corners));
        }
        map.build_portals(Rules::new(Metric::Octile, CornerRule::Strict));
        Some(Self { name, map, lines })
    }

    /// Returns the indices of `count` lines that are spread evenly over the file.
    pub fn share(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let lines = self.lines.len();
        let count = count.min(lines);
        (0..count).map(move |n| n * lines / count)
    }
}
