//! `chase convert`: writes a map in another format.

use super::{options::RoadsOption, output::OutFile};
use crate::{Error, Roads, maps};
use nav_formats::png;
use std::path::{Path, PathBuf};

/// Converts a map; the endings of both file names give the formats
///
/// A map that the new format cannot hold, such as step costs in plain text, is refused without
/// --lossy. Pictures keep exits in a second one: town.png in town.exits.png.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// Map file to read; town.ldtk#Yard is one of its levels
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
    let refused = |source| Error::Convert {
        path: args.output.clone(),
        source,
    };
    let write = |path: &Path, bytes: Vec<u8>| OutFile::write(path, &bytes);
    let mut exits = None;
    if maps::is_picture(format) {
        let path = maps::exits_beside(&args.output);
        // A file that is there already would apply to the new map.
        if map.grid.has_exits() || path.exists() {
            exits = Some((path, png::write_exits(&map.grid).map_err(refused)?));
        }
        map.grid
            .set_exit_bytes(Vec::new())
            .expect("no bytes open all exits");
    }
    let bytes = if args.lossy {
        format.write_what_fits(&map, "")
    } else {
        format.write(&map, "")
    };
    write(&args.output, bytes.map_err(refused)?)?;
    exits.map_or(Ok(()), |(path, bytes)| write(&path, bytes))
}
