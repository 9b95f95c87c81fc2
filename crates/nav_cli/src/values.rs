//! Values of options.

use clap::builder::{PathBufValueParser, TypedValueParser};
use std::{
    fmt::Display,
    fs,
    net::SocketAddr,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Returns a parser of whole numbers in a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        if let Ok(number) = text.trim().parse()
            && range.contains(&number)
        {
            return Ok(number);
        }
        let (least, most) = (range.start(), range.end());
        Err(format!("expected a whole number from {least} to {most}"))
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

/// Returns a parser for names of files to write, which end in `ending`, such as `.gif`. Devices and
/// pipes may have any name.
pub fn file_to_write(ending: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| {
        if has_ending(&path, ending) {
            Ok(path)
        } else {
            Err(format!("expected a file name that ends in {ending}"))
        }
    })
}

/// Returns a parser for where JSON is written: a file name that ends in `.json`, or `-` for
/// standard output.
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
    name.as_encoded_bytes().ends_with(ending.as_bytes())
        || fs::metadata(path).is_ok_and(|at| !at.is_file() && !at.is_dir())
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
}
