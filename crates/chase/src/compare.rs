//! `chase compare`: compares the search methods on a map.

use crate::{
    comparison::{Comparison, draw_ends},
    path_options::PathOptions,
};
use nav_cli::{Failure, JsonArgs, values::whole};
use nav_sim::{Roads, maps};
use std::path::PathBuf;

/// Compares all search methods on a path across a map: their results and their costs
///
/// Dijkstra's path comes first: none is cheaper. Every method gets a map prepared for it, may
/// search all of it, and says why if it finds no path. Without FROM and TO, the path runs between
/// two places far apart in the largest region.
#[derive(Clone, Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct CompareArgs {
    /// Map file
    map: PathBuf,
    #[command(flatten)]
    path: PathOptions,
    /// Seed that draws the ends of the path
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX), conflicts_with = "from")]
    seed: u64,
    /// Where the main roads run, by which the method trunk walks
    #[arg(long, value_name = "WHERE", value_enum, default_value = "auto")]
    roads: Roads,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn main(args: &CompareArgs) -> Result<(), Failure> {
    let map = maps::read(&args.map)?;
    let roads = args.roads.cells(&map).unwrap_or_default();
    let (grid, rules) = (map.grid, args.path.rules());
    let given = args.path.ends(&args.map, &grid)?;
    let Some(ends) = given.or_else(|| draw_ends(&grid, rules, args.seed)) else {
        let (map, side) = (args.map.display(), rules.footprint.side());
        let why = "fits nowhere: use another map or --size";
        return Err(format!("{map}: a body of {side}x{side} cells {why}").into());
    };
    let json = args.json.open()?;
    let comparison = Comparison {
        map: args.map.display().to_string(),
        seed: given.is_none().then_some(args.seed),
        ..Comparison::new(&grid, &roads, ends, rules)
    };
    json.report(&comparison, &comparison)
}
