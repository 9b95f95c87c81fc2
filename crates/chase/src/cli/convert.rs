//! `chase convert`: writes a map in another format.

use super::options::RoadsOption;
use crate::{Error, Roads, maps};
use std::path::PathBuf;

/// Converts a map; the endings of both file names give the formats
///
/// A map that the new format cannot hold, such as step costs in plain text, is refused without
/// --lossy.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// Map file to read
    input: PathBuf,
    /// Map file to write
    output: PathBuf,
    /// Main roads of the new map
    #[arg(long, value_name = "WHERE", value_enum, default_value = "file")]
    roads: RoadsOption,
    /// Leave out what the new format cannot hold
    #[arg(long)]
    lossy: bool,
}

pub(super) fn main(args: &ConvertArgs) -> Result<(), Error> {
    let format = maps::format_of(&args.output)?;
    let mut map = maps::read(&args.input)?;
    map.roads = Roads::from(args.roads).cells(&map).unwrap_or_default();
    let bytes = if args.lossy {
        format.write_what_fits(&map, "")
    } else {
        format.write(&map, "")
    };
    let bytes = bytes.map_err(|source| Error::Convert {
        path: args.output.clone(),
        source,
    })?;
    std::fs::write(&args.output, bytes).map_err(|source| Error::write(&args.output, source))
}
