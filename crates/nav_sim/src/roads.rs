//! The main roads of a map.

use nav_formats::MapFile;
use nav_grid::{Cell, Grid};
use serde::{Deserialize, Serialize};

/// Where the main roads of a map run. Only the method [`Method::Trunk`](nav_grid::Method::Trunk)
/// uses them.
///
/// Written as on the command line and as methods are: `auto`, `file`, `best`, `none`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Roads {
    /// The roads of the map file; as best if it has none
    #[default]
    Auto,
    /// The roads of the map file
    File,
    /// All ground of step cost 1, if some costs more
    Best,
    /// None
    None,
}

impl Roads {
    /// Returns the cells of the roads in reading order; `None` without roads. O(cells) for
    /// [`Roads::Best`].
    pub fn cells(self, map: &MapFile) -> Option<Vec<Cell>> {
        match self {
            Self::Auto if map.roads.is_empty() => best_ground(&map.grid),
            Self::Auto | Self::File => (!map.roads.is_empty()).then(|| map.roads.clone()),
            Self::Best => best_ground(&map.grid),
            Self::None => None,
        }
    }
}

fn best_ground(grid: &Grid) -> Option<Vec<Cell>> {
    let best = (grid.walkable_cells()).filter(|&cell| grid.cost(cell) == 1);
    grid.has_costs().then(|| best.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roads_of_file_first() {
        let mut grid = Grid::open(2, 2).unwrap();
        let plain = MapFile::from(grid.clone());
        grid.set_cost(Cell::new(0, 0), 3).unwrap();
        let costly = MapFile::from(grid);
        let marked = costly.clone().with_roads([Cell::new(0, 0)]);
        let best = || Some(vec![Cell::new(1, 0), Cell::new(0, 1), Cell::new(1, 1)]);
        let in_file = || Some(vec![Cell::new(0, 0)]);
        for (roads, of_plain, of_costly, of_marked) in [
            (Roads::Auto, None, best(), in_file()),
            (Roads::File, None, None, in_file()),
            (Roads::Best, None, best(), best()),
            (Roads::None, None, None, None),
        ] {
            assert_eq!(roads.cells(&plain), of_plain, "{roads:?}");
            assert_eq!(roads.cells(&costly), of_costly, "{roads:?}");
            assert_eq!(roads.cells(&marked), of_marked, "{roads:?}");
        }
    }
}
