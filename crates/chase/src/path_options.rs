//! The ends of a path and the rules of its walker, as `show` and `compare` take them.

use crate::values::{CornersOption, MetricOption, cell, classes};
use nav_cli::{Failure, values::whole};
use nav_grid::{Cell, Footprint, Grid, Rules, Size, rules::ClassCosts};
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
    pub(super) fn ends(&self, map: &Path, grid: &Grid) -> Result<Option<(Cell, Cell)>, Failure> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            return Ok(None);
        };
        for (end, cell) in [("start", from), ("goal", to)] {
            self.check_end(end, cell, map, grid)?;
        }
        Ok(Some((from, to)))
    }

    /// Checks that the walker fits at an end of the path.
    fn check_end(&self, end: &str, cell: Cell, map: &Path, grid: &Grid) -> Result<(), String> {
        let (map, rules, side) = (map.display(), self.rules(), self.size);
        if !grid.contains(cell) {
            let ranges = ranges(cell, grid.size());
            return Err(format!("the {end} {cell} is outside {map}: {ranges}"));
        }
        if !grid.is_walkable(cell) {
            return Err(format!(
                "the {end} {cell} is inside a wall of {map}: a path starts and ends on floor"
            ));
        }
        let class = grid.class(cell);
        if !self.classes.allows(class) {
            return Err(format!(
                "the {end} {cell} of {map} is of terrain class {class}, which --classes forbids"
            ));
        }
        if !grid.for_rules(rules).fits(cell, rules.footprint) {
            return Err(format!(
                "the {end} {cell} of {map} has no room for a body of {side}x{side} cells, which covers as many columns \
                 and rows from there on"
            ));
        }
        Ok(())
    }
}

/// Returns in words which cells a map has, where a cell is not among them.
fn ranges(cell: Cell, size: Size) -> String {
    let (x, y, floor) = (size.width - 1, size.height - 1, size.floors - 1);
    let plane = format!("columns are 0 to {x}, rows 0 to {y}");
    match (floor, cell.floor) {
        (0, 0) => plane,
        (0, _) => format!("{plane}, and the only floor is 0"),
        _ => format!("{plane}, floors 0 to {floor}"),
    }
}
