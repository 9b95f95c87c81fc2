//! Values of options about maps and walkers.

use clap::ValueEnum;
use nav_grid::{Cell, CornerRule, Grid, Metric, rules::ClassCosts};

/// Cost of steps.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum MetricOption {
    /// Every step costs 1
    Unit,
    /// Every step costs 1, and there are no diagonal ones
    FourWay,
    /// Straight steps cost 10, diagonal ones 14
    Grid,
    /// Straight steps cost 2, diagonal ones 3
    TwoThree,
    /// Straight steps cost 1, diagonal ones the square root of 2
    Octile,
}

impl From<MetricOption> for Metric {
    fn from(option: MetricOption) -> Self {
        match option {
            MetricOption::Unit => Self::Unit,
            MetricOption::FourWay => Self::FourWay,
            MetricOption::Grid => Self::Grid,
            MetricOption::TwoThree => Self::TwoThree,
            MetricOption::Octile => Self::Octile,
        }
    }
}

/// Diagonal steps past walls.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CornersOption {
    /// Forbidden if a wall is beside the step
    Strict,
    /// Allowed
    Cut,
}

impl From<CornersOption> for CornerRule {
    fn from(option: CornersOption) -> Self {
        match option {
            CornersOption::Strict => Self::Strict,
            CornersOption::Cut => Self::Cut,
        }
    }
}

/// Parses costs of terrain classes, such as `1,0,3`.
pub(crate) fn classes(text: &str) -> Result<ClassCosts, String> {
    let parsed = text.split(',').map(|cost| cost.trim().parse::<u8>());
    let Ok(costs) = parsed.collect::<Result<Vec<u8>, _>>() else {
        return Err("expected costs of the classes 0, 1 and so on, such as 1,0,3".to_owned());
    };
    ClassCosts::try_from(costs).map_err(|error| error.to_string())
}

/// The sides of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// Parses `x,y` or `x,y,floor`.
pub(crate) fn cell(text: &str) -> Result<Cell, String> {
    // A misspelt option gets here, too: a cell may begin with a hyphen, to be answered as a cell.
    if text.starts_with("--") {
        return Err("there is no such option: --help lists them".to_owned());
    }
    if let Some((x, y)) = pair(text, ',') {
        return Ok(Cell::new(x, y));
    }
    if let Some((cell, floor)) = text.rsplit_once(',')
        && let Some((x, y)) = pair(cell, ',')
        && let Ok(floor) = floor.trim().parse()
    {
        return Ok(Cell::new(x, y).on_floor(floor));
    }
    Err("expected column,row, such as 3,4, or column,row,floor".to_owned())
}

/// Parses `WIDTHxHEIGHT`.
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let sides = 1..=Grid::SIDE_MAX;
    match pair(text, 'x') {
        Some((width, height)) if sides.contains(&width) && sides.contains(&height) => {
            Ok(Size { width, height })
        }
        _ => Err(format!(
            "expected WIDTHxHEIGHT, each 1 to {}, such as 64x48",
            Grid::SIDE_MAX
        )),
    }
}

fn pair(text: &str, separator: char) -> Option<(u16, u16)> {
    let (first, second) = text.split_once(separator)?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_costs_in_order() {
        let costs = classes("1, 0,3").map(Vec::from);
        assert_eq!(costs, Ok(vec![1, 0, 3]));
        for wrong in ["", "1,,2", "x", "-1", "16", "1 2", &"1,".repeat(17)] {
            assert!(classes(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn cells_and_sizes() {
        assert_eq!(cell("3,4"), Ok(Cell::new(3, 4)));
        assert_eq!(cell("3, 4"), Ok(Cell::new(3, 4)));
        assert_eq!(cell("3,4,5"), Ok(Cell::new(3, 4).on_floor(5)));
        for wrong in [
            "", "3", "3,", "3;4", "-1,4", "3,4,5,6", "3,4,256", "70000,1",
        ] {
            assert!(cell(wrong).is_err(), "{wrong:?}");
        }
        let expected = Size {
            width: 64,
            height: 48,
        };
        assert_eq!(size("64x48"), Ok(expected));
        for wrong in ["64", "64x", "0x5", "5x0", "16385x1", "64x48x2", "64*48"] {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
    }
}
