//! `chase show`: draws a map, and a path on it.

use super::{
    options::{CornersOption, MetricOption, RoadsOption, cell},
    stdout::print,
};
use crate::{
    Error, Roads, Scenario, maps,
    picture::{Drawing, Motion, Scene},
    sim::Simulation,
};
use ::png::EncodingError;
use nav_grid::{
    Cell, Grid, IndexedMap, Limits, Outcome, Path, PathQuery, Rules, Search,
    methods::{BoundedAStar, TrunkSearch},
    query::Fallback,
};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path as FilePath, PathBuf},
};

/// Shows a map and a path on it, or a scenario at a tick
///
/// In text, # is wall, . floor, = main road, S start, G goal and * the path. If no path within the
/// limits reaches the goal, the path to the nearest cell is shown.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// Map file
    #[arg(required_unless_present = "scenario")]
    map: Option<PathBuf>,
    /// Show the agents of this scenario instead: a RON file, or the name of a bundled scenario
    #[arg(long, value_name = "FILE", requires = "png", conflicts_with_all = ["map", "from", "floor", "roads"])]
    scenario: Option<PathBuf>,
    /// The tick of the scenario to show; the start if left out
    #[arg(long, value_name = "N", requires = "scenario")]
    tick: Option<u64>,
    /// Where the path starts: column,row from the upper left corner
    #[arg(long, value_name = "X,Y[,FLOOR]", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    from: Option<Cell>,
    /// Where the path leads
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    to: Option<Cell>,
    /// Floor to show; that of --from, or the ground floor, if left out
    #[arg(long, value_name = "N")]
    floor: Option<u8>,
    /// Write a picture to this file, too
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Search only this many columns and rows around the start; everywhere if left out
    #[arg(long, value_name = "N", requires = "from")]
    radius: Option<u16>,
    /// Greatest number of expansions; as many as it takes if left out
    #[arg(long, value_name = "N", requires = "from")]
    expansions: Option<u32>,
    /// Main roads to show, by which the path runs then
    #[arg(long, value_name = "WHERE", value_enum, default_value = "none")]
    roads: RoadsOption,
    /// Cost of steps
    #[arg(long, value_enum, default_value = "unit")]
    metric: MetricOption,
    /// Diagonal steps past walls
    #[arg(long, value_enum, default_value = "strict")]
    corners: CornersOption,
}

pub(super) fn main(args: &ShowArgs) -> Result<(), Error> {
    match (&args.scenario, &args.png, &args.map) {
        (Some(scenario), Some(png), _) => show_scenario(scenario, args.tick.unwrap_or(0), png),
        (_, _, Some(map)) => show_map(args, map),
        // `clap` has refused this command line already.
        _ => Ok(()),
    }
}

/// Runs a scenario up to a tick, and draws its agents.
fn show_scenario(scenario: &FilePath, tick: u64, png: &FilePath) -> Result<(), Error> {
    let scenario = Scenario::named(scenario)?;
    let map = maps::load(scenario.map.as_ref())?;
    let scene = Scene::new(&map.grid)?;
    let mut simulation = Simulation::new(&scenario, map)?;
    let (mut motion, mut placed) = (Motion::of(&scenario), Vec::new());
    motion.place(0, &simulation.figures(), &mut placed);
    for tick in 1..=tick {
        simulation.tick();
        motion.place(tick, &simulation.figures(), &mut placed);
    }
    write_picture(png, |out| scene.write_png(&placed, out))?;
    let ends = simulation.ends();
    print(|out| {
        let agents = placed.len();
        writeln!(
            out,
            "tick {tick}: {agents} agents, {} beside their target",
            ends.beside
        )
    })
}

/// Writes a picture to a file.
fn write_picture(
    path: &FilePath,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), EncodingError>,
) -> Result<(), Error> {
    let file = File::create(path).map_err(|source| Error::write(path, source))?;
    let mut out = BufWriter::new(file);
    write(&mut out)
        .and_then(|()| Ok(out.flush()?))
        .map_err(|source| Error::Picture {
            path: path.to_owned(),
            source,
        })
}

fn show_map(args: &ShowArgs, map_path: &FilePath) -> Result<(), Error> {
    let map = maps::read(map_path)?;
    let roads = Roads::from(args.roads).cells(&map);
    let grid = map.grid;
    let query = args.query(map_path, &grid)?;
    let mut path = Path::new();
    let floor = args.floor.or(args.from.map(|from| from.floor)).unwrap_or(0);
    if floor >= grid.floors() {
        return Err(Error::NoSuchFloor {
            floor,
            map: map_path.to_owned(),
            floors: grid.floors(),
        });
    }
    let mut drawing = Drawing::new(&grid).of_floor(floor);
    if let Some(roads) = &roads {
        drawing = drawing.with_roads(roads.clone());
    }
    let mut line = format!(
        "{} cells, {} of them floor",
        grid.size(),
        grid.walkable_count()
    );
    if let Some(query) = query {
        let outcome = match roads {
            None => BoundedAStar::new().search(&grid, &query, &mut path),
            Some(roads) => {
                let mut map = IndexedMap::new(grid.clone());
                map.insert_roads(query.rules, roads)
                    .expect("cells of the map are on it");
                TrunkSearch::new().search(&map, &query, &mut path)
            }
        };
        drawing = drawing.with_path(query.start, query.goal, &path);
        line = outcome_line(&query, &outcome, &path);
    }
    if let Some(path) = &args.png {
        write_picture(path, |out| drawing.write_png(out))?;
    }
    print(|out| {
        write!(out, "{drawing}")?;
        writeln!(out, "{line}")
    })
}

impl ShowArgs {
    /// Returns the requested query, if any, after checking that both ends are walkable.
    fn query(&self, map: &FilePath, grid: &Grid) -> Result<Option<PathQuery>, Error> {
        let (Some(from), Some(to)) = (self.from, self.to) else {
            return Ok(None);
        };
        for (option, cell) in [("--from", from), ("--to", to)] {
            if !grid.contains(cell) {
                return Err(Error::OutsideMap {
                    option,
                    cell,
                    map: map.to_owned(),
                    width: grid.width(),
                    height: grid.height(),
                });
            }
            if !grid.is_walkable(cell) {
                return Err(Error::InsideWall {
                    option,
                    cell,
                    map: map.to_owned(),
                });
            }
        }
        let limits = Limits {
            radius: self.radius.unwrap_or(Limits::UNBOUNDED.radius),
            expansions: self.expansions.unwrap_or(Limits::UNBOUNDED.expansions),
            ..Limits::UNBOUNDED
        };
        let query = PathQuery::new(from, to)
            .with_rules(Rules::new(self.metric.into(), self.corners.into()))
            .with_limits(limits)
            .with_fallback(Fallback::ClosestReached);
        Ok(Some(query))
    }
}

fn outcome_line(query: &PathQuery, outcome: &Outcome, path: &Path) -> String {
    format!(
        "{}; steps {}, cost {}, length {:.2}, expanded {}",
        outcome.status,
        path.len(),
        outcome.cost,
        query.rules.metric.length(outcome.cost),
        outcome.counters.expanded
    )
}
