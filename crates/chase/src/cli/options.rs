//! Values of options.

use crate::Roads;
use clap::{
    ValueEnum,
    builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser},
};
use nav_grid::{Cell, CornerRule, Grid, Method, Metric, rules::ClassCosts};
use std::{
    fmt::Display,
    fs,
    net::SocketAddr,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Cost of steps.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "lower")]
pub(super) enum MetricOption {
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
pub(super) enum CornersOption {
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

/// Where main roads run.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RoadsOption {
    /// The roads of the map file; as best if it has none
    Auto,
    /// The roads of the map file
    File,
    /// All ground of step cost 1, if some costs more
    Best,
    /// None
    None,
}

impl From<RoadsOption> for Roads {
    fn from(option: RoadsOption) -> Self {
        match option {
            RoadsOption::Auto => Self::Auto,
            RoadsOption::File => Self::File,
            RoadsOption::Best => Self::Best,
            RoadsOption::None => Self::None,
        }
    }
}

/// Returns a parser for names of search methods.
pub fn method_names() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

/// Parses costs of terrain classes, such as `1,0,3`.
pub(super) fn classes(text: &str) -> Result<ClassCosts, String> {
    let costs = text.split(',').map(|cost| cost.trim().parse());
    let costs: Vec<u8> = costs
        .collect::<Result<_, _>>()
        .map_err(|_| "expected costs of the classes 0, 1 and so on, such as 1,0,3".to_owned())?;
    ClassCosts::try_from(costs).map_err(|error| error.to_string())
}

/// The sides of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) width: u16,
    pub(super) height: u16,
}

/// Parses `x,y` or `x,y,floor`.
pub(super) fn cell(text: &str) -> Result<Cell, String> {
    // A misspelt option gets here, too: a cell may begin with a hyphen, to be answered as a cell.
    if text.starts_with("--") {
        return Err("there is no such option: --help lists them".to_owned());
    }
    let on_floor = |(cell, floor): (&str, &str)| {
        let (x, y) = pair(cell, ',')?;
        Some(Cell::new(x, y).on_floor(floor.trim().parse().ok()?))
    };
    let ground = || pair(text, ',').map(|(x, y)| Cell::new(x, y));
    ground()
        .or_else(|| text.rsplit_once(',').and_then(on_floor))
        .ok_or_else(|| "expected column,row, such as 3,4, or column,row,floor".to_owned())
}

/// Parses `WIDTHxHEIGHT`.
pub(super) fn size(text: &str) -> Result<Size, String> {
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

/// Returns a parser of whole numbers in a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.trim().parse().ok();
        let number = number.filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a whole number from {least} to {most}")
        })
    }
}

/// Returns a parser of whole numbers in a range that may be written as `500`, `10k` or `1m`.
pub fn count(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<u32, String> + Clone {
    move |text| {
        let number = with_unit(text).filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a whole number from {least} to {most}, such as 500, 10k or 1m")
        })
    }
}

/// Returns a parser of numbers above 0 and at most `max`.
pub fn above_zero(max: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.trim().parse().ok();
        number
            .filter(|&number| number > 0.0 && number <= max)
            .ok_or_else(|| format!("expected a number above 0 and at most {max}"))
    }
}

/// Parses an address with a port.
///
/// # Errors
///
/// A description of the expected form, with the port if that was given alone.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.trim().parse().map_err(|_| {
        let (_, port) = text.trim().rsplit_once(':').unwrap_or(("", text.trim()));
        let port = port.parse::<u16>().unwrap_or(8080);
        format!("expected an address and a port, such as 127.0.0.1:{port}")
    })
}

/// Returns a parser for names of files to write, which end in `ending`, such as `.gif`. Devices and pipes may have any
/// name.
pub fn file_to_write(ending: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| {
        if has_ending(&path, ending) {
            Ok(path)
        } else {
            Err(format!("expected a file name that ends in {ending}"))
        }
    })
}

/// Returns a parser for where JSON is written: a file name that ends in `.json`, or `-` for standard output.
pub fn json_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == "-" || has_ending(&path, ".json") {
            Ok(path)
        } else {
            Err("expected a file name that ends in .json, or - for standard output")
        }
    })
}

/// Returns whether a name ends in `ending`, in any case, or is that of a device or a pipe.
fn has_ending(path: &Path, ending: &str) -> bool {
    let name = path.as_os_str().to_ascii_lowercase();
    let is_special = || fs::metadata(path).is_ok_and(|at| !at.is_file() && !at.is_dir());
    name.as_encoded_bytes().ends_with(ending.as_bytes()) || is_special()
}

/// Returns a number such as `500`, `10k` or `1m`.
fn with_unit(text: &str) -> Option<u32> {
    let text = text.trim();
    let (digits, unit) = if let Some(digits) = text.strip_suffix(['k', 'K']) {
        (digits, 1_000)
    } else if let Some(digits) = text.strip_suffix(['m', 'M']) {
        (digits, 1_000_000)
    } else {
        (text, 1)
    };
    digits.parse::<u32>().ok()?.checked_mul(unit)
}

fn pair(text: &str, separator: char) -> Option<(u16, u16)> {
    let (first, second) = text.split_once(separator)?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_have_units() {
        let count = count(0..=3_000_000);
        assert_eq!(count("500"), Ok(500));
        assert_eq!(count("10k"), Ok(10_000));
        assert_eq!(count(" 2M"), Ok(2_000_000));
        for wrong in ["", "k", "1.5k", "-1", "5g", "4m", "5000m", "1kk"] {
            assert!(count(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn addresses_by_example() {
        assert_eq!(address("0.0.0.0:80").map(|at| at.port()), Ok(80));
        for (wrong, port) in [
            ("8081", 8081),
            (":9000", 9000),
            ("localhost:70", 70),
            ("here", 8080),
        ] {
            let expected = format!("expected an address and a port, such as 127.0.0.1:{port}");
            assert_eq!(address(wrong), Err(expected));
        }
    }

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
