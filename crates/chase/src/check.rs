//! `chase check`: checks a map before it goes live.

use crate::{
    map_check::MapCheck,
    values::{CornersOption, classes},
};
use nav_cli::{Failure, JsonArgs, values::whole};
use nav_grid::{Footprint, Rules, rules::ClassCosts};
use nav_sim::maps;
use std::path::PathBuf;

/// Checks a map: size, walkable share, step costs, terrain classes, sight, connected regions, and
/// links that lead into walls
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct CheckArgs {
    /// Map file
    map: PathBuf,
    /// Side of the walking body, 1 to 8 cells
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=Footprint::SIDE_MAX))]
    footprint: u8,
    /// Diagonal steps past walls
    #[arg(long, value_enum, default_value = "strict")]
    corners: CornersOption,
    /// Costs of the terrain classes for it, from class 0 on: 0 forbids a class. Classes left out
    /// cost 1
    #[arg(long, value_name = "COSTS", value_parser = classes, default_value = "1")]
    classes: ClassCosts,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn main(args: &CheckArgs) -> Result<(), Failure> {
    let map = maps::read(&args.map)?;
    let json = args.json.open()?;
    let rules = Rules {
        corners: args.corners.into(),
        footprint: Footprint::new(args.footprint).unwrap_or_default(),
        classes: args.classes,
        ..Rules::default()
    };
    let check = MapCheck::of(&map, rules);
    json.report(&check, &check)
}
