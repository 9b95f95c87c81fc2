//! `chase generate`: generates a map.

use crate::values::{Size, size};
use clap::builder::PossibleValuesParser;
use mapgen::Kind;
use nav_cli::{Failure, InFile, OutFile, print, values::whole};
use nav_formats::Format;
use nav_sim::maps;
use std::{io::Write, path::PathBuf};

/// Makes a map; the same arguments give the same bytes everywhere
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct GenerateArgs {
    /// Kind of map
    #[arg(value_parser = PossibleValuesParser::new(Kind::NAMES))]
    kind: String,
    /// Columns and rows
    #[arg(long, value_name = "WxH", value_parser = size, allow_hyphen_values = true)]
    size: Size,
    /// Seed: each gives another map of this kind and size
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// Share of walls in clutter, 0 to 100; 20 if left out
    #[arg(long, value_name = "P", value_parser = whole(0..=100_u8))]
    percent: Option<u8>,
    /// File to write; its ending gives the format, such as .txt; - is standard output, as text
    out: PathBuf,
}

pub(super) fn main(args: &GenerateArgs) -> Result<(), Failure> {
    let on_stdout = args.out.as_os_str() == "-";
    let format = if on_stdout {
        Format::Text
    } else {
        maps::format_of(&args.out)?
    };
    let kind = Kind::from_name(&args.kind, args.percent)?;
    let Size { width, height } = args.size;
    let grid = mapgen::generate(kind, width, height, args.seed)?;
    let provenance = mapgen::provenance(kind, width, height, args.seed);
    let bytes = format.write(&grid.into(), &provenance).in_file(&args.out)?;
    if on_stdout {
        print(|out| out.write_all(&bytes))?;
    } else {
        OutFile::write(&args.out, &bytes)?;
    }
    Ok(())
}
