//! The ends of a path and the rules of its walker, as `show` and `compare` take them.

use super::options::{CornersOption, MetricOption, cell, classes, whole};
use crate::Error;
use nav_grid::{Cell, Footprint, Grid, Rules, rules::ClassCosts};
use std::path::Path;

/// The ends of a path, and how its walker moves.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PathOptions {
    /// Where the path starts: column,row from the upper left corner, and the floor, 0 if left out
    #[arg(value_name = "FROM", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    from: Option<Cell>,
    /// Where the path leads
    #[arg(value_name = "TO", value_parser = cell, allow_hyphen_values = true)]
    to: Option<Cell>,
    /// Cost of steps
    #[arg(long, value_enum, default_value = "unit")]
    metric: MetricOption,
    /// Diagonal steps past walls
    #[arg(long, value_enum, default_value = "strict")]
    corners: CornersOption,
    /// Side of the body that walks, 1 to 8 cells; it stands where its upper left cell is
    #[arg(long, visible_alias = "footprint", value_name = "N", default_value_t = 1,
        value_parser = whole(1..=Footprint::SIDE_MAX))]
    size: u8,
    /// Costs of the terrain classes for the walker, from class 0 on: 0 forbids a class, others
    /// multiply step costs. Classes left out cost 1
    #[arg(long, value_name = "COSTS", value_parser = classes, default_value = "1")]
    classes: ClassCosts,
}

impl PathOptions {
    /// Returns how the walker moves.
    pub(super) fn rules(&self) -> Rules {
        Rules::new(self.metric.into(), self.corners.into())
            .with_footprint(Footprint::new(self.size).unwrap_or_default())
            .with_classes(self.classes)
    }

    /// Returns the ends of the path, if they are given, after checking that the walker fits there.
    pub(super) fn ends(&self, map: &Path, grid: &Grid) -> Result<Option<(Cell, Cell)>, Error> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            return Ok(None);
        };
        for (end, cell) in [("start", from), ("goal", to)] {
            let map = || map.to_owned();
            if !grid.contains(cell) {
                return Err(Error::OutsideMap {
                    end,
                    cell,
                    map: map(),
                    size: grid.size(),
                });
            }
            if !grid.is_walkable(cell) {
                return Err(Error::InsideWall {
                    end,
                    cell,
                    map: map(),
                });
            }
            let class = grid.class(cell);
            if !self.classes.allows(class) {
                return Err(Error::ForbiddenClass {
                    end,
                    cell,
                    map: map(),
                    class,
                });
            }
            let rules = self.rules();
            if !grid.for_rules(rules).fits(cell, rules.footprint) {
                return Err(Error::NoRoom {
                    end,
                    cell,
                    map: map(),
                    side: self.size,
                });
            }
        }
        Ok(Some((from, to)))
    }
}
