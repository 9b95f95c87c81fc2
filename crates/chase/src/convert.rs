//! `chase convert`: writes a map in another format.

use nav_cli::{Failure, InFile, OutFile};
use nav_formats::{CellLayer, png};
use nav_sim::{Roads, maps};
use std::path::PathBuf;

/// Converts a map; the endings of both file names give the formats
///
/// A map that the new format cannot hold, such as step costs in plain text, is refused without
/// --lossy. Pictures keep exits, terrain classes and sight in further ones: town.png in
/// town.exits.png, town.classes.png and town.sight.png.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ConvertArgs {
    /// Map file to read; town.ldtk#Yard is one of its levels
    input: PathBuf,
    /// Map file to write
    output: PathBuf,
    /// Main roads of the new map
    #[arg(long, value_name = "WHERE", value_enum, default_value = "file")]
    roads: Roads,
    /// Leave out what the new format cannot hold
    #[arg(long)]
    lossy: bool,
}

pub(super) fn main(args: &ConvertArgs) -> Result<(), Failure> {
    let format = maps::format_of(&args.output)?;
    let mut map = maps::read(&args.input)?;
    map.roads = args.roads.cells(&map).unwrap_or_default();
    let mut beside = Vec::new();
    if maps::is_picture(format) {
        for layer in CellLayer::ALL {
            let path = maps::layer_beside(&args.output, layer);
            // A file that is there already would apply to the new map.
            if layer.is_in(&map.grid) || path.exists() {
                let bytes = png::write_layer(&map.grid, layer).in_file(&args.output)?;
                beside.push((path, bytes));
            }
            layer
                .set(&mut map.grid, Vec::new())
                .expect("no numbers remove a layer");
        }
    }
    let bytes = if args.lossy {
        format.write_what_fits(&map, "")
    } else {
        format.write(&map, "")
    };
    OutFile::write(&args.output, &bytes.in_file(&args.output)?)?;
    for (path, bytes) in beside {
        OutFile::write(&path, &bytes)?;
    }
    Ok(())
}
