//! `chase compare`: compares the search methods on a map.

use super::{
    json::JsonOut,
    options::{RoadsOption, json_file, whole},
    output::print,
    path_options::PathOptions,
};
use crate::{
    Error, Roads,
    compare::{Comparison, draw_ends},
    maps,
};
use std::{io::Write, path::PathBuf};

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
    roads: RoadsOption,
    /// Write the result as JSON to this file; - is standard output, in place of the table
    #[arg(long, value_name = "FILE", value_parser = json_file())]
    json: Option<PathBuf>,
}

pub(super) fn main(args: &CompareArgs) -> Result<(), Error> {
    let map = maps::read(&args.map)?;
    let roads = Roads::from(args.roads).cells(&map).unwrap_or_default();
    let (grid, rules) = (map.grid, args.path.rules());
    let given = args.path.ends(&args.map, &grid)?;
    let drawn = || draw_ends(&grid, rules, args.seed);
    let ends = given.or_else(drawn).ok_or_else(|| Error::NoPlace {
        map: args.map.clone(),
        side: rules.footprint.side(),
    })?;
    let json = args.json.as_deref().map(JsonOut::open).transpose()?;
    let comparison = Comparison {
        map: args.map.display().to_string(),
        seed: given.is_none().then_some(args.seed),
        ..Comparison::new(&grid, &roads, ends, rules)
    };
    let on_stdout = matches!(json, Some(JsonOut::Stdout));
    if let Some(json) = json {
        json.write(&comparison)?;
    }
    if on_stdout {
        return Ok(());
    }
    print(|out| write!(out, "{comparison}"))
}
